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

/** Part of an entry that a cancellation writes. A journey that is begun again does not have it. */
export interface Cancellation {
  /** Time of the cancellation, as Unix time in ms. */
  readonly cancelledAtMs?: number;
}

/**
 * Returns true if the journey was cancelled after a call had begun it, for example while the call
 * waited for another runner. The call must not start the journey again, because the cancellation
 * promised that nothing will be sent.
 */
export function isCancelledSince(
  { state, cancelledAtMs }: Cancellation & { readonly state: string },
  { begunAtMs }: { readonly begunAtMs: number },
): boolean {
  if (state !== 'failed' || cancelledAtMs === undefined) return false;
  // A time in the future: the clock was set back, so the times can't be compared.
  return begunAtMs < cancelledAtMs && cancelledAtMs <= Date.now();
}
