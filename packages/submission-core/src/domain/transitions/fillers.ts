import type { SubmissionEvent } from '../events.js';
import { outbid } from '../resource-bounds.js';
import { isLive } from '../rows.js';
import type { Decision, View } from '../view.js';
import { isFree, landable, openNonce, standBack, storedRow, write } from './common.js';

type Event<Type extends SubmissionEvent['type']> = Extract<SubmissionEvent, { type: Type }>;

/** R: the attempt's own call (or a lone no-op) again at a higher price, under the same nonce. */
export function replace(event: Event<'replace'>, view: View): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  const rivals = landable(view);
  if (rivals.length === 0 || (view.owner !== null && !isLive(view.owner.state))) return standBack('attempt_moved_on');
  const { bounds } = event.transaction;
  if (bounds.l2Gas.maxPriceFri > event.ceilingL2PriceFri || !rivals.every((rival) => outbid(rival.bounds, bounds))) {
    return standBack('price_too_low');
  }
  return write({
    transactions: [storedRow(event, view, event.transaction, { attempt: view.owner, claimedAtMs: null })],
    signed: event.transaction,
  });
}

/** N: a no-op against the attempt that holds the nonce. At the ceiling it need not outbid: a node that refuses the others holds nothing to outbid. */
export function cancel(event: Event<'cancel'>, view: View): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  if (view.owner === null || !isLive(view.owner.state)) return standBack('attempt_moved_on');
  const rivals = landable(view);
  if (rivals.some(({ kind }) => kind === 'noop')) return standBack('noop_exists');
  const { bounds } = event.transaction;
  const atCeiling = bounds.l2Gas.maxPriceFri >= event.ceilingL2PriceFri;
  if (!atCeiling && !rivals.every((rival) => outbid(rival.bounds, bounds))) return standBack('price_too_low');
  return write({
    transactions: [storedRow(event, view, event.transaction, { attempt: null, claimedAtMs: null })],
    signed: event.transaction,
  });
}

/** H: a no-op for a free nonce with something alive above it. */
export function fill(event: Event<'fill'>, view: View): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  if (!isFree(nonce.row, view)) return standBack('nonce_taken');
  if (!view.liveAbove) return standBack('no_hole');
  return write({
    transactions: [storedRow(event, view, event.transaction, { attempt: null, claimedAtMs: null })],
    signed: event.transaction,
  });
}

/** A row for a nonce that the chain has passed without us, so that rows keep no gaps; it is settled like any other. */
export function catchUp(event: Event<'catch_up'>, view: View): Decision {
  if (view.lane === null || view.lane.fence !== event.fence) return standBack('stale_fence');
  if (view.nonce !== null || view.highestNonce === null || event.nonce !== view.highestNonce + 1n) return standBack('nonce_taken');
  return write({
    nonces: [{ lane: event.lane, nonce: event.nonce, state: 'open', owner: null, settledBy: null, gasPaidFri: null }],
  });
}
