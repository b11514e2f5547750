import { WalletError } from '../errors.js';
import type { Journal } from './journal.js';

/** Time in ms after which a journey that another tab runs is not cancelled. */
const CANCEL_TIMEOUT_MS = 5_000;

/**
 * Cancels a journey that nothing runs in this tab.
 * @param cancelledEntry returns the entry of the cancelled journey; null if it can't be cancelled
 * @returns true if the journey is cancelled or was never begun. False if it can't be cancelled, or
 *   if another tab has run it for five seconds.
 * @throws WalletError JOURNAL_UNREADABLE; any error of the storage
 */
export async function cancelJourney<Entry extends object>(
  journal: Journal<Entry>,
  id: string,
  cancelledEntry: (entry: Entry) => Entry | null,
): Promise<boolean> {
  const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
  try {
    const run = await journal.take(id, { signal, onWait: () => undefined });
    try {
      const next = cancelledEntry(run.entry);
      if (next !== null) await run.write(next);
      return next !== null;
    } finally {
      await run.release();
    }
  } catch (error) {
    if (signal.aborted) return false;
    if (error instanceof WalletError && error.code === 'JOURNEY_UNKNOWN') return true;
    throw error;
  }
}
