import type { BtcPriceObservation, BtcPriceSource } from '../ports/btc-price-source.port.js';
import type { Felt } from '@sotto/kernel';
import type { LendingPool } from '../ports/lending-pool-reader.port.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Base of the fakes. A test can make them fail or hang; they count their reads. */
export abstract class ScriptedSource {
  #error: Error | null = null;
  #silent = false;
  #waiting: (() => void)[] = [];
  #reads = 0;

  /** Number of reads. */
  get reads(): number {
    return this.#reads;
  }

  /** Makes every read reject with this error; null ends that. */
  fail(error: Error | null = new FakeUpstreamDown('it is down')): void {
    this.#error = error;
  }

  /** Makes reads hang until {@link answer}. */
  silence(): void {
    this.#silent = true;
  }

  /** Ends a silence: waiting reads continue. */
  answer(): void {
    this.#silent = false;
    for (const goOn of this.#waiting) goOn();
    this.#waiting = [];
  }

  /** Counts a read and fails or hangs as the test requires. */
  protected async read<T>(value: () => T): Promise<T> {
    this.#reads += 1;
    if (this.#silent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#error !== null) throw this.#error;
    return value();
  }
}

/** A price that changes only on a test's call. */
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

/** A programme whose rates a test sets; every other pool has none. */
export class FixedRewards extends ScriptedSource implements RewardProgramme {
  readonly #rates = new Map<Felt, bigint | null>();

  /** @param aprE18 null if no programme is configured */
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
