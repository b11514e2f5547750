import type { TestRunner } from '@sotto/kernel/testing';
import type { Clock } from '@sotto/kernel';
import { decide } from '../domain/decide.js';
import type { SubmissionCommand } from '../domain/events.js';
import type { Decision, MachineState, RowChanges } from '../domain/machine-state.js';
import type { Ledger } from '../ports/ledger.port.js';
import { LedgerDriver } from './ledger-driver.js';

export interface LedgerContractOptions {
  /** What the store takes for its own time. */
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** What it asks for decisions. */
  readonly decide: (event: SubmissionCommand, view: MachineState) => Decision;
}

export interface LedgerHarness {
  /** Empty. */
  readonly ledger: Ledger;
  /** Marks the ledger as a possible copy, as a store does when it opens. */
  markPossibleCopy?(sinceMs: number): Promise<void>;
  stop(): Promise<void>;
}

export type StartLedger = (options: LedgerContractOptions) => Promise<LedgerHarness>;

const OPENED_AT_MS = 5_000;

/**
 * An empty ledger for each test, with a leased lane, a clock that stands still and the machine
 * until it is replaced.
 */
export class LedgerStage {
  readonly #start: StartLedger;
  #harness: LedgerHarness | null = null;
  #driver: LedgerDriver | null = null;
  #decide: LedgerContractOptions['decide'] = decide;
  #passedMs = 0;
  #steppedMs = 0;

  private constructor(start: StartLedger) {
    this.#start = start;
  }

  static forEachTest({ beforeEach, afterEach }: TestRunner, start: StartLedger): LedgerStage {
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

  /**
   * What the store has to take for the time: wall time at its opening, and what has passed since.
   */
  get nowMs(): number {
    return OPENED_AT_MS + this.#passedMs;
  }

  async markPossibleCopy(): Promise<void> {
    if (this.#harness?.markPossibleCopy === undefined) throw new Error('no ledger to mark');
    await this.#harness.markPossibleCopy(this.nowMs);
  }

  pass(ms: number): void {
    this.#passedMs += ms;
  }

  /** The machine's clock is set while the store is open: no time passes. */
  stepWallClock(ms: number): void {
    this.#steppedMs += ms;
  }

  /** From now on every event writes this, wrong as it may be. */
  decideToWrite(writes: RowChanges): void {
    this.#decide = () => ({ applied: true, changes: writes });
  }

  decideByTheMachine(): void {
    this.#decide = decide;
  }

  async #raise(): Promise<void> {
    this.decideByTheMachine();
    this.#passedMs = 0;
    this.#steppedMs = 0;
    const clock = { nowMs: () => this.nowMs + this.#steppedMs, monotonicMs: () => this.#passedMs };
    this.#harness = await this.#start({
      clock,
      decide: (event, view) => this.#decide(event, view),
    });
    this.#driver = new LedgerDriver(this.#harness.ledger);
    await this.#driver.lease();
  }

  async #strike(): Promise<void> {
    await this.#harness?.stop();
    this.#harness = null;
    this.#driver = null;
  }
}
