import type { BtcPriceObservation, BtcPriceSource } from '../ports/btc-price-source.port.js';
import type { Felt } from '@sotto/kernel';
import type { LendingPool } from '../ports/lending-pool-reader.port.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Base class of the fakes. A test can make a fake fail or hang. Each fake counts its reads. */
export abstract class ScriptedSource {
  #error: Error | null = null;
  #silent = false;
  #waiting: (() => void)[] = [];
  #reads = 0;

  /** Number of reads so far. */
  get reads(): number {
    return this.#reads;
  }

  /** Makes every read reject with this error. Null makes later reads succeed again. */
  fail(error: Error | null = new FakeUpstreamDown('it is down')): void {
    this.#error = error;
  }

  /** Makes all reads hang until {@link answer} is called. */
  silence(): void {
    this.#silent = true;
  }

  /** Ends {@link silence}: reads that hang continue. */
  answer(): void {
    this.#silent = false;
    for (const goOn of this.#waiting) goOn();
    this.#waiting = [];
  }

  /**
   * Counts a read and returns the value. If the test has requested it, the read fails or hangs
   * instead.
   */
  protected async read<T>(value: () => T): Promise<T> {
    this.#reads += 1;
    if (this.#silent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#error !== null) throw this.#error;
    return value();
  }
}

/** Price source whose price changes only when a test sets it. */
export class FixedBtcPrice extends ScriptedSource implements BtcPriceSource {
  constructor(private observation: BtcPriceObservation | null = null) {
    super();
  }

  set(observation: BtcPriceObservation | null): void {
    this.observation = observation;
  }

  async btcPrice(): Promise<BtcPriceObservation | null> {
    return this.read(() => this.observation);
  }
}

/** Reward programme whose rates a test sets. Pools without a set rate have no programme. */
export class FixedRewards extends ScriptedSource implements RewardProgramme {
  readonly #rates = new Map<Felt, bigint | null>();

  /** @param aprE18 reward rate; null if no programme is configured for the pool */
  set(pool: Felt, aprE18: bigint | null): void {
    this.#rates.set(pool, aprE18);
  }

  async supplyAprE18({ pool }: LendingPool): Promise<bigint | null> {
    return this.read(() => {
      const rate = this.#rates.get(pool);
      return rate === undefined ? 0n : rate;
    });
  }
}
