import type { SandboxLendingPool, SandboxToken } from '../contracts/world.js';
import { FaultQueue } from '../http/fault-queue.js';
import type { RewardsFault, RewardsFaultOrder } from './faults.js';

/** Number in the format of the interface: an integer and its number of decimals. */
export interface RewardRate {
  readonly value: bigint;
  readonly decimals: number;
}

/** Lending pools that initially have rewards of the programme. */
export type RewardedPools = Readonly<Record<'prime' | 'partner_xbtc', SandboxLendingPool>>;

/**
 * Rewards interface: the endpoints of the lending protocol that report the rewards of the BTCFi
 * programme, with control methods for tests.
 */
export class RewardsApi {
  readonly #pools: readonly SandboxLendingPool[];
  readonly #rates: Map<bigint, RewardRate | null>;
  readonly #faults = new FaultQueue<RewardsFaultOrder>();
  #requests = 0;

  constructor(
    /** Asset that the pools lend. */
    readonly asset: SandboxToken,
    { prime, partner_xbtc: partner }: RewardedPools,
  ) {
    this.#pools = [prime, partner];
    this.#rates = new Map([
      [prime.address, { value: 12n * 10n ** 15n, decimals: 18 }],
      [partner.address, { value: 45n * 10n ** 15n, decimals: 18 }],
    ]);
  }

  // --- rates ---

  /**
   * Sets the programme's rate for lenders of a pool. Null removes the pool from the programme.
   * @throws RangeError if the pool is unknown
   */
  setBtcFiApr(pool: bigint, rate: RewardRate | null): void {
    if (this.poolAt(pool) === undefined) throw new RangeError('there is no such lending pool');
    this.#rates.set(pool, rate);
  }

  // --- faults ---

  /** Queues a fault for the next requests. */
  addFault(order: RewardsFaultOrder): void {
    this.#faults.add(order);
  }

  /** Removes queued faults. */
  clearFaults(): void {
    this.#faults.clear();
  }

  // --- records ---

  /** Returns the number of requests, including failed ones. */
  requests(): number {
    return this.#requests;
  }

  // --- for the server ---

  /**
   * Counts a request and returns the fault that applies to the request; undefined if no fault is
   * queued.
   */
  take(): RewardsFault | undefined {
    this.#requests += 1;
    return this.#faults.take(() => true)?.fault;
  }

  pools(): readonly SandboxLendingPool[] {
    return this.#pools;
  }

  poolAt(address: bigint): SandboxLendingPool | undefined {
    return this.#pools.find((pool) => pool.address === address);
  }

  rateOf({ address }: SandboxLendingPool): RewardRate | null {
    return this.#rates.get(address) ?? null;
  }
}
