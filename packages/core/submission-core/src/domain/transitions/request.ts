import { endsEarlier } from '../deadline-block.js';
import type { SubmissionCommand } from '../events.js';
import { requestsEqual, requestsSame } from '../fingerprint.js';
import { isLive, type Attempt } from '../rows.js';
import { isBehind, type Decision, type MachineState } from '../machine-state.js';
import { ended, reject, write } from './common.js';

type Event<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

/**
 * Accepts a submission (rows A1–A3 of the transition table). The attempt's row serves as the lock.
 * If the key already has an attempt, a further attempt is accepted only after the last attempt
 * ended without success. If the contract does not protect the call against repetition, that end
 * must be final.
 */
export function request({ submission }: Event<'request'>, view: MachineState): Decision {
  const { lastAttempt } = view;
  if (lastAttempt !== null && isLive(lastAttempt.state)) return reject('already_live');
  if (lastAttempt?.state === 'succeeded') return reject('already_succeeded');
  if (isBehind(view.lanes)) return reject('ledger_behind');
  if (!submission.replayProtected && view.lastAttemptIsUnfinal) return reject('not_final');
  const { calldata, deadlineAfterMs, deadlineBlock = null, ...terms } = submission;
  const attempt: Attempt = {
    ...NEW_ATTEMPT,
    ...terms,
    attempt: (lastAttempt?.attempt ?? 0) + 1,
    acceptedAtMs: view.nowMs,
    deadlineMs: view.nowMs + deadlineAfterMs,
    deadlineBlock,
  };
  return write({ attempts: [attempt], calldata: { id: attempt.id, calldata } });
}

/**
 * Replaces the call of a waiting attempt that was never signed (row A4 of the transition table). So
 * no transaction contains the old call. If a transaction with the old call is stored later, it is
 * rejected because its fingerprint differs. The last block of the newer call must not be earlier.
 */
export function renew(
  { attempt, effect, fingerprint, calldata, deadlineBlock = null }: Event<'renew'>,
  view: MachineState,
): Decision {
  const { lastAttempt } = view;
  if (lastAttempt === null) return reject('unknown_row');
  if (lastAttempt.attempt !== attempt.attempt || !isUnsigned(lastAttempt))
    return reject('attempt_moved_on');
  if (!requestsSame(lastAttempt, { effect, fingerprint })) return reject('other_request');
  if (isBehind(view.lanes)) return reject('ledger_behind');
  // The call remains unchanged. A transaction that was signed in the meantime has this fingerprint
  // and remains valid.
  if (requestsEqual(lastAttempt, { fingerprint })) return reject('known_already');
  // Requests may arrive in another order than their proofs were made.
  if (endsEarlier({ deadlineBlock }, lastAttempt)) return reject('known_already');
  return write({
    attempts: [{ ...lastAttempt, effect, fingerprint, deadlineBlock }],
    calldata: { id: lastAttempt.id, calldata },
  });
}

/**
 * True if no transaction was ever signed for the attempt. A signed attempt has a nonce, and an
 * attempt that lost its nonce is marked `readmit`.
 */
export function isUnsigned({ state, readmit }: Pick<Attempt, 'state' | 'readmit'>): boolean {
  return state === 'accepted' && !readmit;
}

/** Initial fields of each new attempt. */
export const NEW_ATTEMPT = {
  state: 'accepted',
  lane: null,
  nonce: null,
  readmit: false,
  avoidLane: null,
  endedAtMs: null,
  rejectionCode: null,
  transactionHash: null,
  revertReason: null,
  gasPaidFri: null,
  isFinal: false,
  undone: null,
} as const satisfies Partial<Attempt>;

/**
 * Ends an attempt that has no nonce (row X of the transition table). If the contract does not
 * protect its call against repetition, none of the attempt's transactions may have a nonce that is
 * not final.
 */
export function endWaiting(
  { attempt, to, code, notBeforeMs, onlyUnsigned, fingerprint }: Event<'end_waiting'>,
  view: MachineState,
): Decision {
  const { lastAttempt } = view;
  if (lastAttempt === null) return reject('unknown_row');
  if (lastAttempt.attempt !== attempt.attempt || lastAttempt.state !== 'accepted')
    return reject('attempt_moved_on');
  if (onlyUnsigned === true && !isUnsigned(lastAttempt)) return reject('attempt_moved_on');
  if (fingerprint !== undefined && fingerprint !== lastAttempt.fingerprint)
    return reject('attempt_moved_on');
  if (isBehind(view.lanes)) return reject('ledger_behind');
  if (!lastAttempt.replayProtected && view.lastAttemptIsUnfinal) return reject('not_final');
  if (to === 'expired' && view.nowMs < notBeforeMs) return reject('too_early');
  return write({
    attempts: [ended(lastAttempt, view.lastAttemptExecutedBy, to, code, view.nowMs)],
  });
}
