import type { TaskReport } from '@sotto/keeper-core';

/** Report of a check that did nothing. */
type Skip = Extract<TaskReport, { readonly outcome: 'skipped' }>;

/** Reason why a quoted swap was not submitted, and the end of the wait after it. */
export interface Setback {
  /**
   * Number of executions that the contract had counted: the next execution starts a new setback.
   */
  readonly executed: number;
  readonly report: Skip;
  readonly waitMs: number;
  readonly untilMs: number;
}

/** Shortest frequency of an order. */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * Returns the next setback. Repeated for the same execution, its wait doubles up to the longest.
 */
export function nextSetback(
  before: Setback | null,
  { executed, report }: Pick<Setback, 'executed' | 'report'>,
  firstWaitMs: number,
  longestWaitMs: number,
  nowMs: number,
): Setback {
  const doubled = before?.executed === executed ? 2 * before.waitMs : firstWaitMs;
  const waitMs = Math.min(doubled, longestWaitMs);
  const untilMs = nowMs + waitMs;
  return { executed, report: { ...report, dueAtMs: untilMs }, waitMs, untilMs };
}

/** Returns true if it ended too long ago for a further setback to count as a repetition. */
export function isForgotten({ untilMs }: Setback, nowMs: number): boolean {
  return nowMs - untilMs > LONGEST_WAIT_MS;
}
