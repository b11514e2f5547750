import { CircuitError } from './errors.js';
import { SCALAR_FIELD, STARKNET_FIELD } from './fields.js';
import { foldPath, MerkleTree, TREE_CAPACITY, TREE_DEPTH, type MerklePath } from './merkle-tree.js';
import { noteOf, type Note } from './note.js';

/** Names of the public inputs, in the order in which verifier and calldata carry them. */
export const PUBLIC_INPUTS = [
  'root',
  'nullifierHash',
  'recipient',
  'relayer',
  'fee',
  'batchStart',
  'batchSize',
] as const;

/** Fees fit 64 bits: every token that pools hold has a far smaller supply in its smallest unit. */
const FEE_LIMIT = 1n << 64n;

interface WithdrawalTerms {
  readonly note: Note;
  /** Starknet address that is paid. */
  readonly recipient: bigint;
  /** Starknet address that earns the fee, for any sender of the transaction. */
  readonly relayer: bigint;
  /** In the smallest unit of the pool's token: satoshis for WBTC. */
  readonly feeSats: bigint;
  /** Leaf index at which the note's batch begins. */
  readonly batchStart: number;
  readonly batchSize: number;
}

/**
 * A withdrawal and the note's place in the tree: all leaves in order of insertion, or a path from
 * elsewhere.
 */
export type WithdrawalRequest = WithdrawalTerms &
  ({ readonly leaves: readonly bigint[] } | { readonly path: MerklePath });

/**
 * Input signals of circuits/withdraw.circom: the public ones first, then what only the prover
 * knows.
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
 * The statement to prove, after every check that gives a better answer than a failing circuit.
 * @throws CircuitError RECIPIENT_/RELAYER_/FEE_/BATCH_OUT_OF_RANGE, NOTE_OUT_OF_RANGE,
 *   LEAF_UNKNOWN, LEAF_NOT_IN_BATCH, LEAF_INDEX_OUT_OF_RANGE, PATH_MISMATCH, and for `leaves` what
 *   {@link MerkleTree.insert} throws.
 */
export function toSignals(request: WithdrawalRequest): WithdrawalSignals {
  const { recipient, relayer, feeSats, batchStart, batchSize } = request;
  if (!isAddress(recipient))
    throw new CircuitError(
      'RECIPIENT_OUT_OF_RANGE',
      'the recipient must be in (0, P) of the Starknet field',
    );
  if (!isAddress(relayer))
    throw new CircuitError(
      'RELAYER_OUT_OF_RANGE',
      'the relayer must be in (0, P) of the Starknet field',
    );
  if (feeSats < 0n || feeSats >= FEE_LIMIT)
    throw new CircuitError('FEE_OUT_OF_RANGE', 'the fee must be in [0, 2^64)');
  if (!isBatch(batchStart, batchSize)) {
    throw new CircuitError(
      'BATCH_OUT_OF_RANGE',
      `a batch holds at least one leaf and lies within leaves 0 to ${TREE_CAPACITY - 1}`,
    );
  }
  const note = noteOf(request.note.nullifier, request.note.secret);
  const { leafIndex, siblings, root } =
    'path' in request ? checkedPath(request.path, note) : pathAmong(request.leaves, note);
  if (leafIndex < batchStart || leafIndex >= batchStart + batchSize) {
    throw new CircuitError('LEAF_NOT_IN_BATCH', 'the note is not a leaf of the given batch');
  }
  return {
    root,
    nullifierHash: note.nullifierHash,
    recipient,
    relayer,
    fee: feeSats,
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
    throw new CircuitError('LEAF_UNKNOWN', "the note's commitment is not among the leaves");
  return tree.path(leafIndex);
}

function checkedPath(path: MerklePath, { commitment }: Note): MerklePath {
  const { leafIndex, siblings, root } = path;
  if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= TREE_CAPACITY) {
    throw new CircuitError(
      'LEAF_INDEX_OUT_OF_RANGE',
      `a tree has leaves 0 to ${TREE_CAPACITY - 1}`,
    );
  }
  const wellFormed =
    siblings.length === TREE_DEPTH &&
    siblings.every((sibling) => sibling >= 0n && sibling < SCALAR_FIELD);
  if (!wellFormed || foldPath(commitment, path) !== root) {
    throw new CircuitError(
      'PATH_MISMATCH',
      "the path does not lead from the note's commitment to its root",
    );
  }
  return path;
}
