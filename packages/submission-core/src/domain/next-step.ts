import type { Felt } from '@sotto/kernel';
import type { NonceTaker } from './events.js';
import type { OpenNonce, TransactionRow } from './rows.js';
import type { TransactionSighting } from './sighting.js';

/** What an open nonce wants next. Only `settle` rests on evidence; all others are about looking and sending. */
export type NextStep =
  | { readonly do: 'wait' }
  | { readonly do: 'settle'; readonly taker: NonceTaker }
  /** The chain has passed this nonce and none of our hashes has a receipt: look for the block that took it. */
  | { readonly do: 'find_taker' }
  | { readonly do: 'send'; readonly hash: Felt; readonly again: boolean }
  | { readonly do: 'replace' }
  | { readonly do: 'cancel' }
  | { readonly do: 'release' }
  | { readonly do: 'fill' };

export interface NonceFacts {
  /** By hash; every transaction stored under the nonce has one. */
  readonly sightings: ReadonlyMap<Felt, TransactionSighting>;
  /** The account's nonce at ACCEPTED_ON_L2. */
  readonly chainNonce: bigint;
  /** Something that could land stands at a higher nonce of the lane. */
  readonly liveAbove: boolean;
  /** The free nonce has not been offered to the waiting attempts yet: one of them may take it. */
  readonly workWaits: boolean;
  /** The owner is no longer wanted on chain. */
  readonly unwanted: boolean;
  /** Price of L2 gas now, in fri. */
  readonly l2GasPriceFri: bigint;
  readonly ceilingL2PriceFri: bigint;
  readonly fence: bigint;
  readonly nowMs: number;
  /** A claimed send that nobody has seen for so long is claimed again. */
  readonly resendAfterMs: number;
  /** Transactions that the node refuses for their price although they may be out. */
  readonly refusedForPrice: ReadonlySet<Felt>;
}

export function nextStep({ row, owner, transactions }: OpenNonce, facts: NonceFacts): NextStep {
  const receipt = takerAmong(transactions, facts.sightings);
  if (receipt !== null) return { do: 'settle', taker: receipt };
  if (facts.chainNonce > row.nonce) return { do: 'find_taker' };

  const landable = transactions.filter(({ dead }) => !dead);
  const best = highestPriced(landable);
  if (best === undefined) return facts.liveAbove && !facts.workWaits ? { do: 'fill' } : { do: 'wait' };

  const seen = landable.map(({ hash }) => facts.sightings.get(hash)?.kind ?? 'unknown');
  if (seen.includes('pre_confirmed')) return { do: 'wait' };

  if (facts.unwanted && owner !== null && landable.every(({ kind }) => kind === 'call')) {
    return owner.state === 'prepared' ? { do: 'release' } : { do: 'cancel' };
  }
  if (best.claims === 0) return { do: 'send', hash: best.hash, again: false };
  const { maxPriceFri } = best.bounds.l2Gas;
  const tooLow = maxPriceFri < facts.l2GasPriceFri || facts.refusedForPrice.has(best.hash);
  if (tooLow && maxPriceFri < facts.ceilingL2PriceFri) return { do: 'replace' };
  // The node that has it will include it; only silence asks for the same bytes again.
  if (seen.includes('waiting')) return { do: 'wait' };
  // A block that showed it and is gone does not put our bytes back.
  if (best.seen !== null) return { do: 'send', hash: best.hash, again: true };
  const longAgo = best.claimedAtMs === null || facts.nowMs - best.claimedAtMs >= facts.resendAfterMs;
  return longAgo || best.claimFence !== facts.fence ? { do: 'send', hash: best.hash, again: true } : { do: 'wait' };
}

function takerAmong(transactions: readonly TransactionRow[], sightings: ReadonlyMap<Felt, TransactionSighting>): NonceTaker | null {
  for (const { hash } of transactions) {
    const sighting = sightings.get(hash);
    if (sighting?.kind === 'accepted') {
      const { execution, revertReason, feeFri } = sighting;
      return { hash, execution, revertReason, feeFri };
    }
  }
  return null;
}

function highestPriced(transactions: readonly TransactionRow[]): TransactionRow | undefined {
  return transactions.toSorted((a, b) => a.priceStep - b.priceStep).at(-1);
}
