import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { selectorOf } from '../engine/felt.js';
import { Arguments, modelClassHash, u256Felts } from './calldata.js';
import { insertLeaf, isKnownRoot, lastRoot, nextLeafIndex } from './merkle-tree.js';
import {
  PAUSED,
  VERIFY_L2_GAS,
  isCommitment,
  isKnownCommitment,
  isSpent,
  maxFee,
  question,
  rememberCommitment,
  requireAddresses,
  requireFeeBps,
  spend,
  view,
} from './pool-parts.js';
import { decodeProof, type PublicInputs } from './proof.js';
import type { ProofVerifier } from './verifier.js';

export interface ShieldedPoolOptions {
  /** Address of the ERC-20 token that users deposit. */
  readonly token: bigint;
  /** Value of one note, in the token's smallest unit. */
  readonly denomination: bigint;
  /** Maximum fee of a withdrawal in 1/10,000 of its amount; at most 1,000. */
  readonly maxFeeBps: number;
  /** Accounts that may deposit for users and may deploy batches. */
  readonly relayers: readonly bigint[];
  readonly verifyProof: ProofVerifier;
  /**
   * True if a nullifier can be spent only once. If false, the pool pays again for a proof that it
   * has already paid. A test can then detect a second inclusion that the real contract would hide.
   * @default true
   */
  readonly enforceNullifier?: boolean;
}

/** Storage keys that genesis and the control interface may set. No entry point sets them. */
export const POOL_STORAGE = {
  /** Pause flag. While it is not zero, deposits, batches and withdrawals revert. */
  paused: PAUSED,
  /**
   * If not zero, deposits wait for `deploy_batch`. If zero, every three deposits are deployed
   * automatically.
   */
  autoDeployOff: 'auto_deploy_off',
  /**
   * Total yield of the active deposits, in the token's smallest unit. Each withdrawal receives an
   * equal part. The pool's token balance must include this yield.
   */
  accrued: 'accrued',
} as const;

const UNDEPLOYED = 'undeployed_count';
const ACTIVE = 'active_deposits';
const BATCHES = 'batch_count';

const BATCH_SIZES: readonly number[] = [3, 5, 7];
const AUTO_BATCH_SIZE = 3;

/**
 * L2 gas of each operation. The engine adds gas for the transaction and its calldata (10.7 M for a
 * proof), and the token contract adds gas for transfers. The totals match the protocol's estimates:
 * deposit 0.8 M, batch 1.2 M, withdrawal 34.5 M L2 gas.
 */
const DEPOSIT_L2_GAS = 350_000n;
const DEPLOY_L2_GAS = 850_000n;
const PAY_OUT_L2_GAS = 600_000n;

const DEPOSIT = selectorOf('Deposit');
const BATCH_DEPLOYED = selectorOf('BatchDeployed');
const WITHDRAWAL = selectorOf('Withdrawal');

/**
 * Shielded pool, V4. A deposit has a fixed denomination and becomes a leaf of a real Merkle tree. A
 * batch of deposits becomes active, and any caller with a valid Groth16 proof can withdraw one
 * note. The model omits the vault behind the real pool: the pool holds the tokens, and a batch only
 * changes the number of active deposits.
 * @throws RangeError if `maxFeeBps` is not an integer from 0 to 1,000.
 */
export function shieldedPool(options: ShieldedPoolOptions): ContractModel {
  const { denomination, maxFeeBps } = options;
  requireFeeBps(maxFeeBps);
  return {
    name: 'ShieldedPool',
    classHash: modelClassHash('ShieldedPool'),
    entrypoints: {
      denomination: view(() => u256Felts(denomination)),
      max_fee_bps: view(() => [BigInt(maxFeeBps)]),
      max_fee: view(() => u256Felts(maxFee(denomination, maxFeeBps))),
      undeployed_count: view((context) => [context.get(UNDEPLOYED)]),
      active_deposits: view((context) => [context.get(ACTIVE)]),
      total_deposits: view((context) => [BigInt(nextLeafIndex(context))]),
      total_assets: view((context) =>
        u256Felts(
          (context.get(UNDEPLOYED) + context.get(ACTIVE)) * denomination +
            context.get(POOL_STORAGE.accrued),
        ),
      ),
      get_next_index: view((context) => [BigInt(nextLeafIndex(context))]),
      get_last_root: view((context) => u256Felts(lastRoot(context))),
      is_known_root: question(isKnownRoot),
      is_spent: question(isSpent),
      is_known_commitment: question(isKnownCommitment),
      deposit: depositInto(options),
      deploy_batch: (context, calldata) => {
        const count = batchSizeArgument(context, calldata, options);
        if (!BATCH_SIZES.includes(count)) throw new Revert('invalid batch size');
        deployBatch(context, count, denomination);
        return [];
      },
      deploy_partial_batch: (context, calldata) => {
        const count = batchSizeArgument(context, calldata, options);
        if (count === 0) throw new Revert('invalid batch size');
        deployBatch(context, count, denomination);
        return [];
      },
      withdraw: withdrawFrom(options),
    },
  };
}

function depositInto({ token, denomination, relayers }: ShieldedPoolOptions): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const commitment = args.u256();
    const depositor = args.address();
    args.end();
    context.useL2Gas(DEPOSIT_L2_GAS);
    requireRunning(context);
    requireRelayer(context, relayers);
    if (!isCommitment(commitment)) throw new Revert('invalid commitment');
    if (isKnownCommitment(context, commitment)) throw new Revert('commitment exists');

    const leafIndex = insertLeaf(context, commitment);
    rememberCommitment(context, commitment);
    context.set(UNDEPLOYED, context.get(UNDEPLOYED) + 1n);
    context.call(token, 'transfer_from', [depositor, context.self, ...u256Felts(denomination)]);
    context.emit(
      [DEPOSIT, ...u256Felts(commitment)],
      [BigInt(leafIndex), BigInt(context.block.timestampSeconds)],
    );

    const autoDeploy = context.get(POOL_STORAGE.autoDeployOff) === 0n;
    if (autoDeploy && context.get(UNDEPLOYED) >= AUTO_BATCH_SIZE)
      deployBatch(context, AUTO_BATCH_SIZE, denomination);
    return [];
  };
}

function withdrawFrom(options: ShieldedPoolOptions): Entrypoint {
  const { token, verifyProof, enforceNullifier = true } = options;
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const proofWithHints = args.span();
    args.end();
    requireRunning(context);
    context.useL2Gas(VERIFY_L2_GAS);
    const proof = decodeProof(proofWithHints);
    if (proof === undefined || !verifyProof(proof)) throw new Revert('invalid proof');
    context.useL2Gas(PAY_OUT_L2_GAS);

    const [root, nullifierHash, recipient, relayer, fee, batchStart, batchSize] =
      proof.publicInputs;
    if (!isKnownRoot(context, root)) throw new Revert('unknown root');
    if (enforceNullifier && isSpent(context, nullifierHash)) throw new Revert('already withdrawn');
    const amount = options.denomination + yieldShare(context);
    if (fee > maxFee(amount, options.maxFeeBps)) throw new Revert('fee too high');
    requireDeployedBatch(context, batchStart, batchSize);
    requireAddresses(recipient, relayer);

    takeOneDeposit(context);
    spend(context, nullifierHash);
    context.call(token, 'transfer', [recipient, ...u256Felts(amount - fee)]);
    if (fee > 0n) context.call(token, 'transfer', [relayer, ...u256Felts(fee)]);
    emitWithdrawal(context, proof.publicInputs, amount);
    return [];
  };
}

function emitWithdrawal(
  context: CallContext,
  [, nullifierHash, recipient, relayer, fee]: PublicInputs,
  amount: bigint,
): void {
  context.emit(
    [WITHDRAWAL, ...u256Felts(nullifierHash)],
    [recipient, relayer, ...u256Felts(amount - fee), ...u256Felts(fee)],
  );
}

/** Deploys the oldest `count` waiting deposits as a batch and records the batch's first leaf. */
function deployBatch(context: CallContext, count: number, denomination: bigint): void {
  const undeployed = context.get(UNDEPLOYED);
  if (BigInt(count) > undeployed) throw new Revert('not enough deposits');
  context.useL2Gas(DEPLOY_L2_GAS);
  const size = BigInt(count);
  const start = BigInt(nextLeafIndex(context)) - undeployed;
  const batchId = context.get(BATCHES);
  const amount = u256Felts(size * denomination);
  context.set(BATCHES, batchId + 1n);
  context.set(batchKey(start), size);
  context.set(UNDEPLOYED, undeployed - size);
  context.set(ACTIVE, context.get(ACTIVE) + size);
  // Shares and amount are equal, because there is no share price without a vault.
  context.emit([BATCH_DEPLOYED, batchId], [start, size, ...amount, ...amount]);
}

function batchSizeArgument(
  context: CallContext,
  calldata: readonly bigint[],
  { relayers }: ShieldedPoolOptions,
): number {
  const args = new Arguments(calldata);
  const count = args.u32();
  args.end();
  requireRunning(context);
  requireRelayer(context, relayers);
  return count;
}

function requireRunning(context: CallContext): void {
  if (context.get(POOL_STORAGE.paused) !== 0n) throw new Revert('paused');
}

function requireRelayer(context: CallContext, relayers: readonly bigint[]): void {
  if (!relayers.includes(context.caller)) throw new Revert('Not owner');
}

/** Reverts unless the batch was deployed. A leaf without a deposit is in no batch. */
function requireDeployedBatch(context: CallContext, start: bigint, size: bigint): void {
  if (size === 0n || start + size > BigInt(nextLeafIndex(context))) throw new Revert('empty leaf');
  if (context.get(batchKey(start)) !== size) throw new Revert('unknown batch');
}

/** Returns the yield of one active deposit, in the token's smallest unit. */
function yieldShare(context: CallContext): bigint {
  const active = context.get(ACTIVE);
  return active === 0n ? 0n : context.get(POOL_STORAGE.accrued) / active;
}

function takeOneDeposit(context: CallContext): void {
  const active = context.get(ACTIVE);
  // This can happen only in a pool that pays spent notes again.
  if (active === 0n) throw new Revert('no active deposit');
  context.set(POOL_STORAGE.accrued, context.get(POOL_STORAGE.accrued) - yieldShare(context));
  context.set(ACTIVE, active - 1n);
}

function batchKey(start: bigint): string {
  return `batch_size_at:${start}`;
}
