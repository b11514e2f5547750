import type { Felt } from '@sotto/kernel';
import { confirms, type ChainEvidence } from './chain-evidence.js';
import type { NonceConsumer } from './events.js';
import {
  isLandable,
  type OpenNonce,
  type SendableTransaction,
  type TransactionRow,
} from './rows.js';
import { canBeOutbid } from './resource-bounds.js';
import type { TransactionStatus } from './sighting.js';

/**
 * What an open nonce wants next. Only `settle` rests on evidence; all others are about looking and
 * sending.
 */
export type NextStep =
  | { readonly do: 'wait' }
  | {
      readonly do: 'settle';
      readonly consumer: NonceConsumer;
      readonly evidence: ChainEvidence;
    }
  /**
   * The chain has passed this nonce and none of our hashes has a receipt: look for the block that
   * consumed it.
   */
  | { readonly do: 'find_consumer' }
  | (SendableTransaction & { readonly do: 'send'; readonly again: boolean })
  | { readonly do: 'replace' }
  | { readonly do: 'cancel' }
  | { readonly do: 'fill' };

export interface NonceFacts {
  /** The closing read of this look; null where there was none. */
  readonly evidence: ChainEvidence | null;
  /** By hash; every transaction stored under the nonce has one. */
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  /** The account's nonce at ACCEPTED_ON_L2. */
  readonly chainNonce: bigint;
  /** Something that could land stands at a higher nonce of the lane. */
  readonly liveAbove: boolean;
  /** The free nonce has not been offered to the waiting attempts yet: one of them may take it. */
  readonly workWaits: boolean;
  /**
   * The owner is no longer wanted on chain, or may be out under a nonce that a lost ledger gave it.
   */
  readonly unwanted: boolean;
  /** Price of L2 gas now, in fri. */
  readonly l2GasPriceFri: bigint;
  readonly ceilingL2PriceFri: bigint;
  readonly fence: bigint;
  readonly nowMs: number;
  /** A claimed send without a sighting for so long is claimed again. */
  readonly resendAfterMs: number;
  /** Transactions that the node refuses for their price although they may be out. */
  readonly refusedForPrice: ReadonlySet<Felt>;
  /** Transactions that the node did not take for their nonce. */
  readonly refusedForNonce: ReadonlySet<Felt>;
  /** Transactions whose last send no node has accepted. */
  readonly unanswered: ReadonlySet<Felt>;
}

/** Time after which bytes that no node has accepted are sent again, in milliseconds. */
const UNANSWERED_MS = 2_000;

export function nextStep({ row, owner, transactions }: OpenNonce, facts: NonceFacts): NextStep {
  const consumer = consumerAmong(transactions, facts.sightings);
  // A receipt that the closing read does not confirm is left to the next look: its block is above
  // the first head, or of another fork than the node shows by now.
  if (consumer !== null)
    return facts.evidence !== null && confirms(facts.evidence, consumer.block)
      ? { do: 'settle', consumer, evidence: facts.evidence }
      : { do: 'wait' };
  if (facts.chainNonce > row.nonce) return { do: 'find_consumer' };

  const landable = transactions.filter(isLandable);
  const noop = highestPriced(landable.filter(({ kind }) => kind === 'noop'));
  // Without an owner its attempt has moved on.
  const isUnwanted = owner === null ? landable.some(({ kind }) => kind === 'call') : facts.unwanted;
  // Once a no-op stands against a call that is not wanted, only the no-op goes on.
  const best = isUnwanted ? (noop ?? highestPriced(landable)) : highestPriced(landable);
  if (best === undefined)
    return facts.liveAbove && !facts.workWaits ? { do: 'fill' } : { do: 'wait' };

  const seen = landable.map(({ hash }) => facts.sightings.get(hash)?.kind ?? 'unknown');
  if (seen.includes('pre_confirmed')) return { do: 'wait' };

  if (isUnwanted && noop === undefined) return { do: 'cancel' };
  // What could not be read says nothing, also not that it is silent.
  if (seen.includes('unread')) return { do: 'wait' };
  const send = { ...best, do: 'send' } as const;
  if (best.sendCount === 0) return { ...send, again: false };
  const { maxPriceFri } = best.bounds.l2Gas;
  const tooLow = maxPriceFri < facts.l2GasPriceFri || facts.refusedForPrice.has(best.hash);
  const rivals = isUnwanted ? landable.filter(({ kind }) => kind === 'noop') : landable;
  const canRaise = rivals.every(({ bounds }) => canBeOutbid(bounds, facts.ceilingL2PriceFri));
  if (tooLow && canRaise) return { do: isUnwanted ? 'cancel' : 'replace' };
  // The node that has it will include it; only silence asks for the same bytes again.
  if (
    facts.sightings.get(best.hash)?.kind === 'waiting' ||
    (!isUnwanted && seen.includes('waiting'))
  )
    return { do: 'wait' };
  // A block that showed it and is gone does not put our bytes back.
  if (best.seen !== null) return { ...send, again: true };
  const resendAfterMs = facts.unanswered.has(best.hash)
    ? Math.min(UNANSWERED_MS, facts.resendAfterMs)
    : facts.resendAfterMs;
  const longAgo = best.claimedAtMs === null || facts.nowMs - best.claimedAtMs >= resendAfterMs;
  // It came to the node before the nonces below it: now it is its turn. Once, as a node that shows
  // one nonce and wants another would be asked at each look.
  const isItsTurn =
    best.sendCount === 1 && facts.chainNonce === row.nonce && facts.refusedForNonce.has(best.hash);
  return longAgo || isItsTurn || best.claimFence !== facts.fence
    ? { ...send, again: true }
    : { do: 'wait' };
}

function consumerAmong(
  transactions: readonly TransactionRow[],
  sightings: ReadonlyMap<Felt, TransactionStatus>,
): NonceConsumer | null {
  for (const { hash } of transactions) {
    const consumer = consumerOf(hash, sightings.get(hash));
    if (consumer !== null) return consumer;
  }
  return null;
}

/** Only a receipt at ACCEPTED_ON_L2 makes a consumer. */
export function consumerOf(
  hash: Felt,
  sighting: TransactionStatus | undefined,
): NonceConsumer | null {
  if (sighting?.kind !== 'accepted') return null;
  const { execution, revertReason, feeFri, block } = sighting;
  return { hash, execution, revertReason, feeFri, block };
}

function highestPriced(transactions: readonly TransactionRow[]): TransactionRow | undefined {
  return transactions.toSorted((a, b) => a.priceStep - b.priceStep).at(-1);
}
