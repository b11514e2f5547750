import type { Felt } from '@sotto/kernel';
import type { AttemptState, OpenNonce, TransactionRow } from './rows.js';
import type { TransactionStatus } from './sighting.js';

/**
 * A nonce that has been undecided for too long, with all that is known of it. Nothing private: no
 * call, no key.
 */
export interface StuckNonce {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Null when no attempt holds it: a no-op, or a nonce that a foreign transaction consumed. */
  readonly attempt: { readonly id: string; readonly state: AttemptState } | null;
  readonly forMs: number;
  /** The chain has passed the nonce, and the transaction that consumed it is not found yet. */
  readonly passedByChain: boolean;
  /** Code for which its attempt is no longer wanted; null while it is. */
  readonly unwanted: string | null;
  readonly transactions: readonly {
    readonly hash: Felt;
    readonly kind: 'call' | 'noop';
    readonly priceStep: number;
    readonly claims: 0 | 1 | 2;
    readonly lastClaimAgoMs: number | null;
    readonly gone: TransactionRow['gone'];
    /** What the node said of it at the last look. */
    readonly seen: TransactionStatus['kind'];
  }[];
}

export interface StuckFacts {
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  readonly passedByChain: boolean;
  readonly unwanted: string | null;
  /** When the nonce became undecided. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** What the operator sees of an open nonce. */
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

/** Since when a nonce is undecided, by its own rows; null when they do not say. */
export function undecidedSince({ owner, transactions }: OpenNonce): number | null {
  const claimed = transactions.flatMap(({ claimedAtMs }) =>
    claimedAtMs === null ? [] : [claimedAtMs],
  );
  const moments = owner === null ? claimed : [owner.acceptedAtMs];
  return moments.length === 0 ? null : Math.min(...moments);
}
