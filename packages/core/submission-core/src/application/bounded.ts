import { DomainError, domainError, type Clock } from '@sotto/kernel';
import { LedgerUnavailable } from '../errors.js';

/**
 * The work did not finish in time. If it writes later, its writes are compared with the rows again.
 */
class TimedOut extends domainError('TIMED_OUT') {}

/**
 * Longest time that a public read waits for the store, in ms. Then the answer omits the store's
 * part.
 */
const STORE_WAIT_MS = 500;

/**
 * Resolves as `work` does, or rejects after `ms` of this process's monotonic time. A result that
 * arrives later is ignored.
 */
export async function bounded<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  late: () => DomainError = () => new TimedOut({ message: 'waited too long' }),
): Promise<T> {
  const over = new AbortController();
  work.catch(() => undefined);
  try {
    const end = clock.sleep(ms, over.signal).then(() => {
      // The work has settled and ended the sleep: create no error, because its stack is expensive.
      if (over.signal.aborted) return work;
      throw late();
    });
    end.catch(() => undefined);
    return await Promise.race([work, end]);
  } finally {
    over.abort('over');
  }
}

const storeIsLate = (): DomainError =>
  new LedgerUnavailable({ message: 'the store does not answer in time' });

/**
 * Returns the store's answer.
 * @throws LedgerUnavailable also if the store exceeds `withinMs`
 */
export function withTimeout<T>(
  reading: Promise<T>,
  clock: Clock,
  withinMs: number = STORE_WAIT_MS,
): Promise<T> {
  return bounded(clock, withinMs, reading, storeIsLate);
}

/**
 * Returns the result of `reading`; null if it fails or exceeds `withinMs`. Serves optional fields
 * of an answer.
 */
export async function knownSoon<T>(
  reading: Promise<T>,
  clock: Clock,
  withinMs: number,
): Promise<T | null> {
  try {
    return await withTimeout(reading, clock, withinMs);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
