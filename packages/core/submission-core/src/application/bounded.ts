import { DomainError, type Clock } from '@sotto/kernel';

/**
 * What was waited for has not come in time. Whatever it does later, it does on rows that are
 * compared again.
 */
class TimedOut extends DomainError {
  readonly code = 'TIMED_OUT';
  readonly kind = 'unavailable';
}

/**
 * `work`, or a rejection after `ms` of this process's own time. Work that comes later is not waited
 * for.
 */
export async function bounded<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  work.catch(() => undefined);
  try {
    const late = clock.sleep(ms, over.signal).then(() => {
      throw new TimedOut('waited too long');
    });
    late.catch(() => undefined);
    return await Promise.race([work, late]);
  } finally {
    over.abort('over');
  }
}
