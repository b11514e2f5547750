import type { Felt } from '@sotto/kernel';
import type { AccountState } from '../ports/chain.port.js';
import { ChainView, type FakeBlock, type FakeInclusion, type FakeReceipt } from './chain-view.js';
import { hashOf, type FakeTransaction } from './fake-transaction.js';

/** Pre-confirmed block, which is still being built. */
type Building<T> = Pick<FakeBlock<T>, 'accounts'> & {
  readonly inclusions: FakeInclusion<T>[];
};

export interface FakeBlocksOptions {
  /** Name of the chain. Chains with different names have different blocks. */
  readonly name: string;
  /** Accounts that exist in block 0. @default none */
  readonly accounts?: readonly Felt[];
  /** Balance of an account before its first transaction, in fri. */
  readonly balanceFri: bigint;
  readonly l2PriceFri: bigint;
  /**
   * Returns the time of the block with this number, in ms. A block is never older than its parent.
   */
  readonly nowMs: (number: number) => number;
}

/**
 * Chain with accepted blocks and a pre-confirmed block. Applies nonces and fees, and undoes blocks
 * down to the L1 height.
 */
export class FakeBlocks<T extends FakeTransaction = FakeTransaction> extends ChainView<T> {
  /**
   * Accepted blocks. A rollback replaces the array, so a reader that simulates a lagging node can
   * continue to use the old array.
   */
  blocks: FakeBlock<T>[] = [];
  /** Height of the highest block at ACCEPTED_ON_L1. */
  l1Height = 0;
  l2PriceFri: bigint;
  #building: Building<T> | null = null;
  #forks = 0;

  constructor(private readonly options: FakeBlocksOptions) {
    super();
    const { accounts = [], balanceFri, l2PriceFri } = options;
    this.l2PriceFri = l2PriceFri;
    this.#add({
      accounts: new Map(accounts.map((address) => [address, { nonce: 0n, balanceFri }])),
      inclusions: [],
    });
  }

  get head(): FakeBlock<T> {
    const head = this.blocks.at(-1);
    if (head === undefined) throw new Error('a chain has a first block');
    return head;
  }

  get preConfirmed(): readonly FakeInclusion<T>[] {
    return this.#building?.inclusions ?? [];
  }

  /**
   * Returns the account as the sequencer sees it, including the effects of pre-confirmed
   * transactions.
   */
  account(address: Felt): AccountState {
    return (this.#building ?? this.head).accounts.get(address) ?? this.#new();
  }

  /**
   * Returns the state of the account at ACCEPTED_ON_L2, without the effects of pre-confirmed
   * transactions.
   */
  accepted(address: Felt): AccountState {
    return this.head.accounts.get(address) ?? this.#new();
  }

  block(number: number): FakeBlock<T> | undefined {
    return this.blocks[number];
  }

  /** Adds a transaction to the pre-confirmed block. */
  include(tx: T, receipt: FakeReceipt): FakeInclusion<T> {
    const { nonce, balanceFri } = this.account(tx.account);
    const { accounts, inclusions } = this.#open();
    accounts.set(tx.account, { nonce: nonce + 1n, balanceFri: balanceFri - receipt.feeFri });
    const inclusion = { ...receipt, tx };
    inclusions.push(inclusion);
    return inclusion;
  }

  /** Moves the pre-confirmed block to ACCEPTED_ON_L2. */
  close(): FakeBlock<T> {
    const building = this.#open();
    this.#building = null;
    return this.#add(building);
  }

  /** Removes the pre-confirmed block. Returns its transactions. */
  dropPreConfirmed(): readonly FakeInclusion<T>[] {
    const { preConfirmed } = this;
    this.#building = null;
    return preConfirmed;
  }

  /**
   * Undoes the newest blocks. Returns their transactions; null if no block was undone.
   * @param isL1Undone true to undo blocks at ACCEPTED_ON_L1 too
   */
  rollBack(depth: number, isL1Undone = false): readonly FakeInclusion<T>[] | null {
    const height = Math.max(isL1Undone ? 0 : this.l1Height, this.head.number - depth);
    this.l1Height = Math.min(this.l1Height, height);
    const gone = this.blocks.slice(height + 1);
    if (gone.length === 0) return null;
    const dropped = this.dropPreConfirmed();
    this.#forks += 1;
    this.blocks = this.blocks.slice(0, height + 1);
    return [...gone.flatMap(({ inclusions }) => inclusions), ...dropped];
  }

  /** Sets the balance of an account, from the pre-confirmed block on. */
  fund(address: Felt, balanceFri: bigint): void {
    const { nonce } = this.account(address);
    this.#open().accounts.set(address, { nonce, balanceFri });
  }

  #new(): AccountState {
    return { nonce: 0n, balanceFri: this.options.balanceFri };
  }

  #open(): Building<T> {
    this.#building ??= { accounts: new Map(this.head.accounts), inclusions: [] };
    return this.#building;
  }

  #add({ accounts, inclusions }: Building<T>): FakeBlock<T> {
    const number = this.blocks.length;
    const parent = this.blocks.at(-1);
    const text = [
      this.options.name,
      this.#forks,
      number,
      parent?.hash,
      ...inclusions.map(({ tx }) => tx.hash),
    ].join('|');
    const block = {
      number,
      hash: hashOf(text),
      timestampMs: Math.max(this.options.nowMs(number), parent?.timestampMs ?? 0),
      l2PriceFri: this.l2PriceFri,
      inclusions,
      accounts,
    };
    this.blocks.push(block);
    return block;
  }
}
