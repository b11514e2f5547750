import type { JourneyError } from '../journeys/journey-error.js';
import type { WithdrawalEvent } from '../withdrawals/withdrawal-events.js';

/** Event of a private swap. The last five event types end the swap. */
export type PrivateSwapEvent =
  | Extract<
      WithdrawalEvent,
      { type: 'proving' | 'posting' | 'accepted' | 'included' | 'waiting' | 'unknown' }
    >
  /** The new note is a leaf of the swap pool, at ACCEPTED_ON_L2; the pool has its value. */
  | { readonly type: 'swapped'; readonly transactionHash: string; readonly leafIndex: number }
  /** Event of the new note's withdrawal, which completes the swap. */
  | { readonly type: 'withdrawing'; readonly event: WithdrawalEvent }
  /**
   * The swap reverted, so its proof is public: any caller can send it to the pool as a plain
   * withdrawal that loses the note. The note is now withdrawn plainly, unless the wallet opted out.
   */
  | { readonly type: 'reverted'; readonly error: JourneyError; readonly advice: string }
  /** Event of the note's plain withdrawal after a revert. */
  | { readonly type: 'rescuing'; readonly event: WithdrawalEvent }
  | Extract<WithdrawalEvent, { type: 'settled' | 'needs-new-quote' }>
  /** The swap reverted, and the recipient was paid in the pool's token instead. */
  | { readonly type: 'withdrawn'; readonly transactionHash: string }
  /**
   * No transaction is known to be in flight, and no other relayer is used, because the proof of a
   * swap does not bind the new note's owner. Start the swap again at the same relayer, or withdraw
   * the note plainly. `advice` explains this to the user.
   */
  | { readonly type: 'stopped'; readonly error: JourneyError; readonly advice: string }
  /**
   * No relayer has seen a proof, or the note was spent by something other than a swap of this
   * wallet.
   */
  | { readonly type: 'failed'; readonly error: JourneyError };
