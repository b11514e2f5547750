import type { JourneyError } from '../journeys/journey-error.js';
import type { WithdrawalEvent } from '../withdrawals/withdrawal-events.js';

/** What happens to a private swap. The last five end it. */
export type PrivateSwapEvent =
  | Extract<
      WithdrawalEvent,
      { type: 'proving' | 'posting' | 'accepted' | 'included' | 'waiting' | 'unknown' }
    >
  /** The new note is a leaf of the swap pool, at ACCEPTED_ON_L2; the pool says what it is worth. */
  | { readonly type: 'swapped'; readonly transactionHash: string; readonly leafIndex: number }
  /** What happens to the withdrawal of the new note, with which the swap ends. */
  | { readonly type: 'withdrawing'; readonly event: WithdrawalEvent }
  /**
   * The swap has reverted, so its proof is public: any caller can send it to the pool as a plain
   * withdrawal that loses the note. The note is withdrawn plainly now, unless the wallet opted out.
   */
  | { readonly type: 'reverted'; readonly error: JourneyError; readonly advice: string }
  /** What happens to the plain withdrawal of the note after a revert. */
  | { readonly type: 'rescuing'; readonly event: WithdrawalEvent }
  | Extract<WithdrawalEvent, { type: 'settled' | 'needs-new-quote' }>
  /** The swap has reverted, and the recipient is paid in the pool's token instead. */
  | { readonly type: 'withdrawn'; readonly transactionHash: string }
  /**
   * Nothing is on its way by what is known, and no other relayer is asked, because the proof of a
   * swap does not say whose the new note is: begin the swap again, at the same relayer, or withdraw
   * the note plainly. `advice` says so to the user.
   */
  | { readonly type: 'stopped'; readonly error: JourneyError; readonly advice: string }
  /** No relayer has seen a proof, or the note was spent by what is no swap of this wallet. */
  | { readonly type: 'failed'; readonly error: JourneyError };
