import { WalletError } from '../errors.js';
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
  | {
      readonly kind: 'withdrawn';
      readonly transactionHash: string;
      /** Paid recipient as 0x hex, if an earlier withdrawal to another recipient was unfinished. */
      readonly another?: string;
    }
  /** The note is spent: by the swap after all, or by another use of the public proof. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'failed'; readonly error: JourneyError };

type WithdrawalEnd = Extract<WithdrawalEvent, { type: 'settled' | 'failed' | 'needs-new-quote' }>;

/**
 * Withdraws the note of a reverted swap plainly, to the swap's recipient and for at most the swap's
 * maximum fee, as soon as a relayer and the chain admit it. Any relayer may send this withdrawal,
 * because the proof of a plain withdrawal binds the recipient. The guard admits a note at risk at
 * once. If an earlier withdrawal of the note is unfinished, it continues with its own recipient.
 * @throws the signal's reason; any error of the storage
 */
export async function rescueNote(
  means: WithdrawalMeans & JournalOptions,
  { recipient, maxFee }: SwapEntry,
  storage: WalletStorage,
  report: (event: WithdrawalEvent) => void,
  signal: AbortSignal,
): Promise<RescueEnd> {
  const { note, pool, prover, relayers, locks } = means;
  const own = { note, pool, prover, relayers, ...(locks === undefined ? {} : { locks }) };
  const terms = { recipient, maxFee: BigInt(maxFee), storage };
  const pauses = new Pauses(signal);
  for (let hasContinued = false; ;) {
    const withdrawal = Withdrawal.begin({ ...own, ...terms });
    const end = await endOf(withdrawal, report, signal);
    if (end.type === 'settled') return { kind: 'withdrawn', transactionHash: end.transactionHash };
    const { error } = end;
    if (error.code === 'NOTE_SPENT_ELSEWHERE') return { kind: 'spent' };
    if (error.code === 'ANOTHER_RECIPIENT' && error.transactionHash !== undefined)
      return { kind: 'spent' };
    if (error.code === 'ANOTHER_RECIPIENT' && !hasContinued) {
      hasContinued = true;
      const other = await Withdrawal.resume(storage, withdrawal.id, own);
      const continued = await endOf(other, report, signal);
      if (continued.type === 'settled') {
        const listed = await Withdrawal.list(storage, { onUnreadable: () => undefined });
        const another = listed.find(({ id }) => id === withdrawal.id)?.recipient ?? recipient;
        return { kind: 'withdrawn', transactionHash: continued.transactionHash, another };
      }
      continue;
    }
    const isCancelled = error.code === 'CANCELLED';
    if (isCancelled || !RETRIED.has(error.retry)) return { kind: 'failed', error };
    await pauses.pause();
  }
}

/** Reactions to an error which mean that the same withdrawal may be admitted soon. */
const RETRIED: ReadonlySet<JourneyError['retry']> = new Set(['same', 'later']);

async function endOf(
  withdrawal: Withdrawal,
  report: (event: WithdrawalEvent) => void,
  signal: AbortSignal,
): Promise<WithdrawalEnd> {
  let last: WithdrawalEvent | undefined;
  for await (const event of withdrawal.events({ signal })) {
    report(event);
    last = event;
  }
  signal.throwIfAborted();
  if (last?.type !== 'settled' && last?.type !== 'failed' && last?.type !== 'needs-new-quote')
    throw new WalletError('JOURNAL_UNREADABLE', 'the record of the withdrawal has no end');
  return last;
}
