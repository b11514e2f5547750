import { afterEach, beforeEach } from '@jest/globals';
import type { Clock } from '@sotto/kernel';
import { decide } from '../domain/decide.js';
import type { SubmissionEvent } from '../domain/events.js';
import type { Decision, View, Writes } from '../domain/view.js';
import type { Ledger } from '../ports/ledger.port.js';
import { LedgerDriver } from './ledger-driver.js';

export interface LedgerContractOptions {
  /** What the store takes for its own time. */
  readonly clock: Pick<Clock, 'nowMs'>;
  /** What it asks for decisions. */
  readonly decide: (event: SubmissionEvent, view: View) => Decision;
}

export interface LedgerHarness {
  /** Empty. */
  readonly ledger: Ledger;
  stop(): Promise<void>;
}

export type StartLedger = (options: LedgerContractOptions) => Promise<LedgerHarness>;

/** An empty ledger for each test, with a leased lane, a clock that stands still and the machine until it is replaced. */
export class LedgerStage {
  readonly #start: StartLedger;
  #harness: LedgerHarness | null = null;
  #driver: LedgerDriver | null = null;
  #decide: LedgerContractOptions['decide'] = decide;
  nowMs = 5_000;

  private constructor(start: StartLedger) {
    this.#start = start;
  }

  static forEachTest(start: StartLedger): LedgerStage {
    const stage = new LedgerStage(start);
    beforeEach(() => stage.#raise());
    afterEach(() => stage.#strike());
    return stage;
  }

  get driver(): LedgerDriver {
    if (this.#driver === null) throw new Error('the stage stands only while a test runs');
    return this.#driver;
  }

  get ledger(): Ledger {
    return this.driver.ledger;
  }

  /** From now on every event writes this, wrong as it may be. */
  decideToWrite(writes: Writes): void {
    this.#decide = () => ({ written: true, writes });
  }

  decideByTheMachine(): void {
    this.#decide = decide;
  }

  async #raise(): Promise<void> {
    this.decideByTheMachine();
    this.nowMs = 5_000;
    this.#harness = await this.#start({ clock: { nowMs: () => this.nowMs }, decide: (event, view) => this.#decide(event, view) });
    this.#driver = new LedgerDriver(this.#harness.ledger);
    await this.#driver.lease();
  }

  async #strike(): Promise<void> {
    await this.#harness?.stop();
    this.#harness = null;
    this.#driver = null;
  }
}
