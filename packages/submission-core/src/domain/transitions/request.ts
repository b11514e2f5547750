import type { SubmissionEvent } from '../events.js';
import { isLive, type Attempt } from '../rows.js';
import type { Decision, View } from '../view.js';
import { endWithout, standBack, write } from './common.js';

type Event<Type extends SubmissionEvent['type']> = Extract<SubmissionEvent, { type: Type }>;

/** A1–A3: the row is the lock. A further attempt only after the last one ended without success. */
export function request({ submission, atMs }: Event<'request'>, { lastAttempt }: View): Decision {
  if (lastAttempt !== null && isLive(lastAttempt.state)) return standBack('already_live');
  if (lastAttempt?.state === 'succeeded') return standBack('already_succeeded');
  const { calldata, ...terms } = submission;
  const attempt: Attempt = {
    ...terms,
    attempt: (lastAttempt?.attempt ?? 0) + 1,
    state: 'accepted',
    lane: null,
    nonce: null,
    readmit: false,
    acceptedAtMs: atMs,
    endedAtMs: null,
    refusalCode: null,
    transactionHash: null,
    revertReason: null,
    gasPaidFri: null,
  };
  return write({ attempts: [attempt], calldata: { id: attempt.id, calldata } });
}

/** X: an attempt without a nonce ends; nothing of it was ever signed, or all of it is dead. */
export function endWaiting({ attempt, to, code, atMs }: Event<'end_waiting'>, { lastAttempt }: View): Decision {
  if (lastAttempt === null) return standBack('unknown_row');
  if (lastAttempt.attempt !== attempt.attempt || lastAttempt.state !== 'accepted') return standBack('attempt_moved_on');
  return write({ attempts: [endWithout(lastAttempt, to, code, atMs)] });
}
