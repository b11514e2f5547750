import type { TestRunner } from '@sotto/kernel/testing';
import type { Clock } from '@sotto/kernel';
import { decide } from '../domain/decide.js';
import type { SubmissionCommand } from '../domain/events.js';
import type { Decision, MachineState, RowChanges } from '../domain/machine-state.js';
import type { Ledger } from '../ports/ledger.port.js';
import { LedgerDriver } from './ledger-driver.js';

export interface LedgerContractOptions {
  /** Clock of the store. */
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Decision function that the store uses. */
  readonly decide: (event: SubmissionCommand, view: MachineState) => Decision;
}

export interface LedgerHarness {
  /** Ledger without rows. */
  readonly ledger: Ledger;
  /** Marks the ledger as a possible copy, like a store does when it is opened from a copy. */
  markPossibleCopy?(sinceMs: number): Promise<void>;
  stop(): Promise<void>;
}

export type StartLedger = (options: LedgerContractOptions) => Promise<LedgerHarness>;

const OPENED_AT_MS = 5_000;

/**
 * Provides an empty ledger for each test, with a leased lane and a stopped clock. The ledger uses
 * the machine's decisions until a test replaces them.
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
    if (this.#driver === null) throw new Error('the stage exists only while a test runs');
    return this.#driver;
  }

  get ledger(): Ledger {
    return this.driver.ledger;
  }

  /**
   * Time that the store must report, in ms: the wall time at which the store was opened, plus the
   * time that has passed since.
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

  /** Changes the machine's wall clock while the store is open, although no time passes. */
  stepWallClock(ms: number): void {
    this.#steppedMs += ms;
  }

  /** Makes every following command write these rows, even if they are invalid. */
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
