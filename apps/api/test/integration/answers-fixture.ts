import { toFelt } from '@sotto/kernel';
import type { SubmittedWithdrawal } from '@sotto/relayer-core';
import type { Attempt, SubmissionAnswer } from '@sotto/submission-core';

/** Id of a submission: 128 bits, as real ids have. */
export const SUBMISSION_ID = 'b2c4-unguessable-id-AA';
export const HASH = toFelt('0x5d2a');

/** An attempt whose private columns contain text that no response may include. */
export const attempt: Attempt = {
  id: SUBMISSION_ID,
  key: 'chain|pool|marker-nullifier',
  attempt: 2,
  state: 'broadcast',
  effect: 'marker-effect',
  fingerprint: 'marker-fingerprint',
  kind: 'withdraw',
  subject: toFelt('0xaa1'),
  memo: 'marker-memo',
  role: 'relay',
  target: { to: toFelt('0xaa1'), entrypoint: 'withdraw' },
  limits: { l2Gas: 1n, l1Gas: 1n, l1DataGas: 1n, priceMultiplier: 1n },
  terms: null,
  replayProtected: true,
  lane: toFelt('0xdeadbeef'),
  nonce: 7n,
  readmit: false,
  avoidLane: null,
  acceptedAtMs: 1,
  deadlineMs: 2,
  deadlineBlock: null,
  endedAtMs: null,
  rejectionCode: null,
  transactionHash: null,
  revertReason: null,
  gasPaidFri: null,
  isFinal: false,
  undone: null,
};

type Live = SubmittedWithdrawal['answer'];

export const succeeded: Live = {
  kind: 'executed',
  attempt: { ...attempt, state: 'succeeded' },
  transactionHash: HASH,
  execution: 'SUCCEEDED',
  revertReason: null,
  finality: 'ACCEPTED_ON_L2',
};

export const reverted: Live = {
  kind: 'executed',
  attempt,
  transactionHash: HASH,
  execution: 'REVERTED',
  revertReason: 'unknown root',
  finality: 'PRE_CONFIRMED',
};

export const undecided: Live = { kind: 'pending', attempt, transactionHash: HASH };
export const unsigned: Live = {
  kind: 'pending',
  attempt: { ...attempt, state: 'accepted' },
  transactionHash: null,
};

export const refused: SubmissionAnswer = {
  kind: 'rejected',
  attempt: { ...attempt, state: 'refused', rejectionCode: 'NULLIFIER_SPENT' },
  state: 'refused',
  code: 'NULLIFIER_SPENT',
};
