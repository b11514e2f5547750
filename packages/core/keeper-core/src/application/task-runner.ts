import type { AlertReason } from '@sotto/facts';
import {
  DomainError,
  runIsolated,
  type BackgroundTask,
  type Clock,
  type Logger,
} from '@sotto/kernel';
import { isFailure } from '../domain/lasting-failure.js';
import { continueStreak, longestGapMs, type Streak } from '../domain/streak.js';
import { isChosen, type TaskSettings } from '../domain/task-settings.js';
import { skipped, type KeeperTask, type TaskGate, type TaskReport } from '../ports/keeper-task.js';
import type { TaskStore } from '../ports/task-store.port.js';
import type { TaskLeases } from '../ports/task-leases.port.js';
import { skippedBy } from './skipped-by.js';
import { isAlert } from './task-alerts.js';
import type { TaskBudgets } from './task-budgets.js';
import { pauseOf } from './task-controls.js';
import type { TaskCounters } from './task-counters.js';

export interface TaskRunnerPorts {
  readonly task: KeeperTask;
  readonly leases: Pick<TaskLeases, 'hold' | 'release'>;
  readonly store: Pick<TaskStore, 'controls' | 'note'>;
  readonly budgets: Pick<TaskBudgets, 'gateOf'>;
  readonly counters: Pick<TaskCounters, 'count'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface TaskRunnerPolicy extends TaskSettings {
  /**
   * Name of this process, unique among the processes that use the store. Two processes with the
   * same name would both hold the task.
   */
  readonly instance: string;
  /**
   * Time in milliseconds after which a lease that is not extended ends. This time must be longer
   * than the check of one subject. Suggested value: 60,000.
   */
  readonly leaseMs: number;
}

/** Time after which an unchanged report is recorded again, in milliseconds. */
const NOTE_AGAIN_MS = 60_000;
/** Time for which checks of a subject must fail before the failure is an alert, in milliseconds. */
const LASTING_FAILURE_MS = 1_800_000;
/**
 * Maximum number of lasting-failure alerts per task. The number is limited because any account can
 * create orders, so there may be thousands of subjects.
 */
const MOST_LASTING_FAILURES = 10;
/**
 * Time for which the last record of a subject is kept in memory, in milliseconds. The rounds need
 * less time to check all subjects, even with many orders.
 */
const KNOWN_FOR_MS = 3_600_000;
const MOST_KNOWN = 10_000;

const PAUSED: TaskGate = { isPaused: true, admit: async () => 'PAUSED' };

interface Noted {
  readonly text: string;
  /** Reason of the report if the report needs an operator; null for any other report. */
  readonly alert: AlertReason | null;
  readonly atMs: number;
}

/**
 * Runs one task of the keeper, in every process that is configured for the task. The holder of the
 * task's lease checks the subjects one by one. The holder extends its lease before each subject and
 * continues to hold it between checks. An instance that loses the lease in the middle of a check
 * completes at most one subject. If this check submits, its submission has the same key that the
 * next holder would use.
 */
export class TaskRunner implements BackgroundTask {
  readonly name: string;
  readonly intervalMs: number;
  /** Last record of each subject, written by this instance while it held the task. */
  readonly #noted = new Map<string, Noted>();
  /** Streak of consecutive failed checks of each subject that this instance made. */
  readonly #failing = new Map<string, Streak>();
  /** Subjects in `#failing` whose lasting failure is an alert. */
  readonly #alerting = new Set<string>();

  constructor(
    private readonly ports: TaskRunnerPorts,
    private readonly policy: TaskRunnerPolicy,
  ) {
    this.name = `the keeper’s task ${ports.task.name}`;
    this.intervalMs = ports.task.intervalMs;
  }

  /** Checks each subject once. Rejects if the task's subjects or its lease can't be read. */
  async run(signal: AbortSignal): Promise<void> {
    if (!this.policy.isOn || signal.aborted || !(await this.#hold())) return;
    const subjects = await this.#subjects();
    this.#forget();
    for (const subject of subjects) {
      if (signal.aborted || !(await this.#hold())) return;
      await this.#poll(subject, signal);
    }
    await this.#hold(this.intervalMs);
  }

  /** Releases the task's lease once no check is running. */
  async stop(): Promise<void> {
    if (!this.policy.isOn) return;
    const { task, leases, logger } = this.ports;
    await runIsolated(logger, 'the release of a task', { task: task.name }, () =>
      leases.release(task.name, this.policy.instance),
    );
  }

  async #hold(moreMs = 0): Promise<boolean> {
    const { task, leases } = this.ports;
    const { instance, leaseMs } = this.policy;
    const isHeld = await leases.hold(task.name, instance, leaseMs + moreMs);
    // Another instance holds the task now and records its own checks.
    if (!isHeld) {
      this.#noted.clear();
      this.#failing.clear();
      this.#alerting.clear();
    }
    return isHeld;
  }

  /**
   * Returns the subjects of the task. If the subjects can't be read, the failure is counted as one
   * check.
   */
  async #subjects(): Promise<readonly string[]> {
    const { task, counters } = this.ports;
    try {
      const subjects = await task.subjects();
      return subjects.filter((subject) => isChosen(this.policy, subject));
    } catch (error) {
      counters.count(task.name, this.#reportOf(error));
      throw error;
    }
  }

  async #poll(subject: string, signal: AbortSignal): Promise<void> {
    const { task, store, counters, clock, logger } = this.ports;
    const fields = { task: task.name, subject };
    const isolated = (work: () => Promise<unknown>): Promise<boolean> =>
      runIsolated(logger, 'a check by the keeper', fields, work);
    const { report: seen, failure } = await this.#attempt(subject, signal);
    // The check was stopped by the signal, so this is not a failure.
    if (failure !== null && signal.aborted) return;
    counters.count(task.name, seen);
    const report = this.#withLastingFailure(subject, seen);
    const noted = {
      text: JSON.stringify(report),
      alert: report.outcome === 'skipped' && isAlert(report.reason) ? report.reason : null,
      atMs: clock.monotonicMs(),
    };
    if (!this.#isNews(subject, noted)) return;
    if (failure !== null) await isolated(() => Promise.reject(failure.error));
    const isNewAlert = noted.alert !== null && this.#noted.get(subject)?.alert !== noted.alert;
    // The log already contains the error of a check that failed.
    if (isNewAlert && noted.alert !== 'LOOK_FAILED')
      logger.error({ ...fields, reason: noted.alert }, 'a task of the keeper needs an operator');
    const isWritten = await isolated(() =>
      store.note(task.name, subject, report, this.#lastedMs(subject, report)),
    );
    if (isWritten) setLast(this.#noted, subject, noted);
  }

  async #attempt(
    subject: string,
    signal: AbortSignal,
  ): Promise<{
    readonly report: TaskReport;
    readonly failure: { readonly error: unknown } | null;
  }> {
    try {
      return { report: await this.#attend(subject, signal), failure: null };
    } catch (error) {
      return { report: this.#reportOf(error), failure: { error } };
    }
  }

  async #attend(subject: string, signal: AbortSignal): Promise<TaskReport> {
    const { task, store, budgets } = this.ports;
    const paused = pauseOf(await store.controls(), task.name, subject);
    if (paused === null)
      return task.attend(subject, this.#gateOf(subject, budgets.gateOf(task, this.policy)), signal);
    const report = skipped('PAUSED', { reason: paused.reason });
    const alert = task.watchesPaused === true ? await this.#watch(subject, signal) : null;
    return alert ?? report;
  }

  /**
   * Checks a paused subject. Returns the alert that the check finds; null if the check finds no
   * alert or a read fails.
   */
  async #watch(subject: string, signal: AbortSignal): Promise<TaskReport | null> {
    try {
      const seen = await this.ports.task.attend(subject, PAUSED, signal);
      return seen.outcome === 'skipped' && isAlert(seen.reason) ? seen : null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  /**
   * Creates a gate that reads the pauses again right before a submission, because an operator may
   * have paused the task or the subject since the check began.
   */
  #gateOf(subject: string, budget: TaskGate): TaskGate {
    const { task, store } = this.ports;
    return {
      admit: async (costFri) => {
        const rejection = await budget.admit(costFri);
        if (rejection !== null) return rejection;
        return pauseOf(await store.controls(), task.name, subject) === null ? null : 'PAUSED';
      },
    };
  }

  /**
   * Returns the report of a check. If the checks of the subject have failed for half an hour,
   * returns an alert instead.
   */
  #withLastingFailure(subject: string, report: TaskReport): TaskReport {
    const { task, clock } = this.ports;
    if (report.outcome === 'acted' || !isFailure(task.name, report.reason)) {
      this.#endStreak(subject);
      return report;
    }
    const streak = continueStreak(
      this.#failing.get(subject) ?? null,
      clock.monotonicMs(),
      longestGapMs(this.intervalMs),
    );
    setLast(this.#failing, subject, streak);
    if (streak.last - streak.since < LASTING_FAILURE_MS) {
      this.#alerting.delete(subject);
      return report;
    }
    if (!this.#alerting.has(subject) && this.#alerting.size >= MOST_LASTING_FAILURES) return report;
    this.#alerting.add(subject);
    const { details, reason: because, dueAtMs } = report;
    return skipped('LASTING_FAILURE', { ...details, because }, dueAtMs);
  }

  /**
   * Returns the duration of the failed checks in milliseconds if the report is a lasting failure,
   * otherwise 0.
   */
  #lastedMs(subject: string, report: TaskReport): number {
    const streak = this.#failing.get(subject);
    const isLasting = report.outcome === 'skipped' && report.reason === 'LASTING_FAILURE';
    return isLasting && streak !== undefined ? Math.round(streak.last - streak.since) : 0;
  }

  #reportOf(error: unknown): TaskReport {
    return error instanceof DomainError
      ? skippedBy(error, this.ports.clock.nowMs())
      : skipped('LOOK_FAILED');
  }

  /** Returns false if the same report was recorded within the last minute. */
  #isNews(subject: string, { text, atMs }: Noted): boolean {
    const last = this.#noted.get(subject);
    return last?.text !== text || atMs - last.atMs >= NOTE_AGAIN_MS;
  }

  /**
   * Drops state that is too old. The state of a subject that is missing from a round is not
   * dropped, because a round may include only some of many subjects.
   */
  #forget(): void {
    const nowMs = this.ports.clock.monotonicMs();
    const gapMs = longestGapMs(this.intervalMs);
    for (const [subject, { last }] of this.#failing)
      if (nowMs - last > gapMs) this.#endStreak(subject);
    for (const [subject, { atMs }] of this.#noted)
      if (nowMs - atMs > gapMs + KNOWN_FOR_MS) this.#noted.delete(subject);
    for (const subject of oldestAbove(MOST_KNOWN, this.#failing)) this.#endStreak(subject);
    for (const subject of oldestAbove(MOST_KNOWN, this.#noted)) this.#noted.delete(subject);
  }

  #endStreak(subject: string): void {
    this.#failing.delete(subject);
    this.#alerting.delete(subject);
  }
}

/** Sets the value of the subject and moves the subject to the end of the map. */
function setLast<V>(known: Map<string, V>, subject: string, value: V): void {
  known.delete(subject);
  known.set(subject, value);
}

function oldestAbove(most: number, known: ReadonlyMap<string, unknown>): readonly string[] {
  return [...known.keys()].slice(0, Math.max(0, known.size - most));
}
