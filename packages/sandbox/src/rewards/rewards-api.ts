import { sandboxWorld, type SandboxLendingPool } from '../contracts/world.js';
import { FaultQueue } from '../http/fault-queue.js';
import type { RewardsFault, RewardsFaultOrder } from './faults.js';

/** A number as the interface writes it: an integer and how many of its digits are decimals. */
export interface RewardRate {
  readonly value: bigint;
  readonly decimals: number;
}

const POOLS: readonly SandboxLendingPool[] = Object.values(sandboxWorld.lendingPools);

/** The lending protocol's HTTP interface, as far as it tells what the BTCFi programme pays; and the door through which a test leads it. */
export class RewardsApi {
  readonly #rates = new Map<bigint, RewardRate | null>([
    [sandboxWorld.lendingPools.prime.address, { value: 12n * 10n ** 15n, decimals: 18 }],
    [sandboxWorld.lendingPools.partner_xbtc.address, { value: 45n * 10n ** 15n, decimals: 18 }],
  ]);
  readonly #faults = new FaultQueue<RewardsFaultOrder>();
  #requests = 0;

  // --- what it says ---

  /** Sets what the programme pays suppliers of a pool; null for no programme. @throws RangeError for an unknown pool */
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
    return POOLS;
  }

  poolAt(address: bigint): SandboxLendingPool | undefined {
    return POOLS.find((pool) => pool.address === address);
  }

  rateOf({ address }: SandboxLendingPool): RewardRate | null {
    return this.#rates.get(address) ?? null;
  }
}
