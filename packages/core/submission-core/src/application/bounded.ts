import { DomainError, domainError, type Clock } from '@sotto/kernel';
import { LedgerUnavailable } from '../errors.js';

/**
 * Error of work that did not finish in time. The abandoned work may still write to the ledger
 * later; the ledger checks such a write against its rows, like any other write.
 */
class TimedOut extends domainError('TIMED_OUT') {}

/**
 * Maximum milliseconds for which a public read waits for the store. After this time, the response
 * is returned without the values from the store.
 */
const STORE_WAIT_MS = 500;

/**
 * Resolves or rejects like `work`, or rejects after `ms` milliseconds of this process's monotonic
 * clock. A later result of `work` is ignored.
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
      // The work has settled, which has ended the sleep. Do not create the timeout error, because
      // its stack trace is expensive.
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
 * Returns the result of a read of the store.
 * @throws LedgerUnavailable also if the read lasts longer than `withinMs`
 */
export function withTimeout<T>(
  reading: Promise<T>,
  clock: Clock,
  withinMs: number = STORE_WAIT_MS,
): Promise<T> {
  return bounded(clock, withinMs, reading, storeIsLate);
}

/**
 * Returns the result of `reading`; null if the read fails or lasts longer than `withinMs`. Used for
 * optional fields of a response.
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
