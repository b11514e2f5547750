import { toFelt, type Felt } from '@sotto/kernel';
import type { ExecutionStatus } from '@sotto/submission-core';
import type { Random } from '../random.js';
import { hashOf, type Tx } from './transaction.js';

export interface Account {
  readonly nonce: bigint;
  readonly balanceFri: bigint;
}

export interface Inclusion {
  readonly tx: Tx;
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
  readonly feeFri: bigint;
}

/** State after a block, or in the middle of the one that is being built. */
interface State {
  readonly accounts: Map<Felt, Account>;
  /** Keys that were paid by the contract with nullifiers. */
  readonly spent: Set<number>;
}

export interface Block extends State {
  readonly number: number;
  readonly hash: Felt;
  readonly timestampMs: number;
  readonly l2PriceFri: bigint;
  readonly inclusions: readonly Inclusion[];
}

/** A contract that pays a key once, and one that pays it as often as it is asked to. */
export const CONTRACTS = { withNullifiers: toFelt('0x501'), plain: toFelt('0x502') } as const;
export const FLOOR_FRI = 8_000_000_000n;
const FEE_FRI = 10n ** 15n;

export interface ChainOptions {
  readonly accounts: readonly Felt[];
  readonly balanceFri: bigint;
  readonly random: Random;
  readonly nowMs: () => number;
}

/**
 * The accepted chain with the block that is being built on it, by the rules of the network: nonces,
 * fees, nullifiers, rollbacks down to L1.
 */
export class Chain {
  /**
   * Blocks accepted on L2. After a rollback this is another array: a reader that lags keeps the one
   * it had.
   */
  blocks: Block[];
  /** Everything up to here is on L1. */
  l1Height = 0;
  l2PriceFri = FLOOR_FRI;
  /** The block that is being built: what PRE_CONFIRMED shows. */
  #building: (State & { inclusions: Inclusion[] }) | null = null;
  /** Accounts whose transactions do not validate now. */
  readonly broken = new Map<Felt, 'WRONG_KEY' | 'NOT_DEPLOYED'>();
  /** Calls that revert whenever they are executed, by key. */
  readonly reverting = new Set<number>();
  /** Blocks that were undone, newest last. */
  readonly undone: Block[] = [];
  #forks = 0;

  constructor(private readonly options: ChainOptions) {
    const { accounts, balanceFri } = options;
    const state = {
      accounts: new Map(accounts.map((address) => [address, { nonce: 0n, balanceFri }])),
      spent: new Set<number>(),
    };
    this.blocks = [
      {
        ...state,
        number: 0,
        hash: hashOf('genesis'),
        timestampMs: options.nowMs(),
        l2PriceFri: FLOOR_FRI,
        inclusions: [],
      },
    ];
  }

  get head(): Block {
    const head = this.blocks.at(-1);
    if (head === undefined) throw new Error('a chain has a first block');
    return head;
  }

  get preConfirmed(): readonly Inclusion[] {
    return this.#building?.inclusions ?? [];
  }

  /** As the sequencer sees it: with what is pre-confirmed. */
  account(address: Felt): Account {
    return (this.#building ?? this.head).accounts.get(address) ?? { nonce: 0n, balanceFri: 0n };
  }

  /** Executes a transaction into the block that is being built; why not, when it can't be. */
  execute(tx: Tx): Inclusion | 'nonce' | 'price' | 'invalid' | 'funds' {
    const { nonce, balanceFri } = this.account(tx.account);
    if (tx.nonce !== nonce) return 'nonce';
    if (tx.l2PriceFri < this.l2PriceFri) return 'price';
    if (this.broken.has(tx.account) && !tx.isForeign) return 'invalid';
    if (balanceFri < FEE_FRI) return 'funds';
    const building = this.#open();
    const revertReason = this.#revertOf(tx, building);
    building.accounts.set(tx.account, { nonce: nonce + 1n, balanceFri: balanceFri - FEE_FRI });
    if (tx.call !== null && revertReason === null && tx.call.to === CONTRACTS.withNullifiers)
      building.spent.add(tx.call.key);
    const inclusion: Inclusion = {
      tx,
      execution: revertReason === null ? 'SUCCEEDED' : 'REVERTED',
      revertReason,
      feeFri: FEE_FRI,
    };
    building.inclusions.push(inclusion);
    return inclusion;
  }

  /** What was pre-confirmed becomes a block at ACCEPTED_ON_L2. */
  close(): Block {
    const { accounts, spent, inclusions } = this.#open();
    this.#building = null;
    const number = this.blocks.length;
    const block: Block = {
      accounts,
      spent,
      inclusions,
      number,
      hash: hashOf(`block|${number}|${this.#forks}`),
      timestampMs: this.options.nowMs(),
      l2PriceFri: this.l2PriceFri,
    };
    this.blocks.push(block);
    return block;
  }

  /** The pre-confirmed block vanishes; what was in it is returned. */
  dropPreConfirmed(): readonly Inclusion[] {
    const { preConfirmed } = this;
    this.#building = null;
    return preConfirmed;
  }

  /**
   * Undoes the newest blocks. Returns what was in them; null when there was none to undo.
   * @param isL1Undone blocks that are on L1 are undone too
   */
  rollBack(depth: number, isL1Undone = false): readonly Inclusion[] | null {
    const height = Math.max(isL1Undone ? 0 : this.l1Height, this.head.number - depth);
    this.l1Height = Math.min(this.l1Height, height);
    const gone = this.blocks.slice(height + 1);
    if (gone.length === 0) return null;
    const dropped = this.dropPreConfirmed();
    this.#forks += 1;
    this.blocks = this.blocks.slice(0, height + 1);
    this.undone.push(...gone);
    return [...gone.flatMap(({ inclusions }) => inclusions), ...dropped];
  }

  /** Everything that is `ageMs` old is on L1 now. */
  provenUpTo(beforeMs: number): void {
    for (
      let next = this.blocks[this.l1Height + 1];
      next !== undefined && next.timestampMs <= beforeMs;
      next = this.blocks[this.l1Height + 1]
    ) {
      this.l1Height += 1;
    }
  }

  /** Money comes to the account; it is there from the block that is being built on. */
  fund(address: Felt, balanceFri: bigint): void {
    const { accounts } = this.#open();
    accounts.set(address, { nonce: accounts.get(address)?.nonce ?? 0n, balanceFri });
  }

  #open(): State & { inclusions: Inclusion[] } {
    const { accounts, spent } = this.head;
    this.#building ??= { accounts: new Map(accounts), spent: new Set(spent), inclusions: [] };
    return this.#building;
  }

  #revertOf({ call }: Tx, { spent }: State): string | null {
    if (call === null) return null;
    if (call.to === CONTRACTS.withNullifiers && spent.has(call.key)) return 'already withdrawn';
    if (this.reverting.has(call.key) && this.options.random.chance(0.5))
      return 'reverts of its own';
    return null;
  }
}
