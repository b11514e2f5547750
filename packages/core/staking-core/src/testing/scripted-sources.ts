import type { BtcPriceObservation, BtcPriceSource } from '../ports/btc-price-source.port.js';
import type { Felt } from '@sotto/kernel';
import type { LendingPool } from '../ports/lending-pool-reader.port.js';
import type { RewardProgramme } from '../ports/reward-programme.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/**
 * What the fakes have in common: they fail or stay silent when a test says so, and count how often
 * they were asked.
 */
export abstract class ScriptedSource {
  #error: Error | null = null;
  #silent = false;
  #waiting: (() => void)[] = [];
  #reads = 0;

  /** How often it was asked. */
  get reads(): number {
    return this.#reads;
  }

  /** Every read rejects with it until null is given. */
  fail(error: Error | null = new FakeUpstreamDown('it is down')): void {
    this.#error = error;
  }

  /** Reads do not end until {@link answer}. */
  silence(): void {
    this.#silent = true;
  }

  /** Ends a silence: reads that wait go on. */
  answer(): void {
    this.#silent = false;
    for (const goOn of this.#waiting) goOn();
    this.#waiting = [];
  }

  /** A read as the test wants it. */
  protected async read<T>(value: () => T): Promise<T> {
    this.#reads += 1;
    if (this.#silent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#error !== null) throw this.#error;
    return value();
  }
}

/** A price that stays what a test says. */
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

  /** @param aprE18 null where no programme is asked */
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
