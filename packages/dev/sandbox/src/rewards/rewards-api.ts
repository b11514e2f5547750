import type { SandboxLendingPool, SandboxToken } from '../contracts/world.js';
import { FaultQueue } from '../http/fault-queue.js';
import type { RewardsFault, RewardsFaultOrder } from './faults.js';

/** A number as the interface writes it: an integer and how many of its digits are decimals. */
export interface RewardRate {
  readonly value: bigint;
  readonly decimals: number;
}

/** The lending pools that the programme pays for at the start. */
export type RewardedPools = Readonly<Record<'prime' | 'partner_xbtc', SandboxLendingPool>>;

/**
 * The lending protocol's HTTP interface, as far as it reports what the BTCFi programme pays, and
 * the controls for tests.
 */
export class RewardsApi {
  readonly #pools: readonly SandboxLendingPool[];
  readonly #rates: Map<bigint, RewardRate | null>;
  readonly #faults = new FaultQueue<RewardsFaultOrder>();
  #requests = 0;

  constructor(
    /** What the pools lend. */
    readonly asset: SandboxToken,
    { prime, partner_xbtc: partner }: RewardedPools,
  ) {
    this.#pools = [prime, partner];
    this.#rates = new Map([
      [prime.address, { value: 12n * 10n ** 15n, decimals: 18 }],
      [partner.address, { value: 45n * 10n ** 15n, decimals: 18 }],
    ]);
  }

  // --- what it says ---

  /**
   * Sets what the programme pays suppliers of a pool; null for no programme.
   * @throws RangeError for an unknown pool
   */
  setBtcFiApr(pool: bigint, rate: RewardRate | null): void {
    if (this.poolAt(pool) === undefined) throw new RangeError('there is no such lending pool');
    this.#rates.set(pool, rate);
  }

  // --- what goes wrong ---

  /** Queues a fault for the next requests. */
  addFault(order: RewardsFaultOrder): void {
    this.#faults.add(order);
  }

  /** Forgets the faults that have not struck yet. */
  clearFaults(): void {
    this.#faults.clear();
  }

  // --- what happened ---

  /** How many requests there were so far, whatever became of them. */
  requests(): number {
    return this.#requests;
  }

  // --- for the server ---

  /** Counts a request; the fault that strikes it, undefined for none. */
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
