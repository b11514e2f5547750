import { DomainError, type Clock } from '@sotto/kernel';
import { LedgerUnavailable } from '../errors.js';

/** What a public read waits for the store: with the rest it is answered in any case. */
const STORE_WAIT_MS = 500;

/** What the store says. @throws LedgerUnavailable as well when it takes too long */
export async function withTimeout<T>(
  reading: Promise<T>,
  clock: Clock,
  withinMs: number = STORE_WAIT_MS,
): Promise<T> {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await clock.sleep(withinMs, answered.signal);
    throw new LedgerUnavailable({ message: 'the store does not answer in time' });
  };
  try {
    return await Promise.race([reading, late()]);
  } finally {
    answered.abort();
  }
}

/**
 * The result of `reading`; null when it fails or takes longer: for optional fields of an answer.
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
