import {
  MerkleTree,
  SCALAR_FIELD,
  STARKNET_FIELD,
  TREE_CAPACITY,
  TREE_DEPTH,
  foldPath,
  noteOf,
  type MerklePath,
  type Note,
  type WithdrawalRequest,
} from '@sotto/wallet/advanced';
import { ProverError } from './errors.js';

/** Names of the public inputs, in the order of the verifier and of the calldata. */
export const PUBLIC_INPUTS = [
  'root',
  'nullifierHash',
  'recipient',
  'relayer',
  'fee',
  'batchStart',
  'batchSize',
] as const;

/**
 * Exclusive upper limit of a fee, in the smallest unit of the pool's ERC-20 token. The supply of
 * every such token is far smaller.
 */
const FEE_LIMIT = 1n << 64n;

/**
 * Input signals of circuits/withdraw.circom: first the public signals, then the signals that only
 * the prover knows.
 */
export interface WithdrawalSignals extends Readonly<
  Record<(typeof PUBLIC_INPUTS)[number], bigint>
> {
  readonly nullifier: bigint;
  readonly secret: bigint;
  readonly pathElements: readonly bigint[];
  readonly pathIndices: readonly number[];
}

/**
 * Converts a request to the statement to prove. Checks the request first, because a failing circuit
 * would not report a clear error.
 * @throws ProverError RECIPIENT_/RELAYER_/FEE_/BATCH_OUT_OF_RANGE, LEAF_UNKNOWN, LEAF_NOT_IN_BATCH,
 *   LEAF_INDEX_OUT_OF_RANGE, PATH_MISMATCH
 * @throws WalletError NOTE_OUT_OF_RANGE; for `leaves` also the errors of {@link MerkleTree.insert}
 */
export function toSignals(request: WithdrawalRequest): WithdrawalSignals {
  const { recipient, relayer, feeAmount, batchStart, batchSize } = request;
  if (!isAddress(recipient))
    throw new ProverError(
      'RECIPIENT_OUT_OF_RANGE',
      'the recipient must be in (0, P) of the Starknet field',
    );
  if (!isAddress(relayer))
    throw new ProverError(
      'RELAYER_OUT_OF_RANGE',
      'the relayer must be in (0, P) of the Starknet field',
    );
  // A JavaScript caller may still pass `feeSats`, the former name of `feeAmount`.
  if (typeof feeAmount !== 'bigint' || feeAmount < 0n || feeAmount >= FEE_LIMIT)
    throw new ProverError('FEE_OUT_OF_RANGE', 'feeAmount must be a bigint in [0, 2^64)');
  if (!isBatch(batchStart, batchSize)) {
    throw new ProverError(
      'BATCH_OUT_OF_RANGE',
      `a batch holds at least one leaf and lies within leaves 0 to ${TREE_CAPACITY - 1}`,
    );
  }
  const note = noteOf(request.note.nullifier, request.note.secret);
  const { leafIndex, siblings, root } =
    'path' in request ? checkedPath(request.path, note) : pathAmong(request.leaves, note);
  if (leafIndex < batchStart || leafIndex >= batchStart + batchSize) {
    throw new ProverError('LEAF_NOT_IN_BATCH', 'the note is not a leaf of the given batch');
  }
  return {
    root,
    nullifierHash: note.nullifierHash,
    recipient,
    relayer,
    fee: feeAmount,
    batchStart: BigInt(batchStart),
    batchSize: BigInt(batchSize),
    nullifier: note.nullifier,
    secret: note.secret,
    pathElements: siblings,
    pathIndices: siblings.map((_, height) => (leafIndex >> height) & 1),
  };
}

function isAddress(value: bigint): boolean {
  return value > 0n && value < STARKNET_FIELD;
}

function isBatch(start: number, size: number): boolean {
  return (
    Number.isInteger(start) &&
    Number.isInteger(size) &&
    start >= 0 &&
    size >= 1 &&
    start + size <= TREE_CAPACITY
  );
}

function pathAmong(leaves: readonly bigint[], { commitment }: Note): MerklePath {
  const tree = MerkleTree.of(leaves);
  const leafIndex = tree.indexOf(commitment);
  if (leafIndex === undefined)
    throw new ProverError('LEAF_UNKNOWN', "the note's commitment is not among the leaves");
  return tree.path(leafIndex);
}

function checkedPath(path: MerklePath, { commitment }: Note): MerklePath {
  const { leafIndex, siblings, root } = path;
  if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= TREE_CAPACITY) {
    throw new ProverError('LEAF_INDEX_OUT_OF_RANGE', `a tree has leaves 0 to ${TREE_CAPACITY - 1}`);
  }
  const wellFormed =
    siblings.length === TREE_DEPTH &&
    siblings.every((sibling) => sibling >= 0n && sibling < SCALAR_FIELD);
  if (!wellFormed || foldPath(commitment, path) !== root) {
    throw new ProverError(
      'PATH_MISMATCH',
      "the path does not lead from the note's commitment to its root",
    );
  }
  return path;
}
