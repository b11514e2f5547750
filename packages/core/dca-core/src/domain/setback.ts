import type { TaskReport } from '@sotto/keeper-core';

/** Report of a check that submitted nothing. */
type Skip = Extract<TaskReport, { readonly outcome: 'skipped' }>;

/** Reason why a quoted swap was not submitted, and the end of the wait that follows. */
export interface Setback {
  /**
   * Number of executions that the contract had counted at the setback. The next execution starts a
   * new setback.
   */
  readonly executed: number;
  readonly report: Skip;
  readonly waitMs: number;
  readonly untilMs: number;
}

/** Maximum wait after a quote, in milliseconds: the shortest frequency that an order can have. */
export const LONGEST_WAIT_MS = 3_600_000;

/**
 * Returns the setback that replaces `before`. If `before` was for the same execution, its wait is
 * doubled up to the maximum.
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

/**
 * Returns true if the setback's wait ended long ago. Then the next setback starts with the shortest
 * wait.
 */
export function isForgotten({ untilMs }: Setback, nowMs: number): boolean {
  return nowMs - untilMs > LONGEST_WAIT_MS;
}
