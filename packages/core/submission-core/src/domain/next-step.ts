import type { Felt } from '@sotto/kernel';
import { confirms, type ChainEvidence } from './chain-evidence.js';
import type { BlocksLeft } from './deadline-block.js';
import type { NonceConsumer } from './events.js';
import {
  isLandable,
  type OpenNonce,
  type SendableTransaction,
  type TransactionRow,
} from './rows.js';
import { canBeOutbid } from './resource-bounds.js';
import type { TransactionStatus } from './transaction-status.js';

/**
 * Next step for an open nonce. Only `settle` is based on evidence. All other steps only poll or
 * send.
 */
export type NextStep =
  | { readonly do: 'wait' }
  | {
      readonly do: 'settle';
      readonly consumer: NonceConsumer;
      readonly evidence: ChainEvidence;
    }
  /**
   * The chain has passed this nonce and none of our hashes has a receipt: search the block that
   * consumed it.
   */
  | { readonly do: 'find_consumer' }
  | (SendableTransaction & { readonly do: 'send'; readonly again: boolean })
  | { readonly do: 'replace' }
  | { readonly do: 'cancel' }
  | { readonly do: 'fill' };

export interface NonceFacts {
  /** Closing read of this poll; null if the poll made no closing read. */
  readonly evidence: ChainEvidence | null;
  /** Statuses of all transactions stored under the nonce, by hash. */
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  /** Account nonce at ACCEPTED_ON_L2. */
  readonly chainNonce: bigint;
  /** True if a higher nonce of the lane has a transaction that could land. */
  readonly liveAbove: boolean;
  /**
   * True if the nonce is free but was not offered to the waiting attempts yet. One of these
   * attempts may then use the nonce.
   */
  readonly workWaits: boolean;
  /**
   * True if the attempt that holds the nonce is no longer wanted on chain. Also true if the
   * attempt's call may have been sent under another nonce with a lost ledger.
   */
  readonly unwanted: boolean;
  /** Blocks in which the call of the attempt that holds the nonce can still succeed. */
  readonly blocksLeft: BlocksLeft;
  /** Current price of L2 gas, in fri. */
  readonly l2GasPriceFri: bigint;
  readonly ceilingL2PriceFri: bigint;
  readonly fence: bigint;
  readonly nowMs: number;
  /** Time after which a claimed send without a known status is claimed again, in ms. */
  readonly resendAfterMs: number;
  /**
   * Hashes of transactions that a node rejected because of their price. These transactions may be
   * broadcast nevertheless.
   */
  readonly refusedForPrice: ReadonlySet<Felt>;
  /** Hashes of transactions that a node rejected because of their nonce. */
  readonly refusedForNonce: ReadonlySet<Felt>;
  /** Hashes of transactions whose last send no node has accepted. */
  readonly unanswered: ReadonlySet<Felt>;
}

/** Milliseconds after which a transaction is sent again if no node has accepted its last send. */
const UNANSWERED_MS = 2_000;

export function nextStep({ row, owner, transactions }: OpenNonce, facts: NonceFacts): NextStep {
  const consumer = consumerAmong(transactions, facts.sightings);
  // If the closing read does not confirm the receipt, wait for the next poll: the block of the
  // receipt is above the first head, or on a fork that the node no longer shows.
  if (consumer !== null)
    return facts.evidence !== null && confirms(facts.evidence, consumer.block)
      ? { do: 'settle', consumer, evidence: facts.evidence }
      : { do: 'wait' };
  if (facts.chainNonce > row.nonce) return { do: 'find_consumer' };

  const landable = transactions.filter(isLandable);
  const noop = highestPriced(landable.filter(({ kind }) => kind === 'noop'));
  // A nonce without an owner: the attempt of the call has continued under another nonce, or has
  // ended.
  const isUnwanted = owner === null ? landable.some(({ kind }) => kind === 'call') : facts.unwanted;
  // Once a no-op competes with an unwanted call, only the no-op is sent again, not the call.
  const best = isUnwanted ? (noop ?? highestPriced(landable)) : highestPriced(landable);
  if (best === undefined)
    return facts.liveAbove && !facts.workWaits ? { do: 'fill' } : { do: 'wait' };

  const seen = landable.map(({ hash }) => facts.sightings.get(hash)?.kind ?? 'unknown');
  if (seen.includes('pre_confirmed')) return { do: 'wait' };

  if (isUnwanted && noop === undefined) return { do: 'cancel' };
  // An unreadable status does not prove that the transaction is missing.
  if (seen.includes('unread')) return { do: 'wait' };
  // Only two polls in a row cancel the call, but one poll suffices to send the call no more.
  if (best.kind === 'call' && facts.blocksLeft === 'none') return { do: 'wait' };
  const send = { ...best, do: 'send' } as const;
  if (best.sendCount === 0) return { ...send, again: false };
  const { maxPriceFri } = best.bounds.l2Gas;
  const tooLow = maxPriceFri < facts.l2GasPriceFri || facts.refusedForPrice.has(best.hash);
  const rivals = isUnwanted ? landable.filter(({ kind }) => kind === 'noop') : landable;
  const canRaise = rivals.every(({ bounds }) => canBeOutbid(bounds, facts.ceilingL2PriceFri));
  // A call that is signed again may be included too late. A no-op may be signed at any time.
  const mayRaise = isUnwanted || facts.blocksLeft === 'enough';
  if (tooLow && canRaise && mayRaise) return { do: isUnwanted ? 'cancel' : 'replace' };
  // A node that has the transaction will include it. Send the bytes again only if no status shows
  // the transaction.
  if (
    facts.sightings.get(best.hash)?.kind === 'waiting' ||
    (!isUnwanted && seen.includes('waiting'))
  )
    return { do: 'wait' };
  // The block that showed the transaction is gone, so the node may have lost its bytes.
  if (best.seen !== null) return { ...send, again: true };
  const resendAfterMs = facts.unanswered.has(best.hash)
    ? Math.min(UNANSWERED_MS, facts.resendAfterMs)
    : facts.resendAfterMs;
  const longAgo = best.claimedAtMs === null || facts.nowMs - best.claimedAtMs >= resendAfterMs;
  // The node received these bytes before the bytes of the lower nonces, and rejected them. The
  // account has now reached this nonce, so send the bytes once more. Do not repeat this: otherwise
  // a node that returns inconsistent nonces would get the bytes at each poll.
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

/**
 * Returns the consumer of the nonce if the status is a receipt at ACCEPTED_ON_L2; otherwise null.
 */
export function consumerOf(
  hash: Felt,
  reportedStatus: TransactionStatus | undefined,
): NonceConsumer | null {
  if (reportedStatus?.kind !== 'accepted') return null;
  const { execution, revertReason, feeFri, block } = reportedStatus;
  return { hash, execution, revertReason, feeFri, block };
}

function highestPriced(transactions: readonly TransactionRow[]): TransactionRow | undefined {
  return transactions.toSorted((a, b) => a.priceStep - b.priceStep).at(-1);
}
