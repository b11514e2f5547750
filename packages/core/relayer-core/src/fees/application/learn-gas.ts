import type { Clock, Felt } from '@sotto/kernel';
import type { GasUsed } from '@sotto/submission-core';
import {
  LEARNT_OPERATIONS,
  learntFrom,
  type AssumedGas,
  type GasUse,
  type LearntGas,
  type LearntOperation,
} from '../domain/gas-use.js';
import type { Attributions } from '../../circuit-breaker/application/attributions.js';
import type { GasStore } from '../ports/gas-store.port.js';
import type { GasReceipts } from '../ports/gas-receipts.port.js';

/** Gas of an operation as learnt from receipts, with its age. */
export interface KnownGas extends LearntGas {
  /** Age of the newest receipt, in milliseconds. */
  readonly ageMs: number;
}

/** Maximum number of receipts that one round of the task reads, all in one request. */
const RECEIPTS_PER_ROUND = 20;

/**
 * Learns the gas of withdrawals and swaps from receipts, so that fees need not rely on assumed
 * values. For each of the newest receipts, the network of its caller is stored in memory only.
 */
export class LearnGas {
  #learnt: ReadonlyMap<string, LearntGas> = new Map();
  /** Networks of callers, by the transaction hash of their receipt. */
  #networks: ReadonlyMap<Felt, string> = new Map();

  /** @param assumed gas that the network profile assumes for an operation */
  constructor(
    private readonly store: GasStore,
    private readonly receipts: GasReceipts,
    private readonly callers: Pick<Attributions, 'networkOf'>,
    private readonly clock: Clock,
    private readonly assumed: Readonly<Record<LearntOperation, AssumedGas>>,
  ) {}

  /**
   * Reads receipts that the store lacks. Then reads all entries of the store, to which other
   * instances also add. Rejects with a `DomainError` if store or node is unavailable; in this case
   * the results of earlier calls remain.
   */
  async execute(): Promise<void> {
    const newest = await this.store.newest();
    const named = newest.flatMap(({ id, transactionHash }) => {
      const network = this.callers.networkOf(id);
      return network === null ? [] : ([[transactionHash, network]] as const);
    });
    this.#networks = new Map([...this.#networks, ...named]);
    const unread = newest.filter(({ isKnown }) => !isKnown).slice(0, RECEIPTS_PER_ROUND);
    const read = await Promise.all(
      unread.map(async ({ transactionHash, pool, operation, endedAtMs }) => {
        const gas = await this.receipts.gasOf(transactionHash);
        return gas === null
          ? []
          : [
              {
                transactionHash,
                pool,
                operation,
                endedAtMs,
                l2Gas: gas.l2Gas,
                l1DataGas: gas.l1DataGas,
              },
            ];
      }),
    );
    const added = read.flat();
    if (added.length > 0) await this.store.add(added);
    const uses = await this.store.uses();
    const kept = new Set([...uses, ...newest].map(({ transactionHash }) => transactionHash));
    this.#networks = new Map([...this.#networks].filter(([hash]) => kept.has(hash)));
    this.#learnt = this.#figuresOf(uses);
  }

  /**
   * Returns the gas of the pool's operation as learnt from receipts; null before the first receipt.
   * @param pool null for the pool whose operation uses the most gas
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

  /**
   * Returns the learnt gas in the form of the gas of one transaction; undefined before the first
   * receipt.
   */
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

  #figuresOf(uses: readonly GasUse[]): ReadonlyMap<string, LearntGas> {
    const networkOf = ({ transactionHash }: GasUse): string | null =>
      this.#networks.get(transactionHash) ?? null;
    const figures = new Map<string, LearntGas>();
    for (const pool of new Set(uses.map((use) => use.pool))) {
      for (const operation of LEARNT_OPERATIONS) {
        const own = uses.filter((use) => use.pool === pool && use.operation === operation);
        const gas = learntFrom(own, networkOf, this.assumed[operation]);
        if (gas !== null) figures.set(nameOf(pool, operation), gas);
      }
    }
    return figures;
  }
}

const nameOf = (pool: Felt, operation: LearntOperation): string => `${pool}|${operation}`;
