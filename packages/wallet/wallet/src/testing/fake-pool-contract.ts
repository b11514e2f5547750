import { MerkleTree } from '../pools/merkle-tree.js';
import type { ChainEvent } from '../node/node-reader.js';
import { FIRST_TIMESTAMP, type EmittedEvent, type FakeNode } from './fake-node.js';

const HALF = 1n << 128n;
const halves = (value: bigint): [bigint, bigint] => [value % HALF, value / HALF];

const u256 = ([low = 0n, high = 0n]: readonly bigint[]): bigint => low + high * HALF;
const named = (events: readonly ChainEvent[], ...names: readonly string[]) =>
  events.filter(({ name }) => names.includes(name));
const nextIndex = (events: readonly ChainEvent[]): bigint =>
  BigInt(named(events, 'Deposit', 'SwapDeposit').length);
const lastRoot = (events: readonly ChainEvent[]): bigint =>
  MerkleTree.of(named(events, 'Deposit', 'SwapDeposit').map(({ keys }) => u256(keys))).root;
const deployed = (events: readonly ChainEvent[]): bigint =>
  named(events, 'BatchDeployed').reduce((sum, { data: [, size = 0n] }) => sum + size, 0n);
const withdrawn = (events: readonly ChainEvent[]): bigint =>
  BigInt(named(events, 'Withdrawal', 'SwapWithdraw').length);

/**
 * Fake shielded pool: its events and its view functions. {@link FakeNode.mine} puts the events on
 * chain.
 */
export class FakePoolContract {
  #leaves = 0;
  #deployed = 0;
  #batches = 0;

  constructor(
    node: FakeNode,
    /** Pool address as 0x hex. */
    readonly address: string,
    readonly denomination = 20_000n,
  ) {
    node.deploy(address, {
      denomination: () => halves(denomination),
      get_next_index: (events) => [nextIndex(events)],
      get_last_root: (events) => halves(lastRoot(events)),
      undeployed_count: (events) => [nextIndex(events) - deployed(events)],
      active_deposits: (events) => [deployed(events) - withdrawn(events)],
    });
  }

  deposit(commitment: bigint): EmittedEvent {
    const leafIndex = BigInt(this.#leaves);
    this.#leaves += 1;
    return this.#event('Deposit', halves(commitment), [leafIndex, BigInt(FIRST_TIMESTAMP)]);
  }

  /** Deploys the oldest waiting leaves as a batch of this size. */
  deployBatch(size: number): EmittedEvent {
    const amount = halves(BigInt(size) * this.denomination);
    const start = BigInt(this.#deployed);
    this.#deployed += size;
    this.#batches += 1;
    return this.#event(
      'BatchDeployed',
      [BigInt(this.#batches - 1)],
      [start, BigInt(size), ...amount, ...amount],
    );
  }

  withdraw(nullifierHash: bigint): EmittedEvent {
    const paid = [...halves(this.denomination - 1n), ...halves(1n)];
    return this.#event('Withdrawal', halves(nullifierHash), [0xa11cen, 0xbe1a7n, ...paid]);
  }

  /** Removes this number of the last leaves, as a rollback of their blocks does. */
  forget(leaves: number): void {
    this.#leaves -= leaves;
  }

  #event(name: string, keys: readonly bigint[], data: readonly bigint[]): EmittedEvent {
    return { contract: this.address, name, keys, data };
  }
}

/** Fake swap pool: its events and its view functions. */
export class FakeSwapPoolContract {
  #leaves = 0;

  constructor(
    node: FakeNode,
    /** Pool address as 0x hex. */
    readonly address: string,
  ) {
    node.deploy(address, {
      get_next_index: (events) => [nextIndex(events)],
      get_last_root: (events) => halves(lastRoot(events)),
      active_deposits: (events) => [nextIndex(events) - withdrawn(events)],
    });
  }

  swap(commitment: bigint, token: bigint, amount: bigint): EmittedEvent {
    const leafIndex = BigInt(this.#leaves);
    this.#leaves += 1;
    const data = [leafIndex, token, ...halves(amount), BigInt(FIRST_TIMESTAMP)];
    return { contract: this.address, name: 'SwapDeposit', keys: halves(commitment), data };
  }

  withdraw(nullifierHash: bigint, token: bigint, amount: bigint): EmittedEvent {
    const data = [0xa11cen, token, ...halves(amount - 1n), ...halves(1n)];
    return { contract: this.address, name: 'SwapWithdraw', keys: halves(nullifierHash), data };
  }
}
