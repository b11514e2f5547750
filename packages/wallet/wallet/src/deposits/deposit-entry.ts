import type { JourneyError } from '../journeys/journey-error.js';
import type { Batch } from '../pools/pool-view.js';
import type { EndedState, RequestState } from '../relayers/request-state.js';

/**
 * State of a deposit. `deposited` means that the commitment is on chain and waits for its batch. A
 * `failed` deposit can be started again.
 */
export type DepositState = (typeof DEPOSIT_STATES)[number];

export const DEPOSIT_STATES = ['open', 'deposited', 'active', 'failed'] as const;

/**
 * Approval of the account for the pool, as the chain shows it: true if an allowance is in force.
 * `unknown` if the chain was not read, or if a requested approval may still land.
 */
export type ShownApproval = boolean | 'unknown';

/** Consent that a relayer may have received. */
export interface PostedConsent extends RequestState, EndedState {
  readonly baseUrl: string;
  /** End of the consent, as Unix time in seconds. */
  readonly expiresAt: number;
  readonly signature: readonly string[];
}

/** Journal entry of a deposit, as plain JSON. The entry does not contain the note itself. */
export interface DepositEntry {
  readonly state: DepositState;
  /** Chain id as 0x hex. The fields from `pool` to `token` are also 0x hex. */
  readonly chainId: string;
  readonly pool: string;
  readonly commitment: string;
  readonly depositor: string;
  readonly token: string;
  /** Amount as decimal digits, in the ERC-20 token's smallest unit. */
  readonly amount: string;
  /** Start of the deposit, as Unix time in ms. */
  readonly begunAtMs: number;
  /**
   * Approval that the account reported as sent, or that the chain shows. Null while the deposit
   * needs an approval.
   */
  readonly approval: {
    /** Time of the answer or of the chain read, as Unix time in ms. */
    readonly askedAtMs: number;
    /** Null if the account reported no hash. */
    readonly transactionHash: string | null;
  } | null;
  /** Approval as last read from the chain. Absent in records of earlier versions. */
  readonly isApproved?: ShownApproval;
  /** Consents sent to relayers, oldest first. Only the last consent may still have `ended` null. */
  readonly postings: readonly PostedConsent[];
  readonly leafIndex: number | null;
  readonly batch: Batch | null;
  /** Error that ended the deposit; null if the deposit has not failed. */
  readonly error: Omit<JourneyError, 'cause'> | null;
}

export function withLastConsent(entry: DepositEntry, change: Partial<PostedConsent>): DepositEntry {
  const last = entry.postings.at(-1);
  if (last === undefined) throw new Error('the deposit has posted nothing');
  return { ...entry, postings: [...entry.postings.slice(0, -1), { ...last, ...change }] };
}
