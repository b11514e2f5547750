import type { SubmissionEvent } from '../events.js';
import { refOf, type NonceRow } from '../rows.js';
import type { Decision, View } from '../view.js';
import { backToAccepted, endWithout, isFree, landable, openNonce, standBack, storedRow, write } from './common.js';

type Event<Type extends SubmissionEvent['type']> = Extract<SubmissionEvent, { type: Type }>;

/** P and P': a nonce that is free or the lane's next one, and the bytes that will be sent under it; P' claims their first send. */
export function prepare(event: Event<'prepare'>, view: View): Decision {
  if (view.lane === null || view.lane.fence !== event.fence) return standBack('stale_fence');
  const attempt = view.lastAttempt;
  if (attempt === null || attempt.attempt !== event.attempt.attempt || attempt.state !== 'accepted') return standBack('attempt_moved_on');
  if (view.nonce === null) {
    if (view.highestNonce !== null && event.nonce !== view.highestNonce + 1n) return standBack('nonce_taken');
  } else {
    if (view.nonce.state === 'settled') return standBack('nonce_settled');
    if (!isFree(view.nonce, view)) return standBack('nonce_taken');
  }
  const row: NonceRow = {
    lane: event.lane,
    nonce: event.nonce,
    state: 'open',
    owner: refOf(attempt),
    settledBy: null,
    gasPaidFri: null,
  };
  return write({
    nonces: [row],
    transactions: [storedRow(event, view, event.transaction, { attempt, claimedAtMs: event.claim ? event.atMs : null })],
    signed: event.transaction,
    attempts: [{ ...attempt, state: event.claim ? 'broadcast' : 'prepared', lane: event.lane, nonce: event.nonce, readmit: false }],
  });
}

/** L: what was never claimed for sending gives its nonce back. */
export function release(event: Event<'release'>, view: View): Decision {
  const nonce = openNonce(event, view);
  if ('refused' in nonce) return nonce.refused;
  if (view.owner === null || view.owner.state !== 'prepared') return standBack('attempt_moved_on');
  if (landable(view).some(({ claims }) => claims > 0)) return standBack('already_sent');
  return write({
    nonces: [{ ...nonce.row, owner: null }],
    transactions: landable(view).map((transaction) => ({ ...transaction, dead: true })),
    attempts: [
      event.to === 'accepted'
        ? { ...backToAccepted(view.owner), readmit: false }
        : endWithout(view.owner, 'expired', 'DEADLINE_PASSED', event.atMs),
    ],
  });
}
