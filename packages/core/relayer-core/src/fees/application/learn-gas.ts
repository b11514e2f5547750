import type { Clock, Felt } from '@sotto/kernel';
import type { GasUsed } from '../domain/fee.js';
import {
  LEARNT_OPERATIONS,
  learntFrom,
  type GasUse,
  type LearntGas,
  type LearntOperation,
} from '../domain/gas-use.js';
import type { GasBook } from '../ports/gas-book.port.js';
import type { GasReceipts } from '../ports/gas-receipts.port.js';

/** What is believed of an operation's gas, and since when. */
export interface KnownGas extends LearntGas {
  /** Since the newest receipt, in milliseconds. */
  readonly ageMs: number;
}

/** Receipts of one round: they make one request. */
const RECEIPTS_PER_ROUND = 20;

/**
 * Learns from receipts what withdrawals and swaps really use, so that fees need not be made from a
 * belief.
 */
export class LearnGas {
  #learnt: ReadonlyMap<string, LearntGas> = new Map();

  constructor(
    private readonly book: GasBook,
    private readonly receipts: GasReceipts,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the receipts that the book lacks, then all that the book has: other instances learn too.
   * Rejects with a `DomainError` when store or node can't answer; what was learnt before stands
   * then.
   */
  async execute(): Promise<void> {
    const unread = await this.book.unread(RECEIPTS_PER_ROUND);
    const read = await Promise.all(
      unread.map(async (relay) => ({
        relay,
        gas: await this.receipts.gasOf(relay.transactionHash),
      })),
    );
    const uses = read.flatMap(({ relay, gas }) =>
      gas === null ? [] : [{ ...relay, l2Gas: gas.l2Gas, l1DataGas: gas.l1DataGas }],
    );
    if (uses.length > 0) await this.book.add(uses);
    this.#learnt = figuresOf(await this.book.uses());
  }

  /**
   * What receipts of the pool's operation say; null before the first one.
   * @param pool null: the pool whose operation uses most
   */
  learnt(pool: Felt | null, operation: LearntOperation): KnownGas | null {
    const gas =
      pool === null
        ? this.#dearest(operation)
        : (this.#learnt.get(nameOf(pool, operation)) ?? null);
    return gas === null
      ? null
      : { ...gas, ageMs: Math.max(0, this.clock.nowMs() - gas.newestAtMs) };
  }

  /** The same as what one transaction uses; undefined before the first receipt. */
  figureOf(pool: Felt | null, operation: LearntOperation): GasUsed | undefined {
    const gas = this.learnt(pool, operation);
    return gas === null ? undefined : { l2Gas: gas.l2Gas, l1Gas: 0n, l1DataGas: gas.l1DataGas };
  }

  #dearest(operation: LearntOperation): LearntGas | null {
    const all = [...this.#learnt].flatMap(([name, gas]) =>
      name.endsWith(`|${operation}`) ? [gas] : [],
    );
    return all.toSorted((a, b) => (a.l2Gas < b.l2Gas ? 1 : -1))[0] ?? null;
  }
}

const nameOf = (pool: Felt, operation: LearntOperation): string => `${pool}|${operation}`;

function figuresOf(uses: readonly GasUse[]): ReadonlyMap<string, LearntGas> {
  const figures = new Map<string, LearntGas>();
  for (const pool of new Set(uses.map((use) => use.pool))) {
    for (const operation of LEARNT_OPERATIONS) {
      const gas = learntFrom(
        uses.filter((use) => use.pool === pool && use.operation === operation),
      );
      if (gas !== null) figures.set(nameOf(pool, operation), gas);
    }
  }
  return figures;
}
