import { WalletError } from '../errors.js';
import { SCALAR_FIELD, toHex } from '../fields.js';
import type { ChainEvent } from '../node/node-reader.js';
import { MerkleTree, TREE_CAPACITY } from './merkle-tree.js';
import type { Batch, Payment, PoolView } from './pool-view.js';

/** Value of a leaf: ERC-20 token and amount of its deposit, in the token's smallest unit. */
export interface LeafValue {
  /** Address of the ERC-20 token as 0x hex; undefined if the pool was opened without its token. */
  readonly token: string | undefined;
  readonly amount: bigint;
}

/** Transaction that spent a note, and its recipient. */
interface Spending {
  readonly transactionHash: string;
  readonly recipient: bigint;
  /** Undefined if the event has no valid amounts. */
  readonly payment: Payment | undefined;
}

/** State of a pool, computed from its events. */
export interface PoolState {
  /** Commitments by leaf index. */
  readonly leaves: readonly bigint[];
  readonly leafIndices: ReadonlyMap<bigint, number>;
  /**
   * Times of the deposits by leaf index, as Unix time in ms; undefined where an event has no valid
   * time.
   */
  readonly timesMs: readonly (number | undefined)[];
  /** Hashes of the deposits' transactions by leaf index, as 0x hex. */
  readonly depositHashes: readonly string[];
  readonly tree: MerkleTree;
  /** Values by leaf index; empty for a shielded pool. */
  readonly values: readonly LeafValue[];
  /** Batches, oldest first. Each leaf whose batch was deployed is in exactly one of them. */
  readonly batches: readonly Batch[];
  readonly deployedLeaves: number;
  readonly withdrawals: number;
  /** Spending transactions by nullifier hash. */
  readonly spendings: ReadonlyMap<bigint, Spending>;
}

/** Names of the contract events that change a pool, by kind of pool. */
export const POOL_EVENTS: Readonly<Record<PoolView['kind'], readonly string[]>> = {
  shielded: ['Deposit', 'BatchDeployed', 'Withdrawal'],
  swap: ['SwapDeposit', 'SwapWithdraw'],
};

/** Maximum number of events of a pool with {@link TREE_CAPACITY} leaves. */
export const MAX_POOL_EVENTS = 3 * TREE_CAPACITY;

const HALF = 1n << 128n;

/**
 * Computes a pool's state from its events:
 * - `Deposit { #[key] commitment: u256, leaf_index: u32, timestamp: u64 }`
 * - `BatchDeployed { #[key] batch_id: u32, start_index: u32, size: u32, … }`
 * - `Withdrawal { #[key] nullifier_hash: u256, recipient, relayer, payout: u256, fee: u256 }`
 * - `SwapDeposit { #[key] commitment: u256, leaf_index: u32, output_token, output_amount: u256,
 *   timestamp: u64 }`
 * - `SwapWithdraw { #[key] nullifier_hash: u256, recipient, output_token, payout: u256,
 *   fee: u256 }`
 * @param before earlier state of the pool; its tree is reused if the new state's leaves begin with
 *   the earlier leaves
 * @throws WalletError EVENTS_INCOMPLETE if a leaf is missing or batches overlap;
 *   NODE_MALFORMED_ANSWER for an event that the contract does not emit
 */
export function poolStateOf(events: readonly ChainEvent[], before?: PoolState): PoolState {
  const named = (...names: readonly string[]) => events.filter(({ name }) => names.includes(name));
  const deposits = named('Deposit', 'SwapDeposit');
  if (deposits.length > TREE_CAPACITY) throw malformedEvent();
  const leaves = inOrder(deposits.map(({ keys, data }) => [u32(data[0]), commitmentOf(keys)]));
  const values = inOrder(
    named('SwapDeposit').map(({ data: [leafIndex, token, low, high] }) => [
      u32(leafIndex),
      { token: toHex(known(token)), amount: u256Of([low, high]) },
    ]),
  );
  const withdrawals = named('Withdrawal', 'SwapWithdraw');
  const batches =
    values.length > 0
      ? values.map((_, start) => ({ start, size: 1 }))
      : batchesOf(named('BatchDeployed'), leaves.length);
  return {
    leaves,
    leafIndices: new Map(leaves.map((leaf, index) => [leaf, index])),
    timesMs: inOrder(
      deposits.map(({ name, data }) => [u32(data[0]), { ms: timeMs(name, data) }]),
    ).map(({ ms }) => ms),
    depositHashes: inOrder(
      deposits.map(({ data, transactionHash }) => [u32(data[0]), transactionHash]),
    ),
    tree: treeOf(leaves, before),
    values,
    batches,
    deployedLeaves: batches.reduce((sum, { size }) => sum + size, 0),
    withdrawals: withdrawals.length,
    spendings: new Map(
      withdrawals.map(({ keys, data, transactionHash }) => [
        u256Of(keys),
        { transactionHash, recipient: known(data[0]), payment: paymentIn(data) },
      ]),
    ),
  };
}

/**
 * Joins the two felts of a u256, of which the low half is first. @throws WalletError
 * NODE_MALFORMED_ANSWER
 */
export function u256Of([low, high]: readonly (bigint | undefined)[]): bigint {
  if (known(low) >= HALF || known(high) >= HALF) throw malformedEvent();
  return known(low) + known(high) * HALF;
}

/** Returns undefined for an event of another layout, whose recipient may still be known. */
function paymentIn([, , ...amounts]: readonly bigint[]): Payment | undefined {
  if (amounts.length !== 4 || amounts.some((half) => half >= HALF)) return undefined;
  return { amount: u256Of(amounts.slice(0, 2)), fee: u256Of(amounts.slice(2)) };
}

/** Maximum time in seconds, which is still exact in milliseconds. */
const MAX_TIMESTAMP = 1n << 40n;

function timeMs(name: string, data: readonly bigint[]): number | undefined {
  const timestamp = name === 'SwapDeposit' ? data[4] : data[1];
  return timestamp === undefined || timestamp > MAX_TIMESTAMP
    ? undefined
    : Number(timestamp) * 1_000;
}

/** @throws WalletError NODE_MALFORMED_ANSWER */
export function u32(felt: bigint | undefined): number {
  if (known(felt) >= 1n << 32n) throw malformedEvent();
  return Number(felt);
}

/** @throws WalletError EVENTS_INCOMPLETE if an index is missing or has two values */
function inOrder<T>(entries: readonly (readonly [index: number, value: T])[]): readonly T[] {
  const byIndex = new Map(entries);
  return Array.from({ length: entries.length }, (_, index) => {
    const value = byIndex.get(index);
    if (value === undefined)
      throw new WalletError('EVENTS_INCOMPLETE', `the events do not name leaf ${index}`);
    return value;
  });
}

function batchesOf(events: readonly ChainEvent[], leaves: number): readonly Batch[] {
  const batches = events
    .map(({ data: [start, size] }) => ({ start: u32(start), size: u32(size) }))
    .toSorted((a, b) => a.start - b.start);
  let end = 0;
  for (const { start, size } of batches) {
    if (start < end || size < 1 || start + size > leaves)
      throw new WalletError('EVENTS_INCOMPLETE', 'the events name batches of missing leaves');
    end = start + size;
  }
  return batches;
}

function treeOf(leaves: readonly bigint[], before: PoolState | undefined): MerkleTree {
  const isGrown = before?.leaves.every((leaf, index) => leaf === leaves[index]) ?? false;
  if (before === undefined || !isGrown) return MerkleTree.of(leaves);
  return before.tree.followedBy(leaves.slice(before.leaves.length));
}

function commitmentOf(keys: readonly bigint[]): bigint {
  const commitment = u256Of(keys);
  if (commitment === 0n || commitment >= SCALAR_FIELD) throw malformedEvent();
  return commitment;
}

function known(felt: bigint | undefined): bigint {
  if (felt === undefined) throw malformedEvent();
  return felt;
}

function malformedEvent(): WalletError {
  return new WalletError(
    'NODE_MALFORMED_ANSWER',
    "the node shows something else than the pool's contract emits and returns",
  );
}
