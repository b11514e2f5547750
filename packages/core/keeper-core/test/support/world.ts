import type { SkipReason, TaskName } from '@sotto/facts';
import { type DomainError, type LogFields, type Logger } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  TaskBudgets,
  TaskCounters,
  TaskRunner,
  skipped,
  type KeeperTask,
  type TaskGate,
  type TaskReport,
  type TaskRunnerPolicy,
  type TaskSettings,
} from '../../src/index.js';
import { InMemoryTaskStore, InMemoryTaskLeases } from '../../src/testing/index.js';

export const LEASE_MS = 60_000;
export const INTERVAL_MS = 15_000;
const GFRI = 1_000_000_000n;
export const PRICE_FRI = 8n * GFRI;

export const SETTINGS: TaskSettings = {
  isOn: true,
  subjects: 'all',
  hourlyBudgetFri: 1_000n * PRICE_FRI,
  dailyBudgetFri: 5_000n * PRICE_FRI,
};

export type Attend = (subject: string, gate: TaskGate, signal: AbortSignal) => Promise<TaskReport>;

/** Task whose checks run a script of the test. */
class ScriptedTask implements KeeperTask {
  name: TaskName = 'curator';
  watchesPaused?: boolean;
  readonly kinds = ['deploy_idle_funds'];
  readonly intervalMs = INTERVAL_MS;
  /** Names of the checked subjects, in the sequence of their checks. */
  readonly seen: string[] = [];
  names: readonly string[] = ['sentinel', 'trident'];
  failure: DomainError | null = null;
  script: Attend = async () => skipped('BELOW_THRESHOLD');

  async subjects(): Promise<readonly string[]> {
    if (this.failure !== null) throw this.failure;
    return this.names;
  }

  async attend(subject: string, gate: TaskGate, signal: AbortSignal): Promise<TaskReport> {
    this.seen.push(subject);
    return this.script(subject, gate, signal);
  }
}

interface Line {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

class RecordingLogger implements Logger {
  readonly lines: Line[] = [];
  readonly debug = this.#at('debug');
  readonly info = this.#at('info');
  readonly warn = this.#at('warn');
  readonly error = this.#at('error');

  #at(level: string): (fields: LogFields, message: string) => void {
    return (fields, message) => void this.lines.push({ level, fields, message });
  }
}

/** Test environment: one store with one clock, and any number of instances. */
export class World {
  readonly clock = new ManualClock();
  readonly leases = new InMemoryTaskLeases(this.clock);
  readonly store = new InMemoryTaskStore(this.clock);
  readonly logger = new RecordingLogger();
  priceFri: () => Promise<bigint> = async () => PRICE_FRI;
  readonly budgets = new TaskBudgets({
    store: this.store,
    l2GasPriceFri: () => this.priceFri(),
    clock: this.clock,
  });

  instance(name: string, changes: Partial<TaskRunnerPolicy> = {}) {
    const task = new ScriptedTask();
    const counters = new TaskCounters();
    const { clock, leases, store, logger, budgets } = this;
    const runner = new TaskRunner(
      { task, counters, clock, leases, store, logger, budgets },
      { ...SETTINGS, instance: name, leaseMs: LEASE_MS, ...changes },
    );
    const run = (signal: AbortSignal = new AbortController().signal): Promise<void> =>
      runner.run(signal);
    return { task, counters, runner, run };
  }

  /** Runs this many checks, one per minute of the clock. */
  async eachMinute(count: number, poll: () => Promise<void>): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      this.clock.advance(60_000);
      await poll();
    }
  }

  /**
   * Returns the reason of the last check of each subject; `acted` if the check created a
   * submission.
   */
  async reasons(): Promise<Readonly<Record<string, SkipReason | 'acted'>>> {
    return Object.fromEntries(
      (await this.store.looks()).map(({ subject, report }) => [
        subject,
        report.outcome === 'acted' ? 'acted' : report.reason,
      ]),
    );
  }
}

export const acted = (submissionId: string): TaskReport => ({
  outcome: 'acted',
  submissionId,
  details: {},
});
