import type { Attempt, Submissions } from '@sotto/submission-core';

/** Position in a series: its name and its next number. */
export interface SeriesPosition {
  readonly series: string;
  readonly next: number;
}

/**
 * Returns the attempts of a series that ended after `sinceMs`, newest first. All numbers below the
 * next one have succeeded.
 * @param atLeast minimum number of attempts to return, even if they ended earlier, if the series
 *   has them
 */
export async function attemptsSince(
  submissions: Pick<Submissions, 'last'>,
  { series, next }: SeriesPosition,
  sinceMs: number,
  atLeast = 0,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (let number = next - 1; number >= 0; number -= 1) {
    const attempt = await submissions.last(`${series}|${number}`);
    if (attempt === null) break;
    if (attempts.length >= atLeast && (attempt.endedAtMs ?? 0) <= sinceMs) break;
    attempts.push(attempt);
  }
  return attempts;
}
