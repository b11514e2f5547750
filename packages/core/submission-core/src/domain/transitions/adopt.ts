import type { Felt } from '@sotto/kernel';
import { confirms } from '../chain-evidence.js';
import type { SubmissionCommand } from '../events.js';
import { requestsSame } from '../fingerprint.js';
import { isLive, refOf, type Attempt, type NonceRow, type TransactionRow } from '../rows.js';
import type { Decision, MachineState } from '../machine-state.js';
import { endOf, openRow, raised, reject, write } from './common.js';
import { BY_UNKNOWN } from './lanes.js';
import { NEW_ATTEMPT } from './request.js';

type Adopt = Extract<SubmissionCommand, { type: 'adopt' }>;

/**
 * Adopts the outcome of a call that was sent with a lost ledger (row Q2 of the transition table).
 * The call is in a transaction of our account at ACCEPTED_ON_L2, under a nonce that is settled as
 * foreign.
 *
 * The last attempt of the call's key gets this outcome if the attempt waits, or if it ended without
 * a receipt. In the second case, the chain corrects an end that only this ledger had decided. A new
 * attempt is written if the key is unknown, if the last attempt has reverted by a receipt, or if
 * the last attempt ended with a different request.
 */
export function adopt(
  { submission, consumer, lane, nonce, evidence }: Adopt,
  view: MachineState,
): Decision {
  if (!confirms(evidence, consumer.block)) return reject('proves_nothing');
  const { lastAttempt } = view;
  const row = view.nonce ?? rowBeforeStart(lane, nonce, view);
  if (row === null || row.settlement === null) return reject('unknown_row');
  if (
    !row.settlement.isForeign ||
    (row.settlement.hash !== null && row.settlement.hash !== consumer.hash)
  )
    return reject('not_settled_so');
  if (lastAttempt?.state === 'succeeded') return reject('already_succeeded');
  if (lastAttempt?.state === 'broadcast') return reject('already_live');
  if (lastAttempt?.transactionHash === consumer.hash) return reject('known_already');
  // The waiting request has other terms than the call on chain. The contract executes only one of
  // the two, so the terms of the waiting request were not paid.
  const isOther = lastAttempt?.state === 'accepted' && !requestsSame(lastAttempt, submission);
  if (isOther && submission.replayProtected) return reject('other_request');
  const { calldata: _calldata, ...terms } = submission;
  const attempt: Attempt = corrected(lastAttempt, submission, view.nowMs) ?? {
    ...NEW_ATTEMPT,
    ...terms,
    attempt: (lastAttempt?.attempt ?? 0) + 1,
    acceptedAtMs: view.nowMs,
    deadlineMs: view.nowMs,
    deadlineBlock: null,
  };
  const outcome: Attempt = {
    ...attempt,
    state: endOf(consumer.execution),
    lane,
    nonce,
    endedAtMs: view.nowMs,
    rejectionCode: null,
    transactionHash: consumer.hash,
    revertReason: consumer.revertReason,
    gasPaidFri: consumer.feeFri,
    isFinal: row.settlement.isFinal,
  };
  // A nonce within an imported range has no separate row, and is never reopened.
  if (row.through > row.nonce) return write({ attempts: [outcome] });
  const settlement = {
    ...row.settlement,
    hash: consumer.hash,
    isForeign: false,
    execution: consumer.execution,
    block: consumer.block,
    feeFri: consumer.feeFri,
  };
  return write({
    attempts: [outcome],
    nonces: [raised(row, { owner: refOf(outcome), settlement })],
    transactions: [adoptedRow({ lane, nonce }, outcome, consumer.hash, view)],
  });
}

/** Returns the last attempt if it waits or has ended without a receipt; otherwise null. */
function corrected(
  attempt: Attempt | null,
  submission: Adopt['submission'],
  nowMs: number,
): Attempt | null {
  if (attempt === null || attempt.state === 'reverted') return null;
  if (isLive(attempt.state)) return attempt;
  // The end of this attempt was reported to its caller. If a rollback undoes the adopted outcome,
  // the call must not be sent again.
  return requestsSame(attempt, submission) ? { ...attempt, deadlineMs: nowMs } : null;
}

/** Returns a new row for a nonce that was consumed before the lane was introduced to the ledger. */
function rowBeforeStart(lane: Felt, nonce: bigint, view: MachineState): NonceRow | null {
  if (nonce >= (view.lane?.nextNonce ?? 0n)) return null;
  const settlement = { ...BY_UNKNOWN, isFinal: false, atMs: view.nowMs };
  return { ...openRow(lane, nonce), version: 0, state: 'settled', settlement };
}

/**
 * Returns the row of an adopted transaction. The transaction's bytes and resource bounds are lost,
 * so it can be followed and cancelled, but not sent again.
 */
function adoptedRow(
  place: Pick<TransactionRow, 'lane' | 'nonce'>,
  attempt: Attempt,
  hash: Felt,
  view: MachineState,
): TransactionRow {
  return {
    ...place,
    hash,
    kind: 'call',
    attempt: refOf(attempt),
    priceStep:
      view.transactions.reduce((highest, { priceStep }) => Math.max(highest, priceStep), -1) + 1,
    bounds: NO_BOUNDS,
    sendCount: 2,
    claimFence: view.lane?.fence ?? 0n,
    claimedAtMs: view.nowMs,
    claimNode: null,
    gone: null,
    rejectionCode: null,
    seen: null,
  };
}

const NOTHING = { maxAmount: 0n, maxPriceFri: 0n };
const NO_BOUNDS = { l2Gas: NOTHING, l1Gas: NOTHING, l1DataGas: NOTHING, tipFri: 0n };
