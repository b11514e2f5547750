import type { JourneyError } from '../journeys/journey-error.js';
import type { AcceptedQuote } from '../signed/accepted-quote.js';
import { mayHaveLanded, type EndedState, type RequestState } from '../relayers/request-state.js';
import type { WithdrawalEvent } from './withdrawal-events.js';

/** State of a withdrawal. `needs-new-quote` and `failed` ones can be started again. */
export type WithdrawalState = 'open' | 'settled' | 'needs-new-quote' | 'failed';

/** Accepted quote, in the form of the journal. */
export interface KeptQuote {
  readonly quoteId: string;
  /** Decimal digits, in the smallest unit of the pool's token. */
  readonly fee: string;
  /** 0x hex address that the proof names. */
  readonly relayer: string;
  readonly expiresAtMs: number;
  readonly signerKey: string;
}

/** Proof that a relayer may have seen. */
export interface Posting extends RequestState, EndedState {
  readonly baseUrl: string;
  readonly quoteId: string;
  /** Null once it is of no more use. */
  readonly calldata: readonly string[] | null;
}

/** Journal entry of a withdrawal, as plain JSON. The note itself is not in it. */
export interface WithdrawalEntry {
  readonly state: WithdrawalState;
  /** 0x hex, like all that follow. */
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly nullifierHash: string;
  /** Private until the withdrawal is on chain. */
  readonly recipient: string;
  /** Decimal digits. */
  readonly maxFee: string;
  /** Unix time in ms. */
  readonly begunAtMs: number;
  /** Quote accepted by the user and not used yet. */
  readonly quote: KeptQuote | null;
  /** Oldest first; only the last one may be open (`ended` is null). */
  readonly postings: readonly Posting[];
  /** Transaction that paid (settled), or that spent the note otherwise (failed). */
  readonly transactionHash: string | null;
  /** Error that ended it, or that requires a new quote. */
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

/** Returns the entry with a changed last posting. */
export function withLastPosting(entry: WithdrawalEntry, change: Partial<Posting>): WithdrawalEntry {
  const last = entry.postings.at(-1);
  if (last === undefined) throw new Error('the withdrawal has posted nothing');
  return { ...entry, postings: [...entry.postings.slice(0, -1), { ...last, ...change }] };
}

/** Returns the ended entry. Redacts proofs that are of no more use. */
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

/** Returns the event that ends the withdrawal; undefined while it is open. */
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
