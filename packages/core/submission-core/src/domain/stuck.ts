import type { Felt } from '@sotto/kernel';
import type { AttemptState, OpenNonce, TransactionRow } from './rows.js';
import type { TransactionStatus } from './transaction-status.js';

/**
 * Public facts about a nonce that is undecided for too long. Contains neither the call nor the key.
 */
export interface StuckNonce {
  readonly lane: Felt;
  readonly nonce: bigint;
  /**
   * Attempt that holds the nonce. Null for a nonce with only a no-op, and for a nonce that a
   * foreign transaction consumed.
   */
  readonly attempt: { readonly id: string; readonly state: AttemptState } | null;
  readonly forMs: number;
  /** True if the chain has passed the nonce and the consuming transaction is not found yet. */
  readonly passedByChain: boolean;
  /**
   * Code of the reason why the nonce's attempt is no longer wanted; null while the attempt is
   * wanted.
   */
  readonly unwanted: string | null;
  readonly transactions: readonly {
    readonly hash: Felt;
    readonly kind: 'call' | 'noop';
    readonly priceStep: number;
    readonly claims: 0 | 1 | 2;
    readonly lastClaimAgoMs: number | null;
    readonly gone: TransactionRow['gone'];
    /** Status of the transaction that the node reported at the last poll. */
    readonly seen: TransactionStatus['kind'];
  }[];
}

export interface StuckFacts {
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  readonly passedByChain: boolean;
  readonly unwanted: string | null;
  /** Time at which the nonce became undecided, in ms. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Describes an open nonce for the operator. */
export function describeStuck(
  { row, owner, transactions }: OpenNonce,
  facts: StuckFacts,
): StuckNonce {
  const { sightings, passedByChain, unwanted, sinceMs, nowMs } = facts;
  return {
    lane: row.lane,
    nonce: row.nonce,
    attempt: owner === null ? null : { id: owner.id, state: owner.state },
    forMs: nowMs - sinceMs,
    passedByChain,
    unwanted,
    transactions: transactions.map(({ hash, kind, priceStep, sendCount, claimedAtMs, gone }) => ({
      hash,
      kind,
      priceStep,
      claims: sendCount,
      lastClaimAgoMs: claimedAtMs === null ? null : nowMs - claimedAtMs,
      gone,
      seen: sightings.get(hash)?.kind ?? 'unknown',
    })),
  };
}

/** Returns the time since which a nonce is undecided, in ms; null if its rows contain no time. */
export function undecidedSince({ owner, transactions }: OpenNonce): number | null {
  const claimed = transactions.flatMap(({ claimedAtMs }) =>
    claimedAtMs === null ? [] : [claimedAtMs],
  );
  const moments = owner === null ? claimed : [owner.acceptedAtMs];
  return moments.length === 0 ? null : Math.min(...moments);
}
