import type { TaskName } from '@sotto/facts';
import type { Clock, DomainError } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { TaskReport } from '../ports/keeper-task.js';
import type {
  EarnedFee,
  TaskStore,
  TaskControl,
  TaskPoll,
  TaskSpending,
} from '../ports/task-store.port.js';

const DAY_MS = 86_400_000;

/** Task state in memory. The state is lost when the process ends. */
export class InMemoryTaskStore implements TaskStore {
  readonly #controls = new Map<string, TaskControl>();
  readonly #looks = new Map<string, TaskPoll>();
  readonly #ended: {
    kind: string;
    gasPaidFri: bigint;
    endedAtMs: number;
    earned: EarnedFee | null;
  }[] = [];
  readonly #live: { kind: string; l2Gas: bigint }[] = [];
  readonly #settled = new Set<string>();
  #failure: DomainError | null = null;
  /** Number of checks that were recorded in this store so far. */
  notes = 0;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  /** Adds a submission of this kind that ends now, with the given charged gas and fee. */
  end(kind: string, gasPaidFri: bigint, earned: EarnedFee | null = null): void {
    this.#ended.push({ kind, gasPaidFri, endedAtMs: this.clock.nowMs(), earned });
  }

  /** Adds a submission of this kind that has not ended, with the given maximum L2 gas. */
  begin(kind: string, l2Gas: bigint): void {
    this.#live.push({ kind, l2Gas });
  }

  /** Marks the submission as executed on chain. */
  settle(submissionId: string): void {
    this.#settled.add(submissionId);
  }

  async controls(): Promise<readonly TaskControl[]> {
    this.#answer();
    return [...this.#controls.values()];
  }

  async pause(task: TaskName, subject: string | null, reason: string): Promise<void> {
    this.#change(task, subject, ({ paused }) => ({
      paused: { reason, sinceMs: paused?.sinceMs ?? this.clock.nowMs() },
    }));
  }

  async resume(task: TaskName, subject: string | null): Promise<void> {
    this.#change(task, subject, () => ({ paused: null, resumedAtMs: this.clock.nowMs() }));
  }

  async looks(): Promise<readonly TaskPoll[]> {
    this.#answer();
    return [...this.#looks.values()]
      .filter(({ atMs }) => atMs > this.clock.nowMs() - DAY_MS)
      .map(({ lastActed, ...poll }) => ({
        ...poll,
        lastActed:
          lastActed === null
            ? null
            : { ...lastActed, isSettled: this.#settled.has(lastActed.submissionId) },
      }));
  }

  async note(task: TaskName, subject: string, report: TaskReport, lastedMs = 0): Promise<void> {
    this.#answer();
    this.notes += 1;
    const atMs = this.clock.nowMs();
    const name = `${task}|${subject}`;
    const before = this.#looks.get(name);
    const lastActed =
      report.outcome === 'acted'
        ? { atMs, submissionId: report.submissionId, isSettled: false }
        : (before?.lastActed ?? null);
    const isSame = before !== undefined && outcomeOf(before.report) === outcomeOf(report);
    const sinceMs = isSame ? before.sinceMs : atMs - lastedMs;
    this.#looks.set(name, { task, subject, atMs, report, sinceMs, lastActed });
  }

  async forget(ageMs: number, most: number): Promise<number> {
    this.#answer();
    const untilMs = this.clock.nowMs() - ageMs;
    const old = [...this.#looks].filter(([, { atMs }]) => atMs <= untilMs);
    const oldest = old.toSorted(([, a], [, b]) => a.atMs - b.atMs).slice(0, most);
    for (const [name] of oldest) this.#looks.delete(name);
    return oldest.length;
  }

  async spending(kinds: readonly string[], sinceMs: number): Promise<TaskSpending> {
    this.#answer();
    const ended = this.#ended.filter(
      ({ kind, endedAtMs }) => kinds.includes(kind) && endedAtMs >= sinceMs,
    );
    const live = this.#live.filter(({ kind }) => kinds.includes(kind));
    return {
      spentFri: ended.reduce((sum, { gasPaidFri }) => sum + gasPaidFri, 0n),
      liveL2Gas: live.reduce((sum, { l2Gas }) => sum + l2Gas, 0n),
      earned: byToken(ended.flatMap(({ earned }) => earned ?? [])),
    };
  }

  #change(
    task: TaskName,
    subject: string | null,
    change: (before: TaskControl) => Partial<TaskControl>,
  ): void {
    this.#answer();
    const name = JSON.stringify([task, subject]);
    const before = this.#controls.get(name) ?? { task, subject, paused: null, resumedAtMs: 0 };
    this.#controls.set(name, { ...before, ...change(before) });
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

function outcomeOf(report: TaskReport): string {
  return report.outcome === 'acted' ? 'acted' : report.reason;
}

function byToken(fees: readonly EarnedFee[]): readonly EarnedFee[] {
  const tokens = [...new Set(fees.map(({ token }) => token))].toSorted();
  return tokens.map((token) => ({
    token,
    amount: fees.reduce((sum, fee) => (fee.token === token ? sum + fee.amount : sum), 0n),
  }));
}
