import type { JourneyError } from '../journeys/journey-error.js';
import type { Batch } from '../pools/pool-view.js';
import type { EndedState, RequestState } from '../relayers/request-state.js';

/**
 * State of a deposit. `deposited` means on chain, waiting for its batch. A `failed` deposit can be
 * started again.
 */
export type DepositState = 'open' | 'deposited' | 'active' | 'failed';

/** Consent that a relayer may have received. */
export interface PostedConsent extends RequestState, EndedState {
  readonly baseUrl: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
  readonly signature: readonly string[];
}

/** Journal entry of a deposit, as plain JSON. The note itself is not in it. */
export interface DepositEntry {
  readonly state: DepositState;
  /** 0x hex, like the next four. */
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly depositor: string;
  readonly token: string;
  /** Decimal digits, in the token's smallest unit. */
  readonly amount: string;
  /** Unix time in ms. */
  readonly begunAtMs: number;
  /**
   * Last approval requested from the account. Null before the first request and when a new one is
   * needed.
   */
  readonly approval: {
    /** Unix time in ms. */
    readonly askedAtMs: number;
    /** Null while it is unknown whether the account sent it. */
    readonly transactionHash: string | null;
  } | null;
  /** True if an approval may still be in force, including one from an earlier attempt. */
  readonly mayBeApproved: boolean;
  /** Oldest first; only the last one may be open (`ended` is null). */
  readonly postings: readonly PostedConsent[];
  readonly leafIndex: number | null;
  readonly batch: Batch | null;
  /** Error that ended the deposit. */
  readonly error: Omit<JourneyError, 'cause'> | null;
}

export function withLastConsent(entry: DepositEntry, change: Partial<PostedConsent>): DepositEntry {
  const last = entry.postings.at(-1);
  if (last === undefined) throw new Error('the deposit has posted nothing');
  return { ...entry, postings: [...entry.postings.slice(0, -1), { ...last, ...change }] };
}
