import type { JournalOptions } from '../journeys/journal.js';
import type { JourneyError } from '../journeys/journey-error.js';
import { Pauses } from '../journeys/pauses.js';
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

type WithdrawalEnd = Extract<WithdrawalEvent, { type: 'settled' | 'failed' | 'needs-new-quote' }>;

/**
 * Withdraws the note of a reverted swap plainly, to the swap's recipient and for at most the swap's
 * maximum fee, as soon as a relayer and the chain admit it. Any relayer may send this withdrawal,
 * because the proof of a plain withdrawal binds the recipient. The guard admits a note at risk at
 * once. If an earlier withdrawal of the note is unfinished, it continues.
 * @throws the signal's reason; any error of the storage
 */
export async function rescueNote(
  means: WithdrawalMeans & JournalOptions,
  entry: SwapEntry,
  storage: WalletStorage,
  report: (event: WithdrawalEvent) => void,
  signal: AbortSignal,
): Promise<RescueEnd> {
  const pauses = new Pauses(signal);
  for (;;) {
    const end = await withdrawPlainly(means, entry, storage, report, signal);
    if (end.type === 'settled') return { kind: 'withdrawn', transactionHash: end.transactionHash };
    const { error } = end;
    if (error.code === 'NOTE_SPENT_ELSEWHERE') return { kind: 'spent' };
    if (!RETRIED.has(error.retry)) return { kind: 'failed', error };
    await pauses.pause();
  }
}

/** Reactions to an error which mean that the same withdrawal may be admitted soon. */
const RETRIED: ReadonlySet<JourneyError['retry']> = new Set(['same', 'later']);

async function withdrawPlainly(
  { note, pool, prover, relayers, locks }: WithdrawalMeans & JournalOptions,
  { recipient, maxFee }: SwapEntry,
  storage: WalletStorage,
  report: (event: WithdrawalEvent) => void,
  signal: AbortSignal,
): Promise<WithdrawalEnd> {
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
  if (last?.type !== 'settled' && last?.type !== 'failed' && last?.type !== 'needs-new-quote')
    throw new Error('the withdrawal has no end');
  return last;
}
