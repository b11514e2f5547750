import type { TaskReport } from '@sotto/keeper-core';

/** The report of a look that did nothing. */
type Skip = Extract<TaskReport, { readonly outcome: 'skipped' }>;

/** Why a swap that was quoted for an execution was not submitted, and until when that stands. */
export interface Setback {
  /** How many executions the contract had counted: the next one starts again. */
  readonly executed: number;
  readonly report: Skip;
  readonly waitMs: number;
  readonly untilMs: number;
}

/** As often as an order can be due. */
export const LONGEST_WAIT_MS = 3_600_000;

/** The setback after one of the same execution, which doubles its wait, up to the longest. */
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

/** Whether it is so long over that the next one would be no repetition. */
export function isForgotten({ untilMs }: Setback, nowMs: number): boolean {
  return nowMs - untilMs > LONGEST_WAIT_MS;
}
