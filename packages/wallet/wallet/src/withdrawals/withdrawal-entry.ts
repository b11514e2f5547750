import type { JourneyError } from '../journeys/journey-error.js';
import type { AcceptedQuote } from '../signed/accepted-quote.js';
import { mayHaveLanded, type EndedState, type RequestState } from '../relayers/request-state.js';
import type { WithdrawalEvent } from './withdrawal-events.js';

/** How a withdrawal stands. `needs-new-quote` and `failed` can be begun again. */
export type WithdrawalState = 'open' | 'settled' | 'needs-new-quote' | 'failed';

/** A quote that was accepted, as the journal keeps it. */
export interface KeptQuote {
  readonly quoteId: string;
  /** Decimal digits, in the smallest unit of the pool's token. */
  readonly fee: string;
  /** 0x hex: the address that the proof names. */
  readonly relayer: string;
  readonly expiresAtMs: number;
  readonly signerKey: string;
}

/** A proof that a relayer may have seen. */
export interface Posting extends RequestState, EndedState {
  readonly baseUrl: string;
  readonly quoteId: string;
  /** Null once nothing can be asked with it any more. */
  readonly calldata: readonly string[] | null;
}

/** What the journal keeps of a withdrawal: plain JSON. The note itself is not in it. */
export interface WithdrawalEntry {
  readonly state: WithdrawalState;
  /** 0x hex, as all that follow. */
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly nullifierHash: string;
  /** Private, until the chain shows it. */
  readonly recipient: string;
  /** Decimal digits. */
  readonly maxFee: string;
  /** Unix time in ms. */
  readonly begunAtMs: number;
  /** Accepted by the user, and not used yet. */
  readonly quote: KeptQuote | null;
  /** In order; only the last one is not ended. */
  readonly postings: readonly Posting[];
  /** The transaction that paid, of one that is settled; that spent the note, of one that failed. */
  readonly transactionHash: string | null;
  /** Why it failed or needs a new quote. */
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

/** The entry with its last posting changed. */
export function withLastPosting(entry: WithdrawalEntry, change: Partial<Posting>): WithdrawalEntry {
  const last = entry.postings.at(-1);
  if (last === undefined) throw new Error('the withdrawal has posted nothing');
  return { ...entry, postings: [...entry.postings.slice(0, -1), { ...last, ...change }] };
}

/** What an end changes; proofs that have no use any more are wiped. */
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

/** The event that ends the withdrawal; undefined while it is open. */
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
