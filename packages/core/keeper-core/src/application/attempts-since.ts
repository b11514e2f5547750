import type { Attempt, Submissions } from '@sotto/submission-core';

/**
 * Position in a series of submissions: the name of the series and the number of its next
 * submission.
 */
export interface SeriesPosition {
  readonly series: string;
  readonly next: number;
}

/**
 * Returns the attempts of a series that ended after `sinceMs`, newest first. Precondition: all
 * submissions with a number below the next number have succeeded.
 * @param atLeast minimum number of attempts to return if the series has enough attempts. Attempts
 *   that ended before `sinceMs` are added if needed
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
