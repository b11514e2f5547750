import type { Felt } from '@sotto/kernel';
import type { AttemptState, OpenNonce, TransactionRow } from './rows.js';
import type { TransactionStatus } from './sighting.js';

/** Nonce that is undecided for too long, with its public facts. Contains neither call nor key. */
export interface StuckNonce {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Null if no attempt holds it: a no-op, or a nonce that a foreign transaction consumed. */
  readonly attempt: { readonly id: string; readonly state: AttemptState } | null;
  readonly forMs: number;
  /** True if the chain has passed the nonce, and its consumer is not found yet. */
  readonly passedByChain: boolean;
  /** Code by which its attempt is no longer wanted; null while it is wanted. */
  readonly unwanted: string | null;
  readonly transactions: readonly {
    readonly hash: Felt;
    readonly kind: 'call' | 'noop';
    readonly priceStep: number;
    readonly claims: 0 | 1 | 2;
    readonly lastClaimAgoMs: number | null;
    readonly gone: TransactionRow['gone'];
    /** Status reported by the node at the last poll. */
    readonly seen: TransactionStatus['kind'];
  }[];
}

export interface StuckFacts {
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  readonly passedByChain: boolean;
  readonly unwanted: string | null;
  /** Time at which the nonce became undecided. */
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

/** Time since which a nonce is undecided, by its rows; null if they contain no time. */
export function undecidedSince({ owner, transactions }: OpenNonce): number | null {
  const claimed = transactions.flatMap(({ claimedAtMs }) =>
    claimedAtMs === null ? [] : [claimedAtMs],
  );
  const moments = owner === null ? claimed : [owner.acceptedAtMs];
  return moments.length === 0 ? null : Math.min(...moments);
}
