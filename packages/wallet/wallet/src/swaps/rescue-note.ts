import type { JournalOptions } from '../journeys/journal.js';
import type { JourneyError } from '../journeys/journey-error.js';
import type { WalletStorage } from '../storage.js';
import type { WithdrawalEvent } from '../withdrawals/withdrawal-events.js';
import type { WithdrawalMeans } from '../withdrawals/withdrawal-run.js';
import { Withdrawal } from '../withdrawals/withdrawal.js';
import type { SwapEntry } from './swap-entry.js';

/** Outcome of the plain withdrawal of a note whose swap reverted. */
type RescueEnd =
  | { readonly kind: 'withdrawn'; readonly transactionHash: string }
  /** The note is spent: by the swap after all, or by another use of the public proof. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'failed'; readonly error: JourneyError };

/**
 * Withdraws the note of a reverted swap plainly, to the swap's recipient and for at most the swap's
 * maximum fee. Any relayer may send this withdrawal, because the proof of a plain withdrawal binds
 * the recipient. If an earlier withdrawal of the note is unfinished, it continues.
 * @throws the signal's reason; any error of the storage
 */
export async function rescueNote(
  { note, pool, prover, relayers, locks }: WithdrawalMeans & JournalOptions,
  { recipient, maxFee }: SwapEntry,
  storage: WalletStorage,
  report: (event: WithdrawalEvent) => void,
  signal: AbortSignal,
): Promise<RescueEnd> {
  const withdrawal = Withdrawal.begin({
    note,
    pool,
    prover,
    relayers,
    ...(locks === undefined ? {} : { locks }),
    recipient,
    maxFee: BigInt(maxFee),
    storage,
  });
  let last: WithdrawalEvent | undefined;
  for await (const event of withdrawal.events({ signal })) {
    report(event);
    last = event;
  }
  signal.throwIfAborted();
  if (last?.type === 'settled') return { kind: 'withdrawn', transactionHash: last.transactionHash };
  if (last?.type !== 'failed' && last?.type !== 'needs-new-quote')
    throw new Error('the withdrawal has no end');
  const { error } = last;
  return error.code === 'NOTE_SPENT_ELSEWHERE' ? { kind: 'spent' } : { kind: 'failed', error };
}
