import type { Admission, GuardTerms } from '../guard/admission.js';
import type { SwapDelay } from '../guard/swap-delay.js';
import type { JourneyError } from '../journeys/journey-error.js';
import type { AcceptedQuote } from '../signed/accepted-quote.js';
import { mayHaveLanded, type EndedState, type RequestState } from '../relayers/request-state.js';
import type { WithdrawalEvent } from './withdrawal-events.js';

/**
 * State of a withdrawal. Withdrawals in the states `needs-new-quote` and `failed` can be started
 * again.
 */
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];

export const WITHDRAWAL_STATES = ['open', 'settled', 'needs-new-quote', 'failed'] as const;

/** Accepted quote, as stored in the journal. */
export interface KeptQuote {
  readonly quoteId: string;
  /** Fee as decimal digits, in the smallest unit of the pool's ERC-20 token. */
  readonly fee: string;
  /** Address (0x hex) that the proof contains as its relayer. */
  readonly relayer: string;
  readonly expiresAtMs: number;
  readonly signerKey: string;
}

/** Proof that a relayer may have seen. */
export interface Posting extends RequestState, EndedState {
  readonly baseUrl: string;
  readonly quoteId: string;
  /** Calldata of the proof; null if it is no longer needed. */
  readonly calldata: readonly string[] | null;
}

/** Journal entry of a withdrawal, as plain JSON. The entry does not contain the note itself. */
export interface WithdrawalEntry {
  readonly state: WithdrawalState;
  /** Chain id as 0x hex. The fields from `pool` to `recipient` are also 0x hex. */
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly nullifierHash: string;
  /** Recipient of the payment, which stays private until the withdrawal is on chain. */
  readonly recipient: string;
  /** Maximum fee as decimal digits, in the smallest unit of the pool's ERC-20 token. */
  readonly maxFee: string;
  /** Start of the withdrawal, as Unix time in ms. */
  readonly begunAtMs: number;
  /** Quote that the user accepted and that no proof uses yet; null if there is no such quote. */
  readonly quote: KeptQuote | null;
  /** Proofs sent to relayers, oldest first. Only for the last proof, `ended` may still be null. */
  readonly postings: readonly Posting[];
  /**
   * Transaction that paid (if settled), or a different transaction that spent the note (if failed);
   * null if unknown.
   */
  readonly transactionHash: string | null;
  /** Overrides and bounds of the guard that the caller named. */
  readonly guard: GuardTerms;
  /** Null until the guard has admitted the withdrawal, which the check then confirms. */
  readonly admission: Admission | null;
  readonly delay: SwapDelay;
  /** Error that ended the withdrawal, or that requires a new quote; null otherwise. */
  readonly error: Omit<JourneyError, 'cause'> | null;
}

export function keptQuote({
  quoteId,
  fee,
  relayer,
  expiresAtMs,
  signerKey,
}: AcceptedQuote): KeptQuote {
  return { quoteId, fee: String(fee), relayer, expiresAtMs, signerKey };
}

/** Returns the entry with changes of the last item in `postings`. */
export function withLastPosting(entry: WithdrawalEntry, change: Partial<Posting>): WithdrawalEntry {
  const last = entry.postings.at(-1);
  if (last === undefined) throw new Error('the withdrawal has posted nothing');
  return { ...entry, postings: [...entry.postings.slice(0, -1), { ...last, ...change }] };
}

/** Returns the entry of an ended withdrawal. Redacts proofs that are no longer needed. */
export function withEnd(
  entry: WithdrawalEntry,
  end:
    | { readonly state: 'settled'; readonly transactionHash: string }
    | { readonly state: 'failed' | 'needs-new-quote'; readonly error: Omit<JourneyError, 'cause'> },
): WithdrawalEntry {
  const postings = entry.postings.map((posting) =>
    end.state === 'settled' || !mayHaveLanded(posting) ? { ...posting, calldata: null } : posting,
  );
  const known = end.state === 'settled' ? end.transactionHash : end.error.transactionHash;
  return { ...entry, postings, quote: null, ...end, transactionHash: known ?? null };
}

/** Returns the event that ends the withdrawal; undefined while the withdrawal is open. */
export function endOf({
  state,
  transactionHash,
  error,
}: WithdrawalEntry): WithdrawalEvent | undefined {
  if (state === 'settled' && transactionHash !== null) return { type: state, transactionHash };
  if (state === 'failed' || state === 'needs-new-quote')
    return error === null ? undefined : { type: state, error };
  return undefined;
}
