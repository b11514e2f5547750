import type { JourneyError } from '../journeys/journey-error.js';
import type { Batch } from '../pools/pool-view.js';
import type { EndedState, RequestState } from '../relayers/request-state.js';

/** How a deposit stands; `deposited` waits for its batch. `failed` can be begun again. */
export type DepositState = 'open' | 'deposited' | 'active' | 'failed';

/** A consent that a relayer may have. */
export interface PostedConsent extends RequestState, EndedState {
  readonly baseUrl: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
  readonly signature: readonly string[];
}

/** What the journal keeps of a deposit: plain JSON. The note itself is not in it. */
export interface DepositEntry {
  readonly state: DepositState;
  /** 0x hex, as the next four. */
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly depositor: string;
  readonly token: string;
  /** Decimal digits, in the token's smallest unit. */
  readonly amount: string;
  /** Unix time in ms. */
  readonly begunAtMs: number;
  /** What the account was asked last to approve; null where it is asked first, or once more. */
  readonly approval: {
    /** Unix time in ms. */
    readonly askedAtMs: number;
    /** Null while it is not known whether the account has sent it. */
    readonly transactionHash: string | null;
  } | null;
  /** Whether an approval may stand, also one of a try before this. */
  readonly mayBeApproved: boolean;
  /** In order; only the last one is not ended. */
  readonly postings: readonly PostedConsent[];
  readonly leafIndex: number | null;
  readonly batch: Batch | null;
  /** Why it failed. */
  readonly error: Omit<JourneyError, 'cause'> | null;
}

export function withLastConsent(entry: DepositEntry, change: Partial<PostedConsent>): DepositEntry {
  const last = entry.postings.at(-1);
  if (last === undefined) throw new Error('the deposit has posted nothing');
  return { ...entry, postings: [...entry.postings.slice(0, -1), { ...last, ...change }] };
}
