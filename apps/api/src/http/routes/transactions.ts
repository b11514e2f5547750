import type { DepositResult, Submission, SwapResult, TransactionResult } from '@sotto/routes';
import {
  isWhole,
  type DepositOutcome,
  type StandingAnswer,
  type SubmissionView,
  type SwapInForce,
  type SwapOutcome,
} from '@sotto/relayer-core';
import type { LogFields } from '@sotto/kernel';
import { progressOf, type SubmissionAnswer } from '@sotto/submission-core';
import type * as z from 'zod';

/** Returns the path at which a submission can be read. */
export function locationOf(submissionId: string): string {
  return `/api/relayer/submissions/${submissionId}`;
}

/** Returns the fields of a submission for the log line of its request. */
export function loggedOf(answer: SubmissionAnswer): LogFields {
  const { id: submission, lane, nonce } = answer.attempt;
  const transactionHash = answer.kind === 'rejected' ? null : answer.transactionHash;
  return { submission, lane, nonce: nonce === null ? null : String(nonce), transactionHash };
}

/** Delay until a caller should poll again, in seconds: about the block time of Starknet. */
export const POLL_AGAIN_SECONDS = 5;

const PPM = 1_000_000;

/** Value of `transaction_hash` before a transaction is signed. The interface requires a string. */
const NO_HASH_YET = '0x0';

/** Converts the outcome of a transaction to its API form. */
export function transactionResultOf(answer: StandingAnswer): z.input<typeof TransactionResult> {
  switch (answer.kind) {
    case 'executed':
      return {
        transaction_hash: answer.transactionHash,
        execution_status: answer.execution,
        revert_reason: answer.execution === 'REVERTED' ? answer.revertReason : null,
      };
    case 'pending':
      return {
        transaction_hash: answer.transactionHash ?? NO_HASH_YET,
        execution_status: 'UNKNOWN',
        revert_reason: null,
      };
  }
}

/** Returns the fields of a private swap; an empty object while the outcome is unknown. */
export function swapFieldsOf({
  leafIndex,
  outputAmount,
  noteAtRisk,
}: SwapOutcome): Pick<z.input<typeof SwapResult>, 'leafIndex' | 'outputAmount' | 'noteAtRisk'> {
  if (leafIndex === null || outputAmount === null) return {};
  const left = { leafIndex, outputAmount: `0x${outputAmount.toString(16)}` };
  return noteAtRisk ? { ...left, noteAtRisk: NOTE_AT_RISK } : left;
}

const NOTE_AT_RISK = { reason: 'PROOF_IS_PUBLIC', remedy: 'withdraw' } as const;

/** Returns the fields of a deposit; an empty object while the outcome is unknown. */
export function depositFieldsOf({
  leafIndex,
  batch,
}: DepositOutcome): Pick<z.input<typeof DepositResult>, 'leafIndex' | 'batch'> {
  return leafIndex === null ? {} : { leafIndex, batch };
}

/**
 * Returns the slippage and the floor with which a swap was signed; an empty object if no signed
 * swap exists.
 */
export function inForceFieldsOf(inForce: SwapInForce | null): {
  readonly slippage?: number;
  readonly floor?: string;
} {
  if (inForce === null) return {};
  const { slippagePpm, floor } = inForce;
  return { floor: String(floor), ...(slippagePpm === null ? {} : { slippage: slippagePpm / PPM }) };
}

/** Converts a submission to its public view, without content, signer and earnings. */
export function submissionOf({
  answer,
  swap,
  deposit,
}: SubmissionView): z.input<typeof Submission> {
  const { id, attempt, state, undone } = answer.attempt;
  const reorged =
    undone === null
      ? null
      : { transaction_hash: undone.transactionHash, execution_status: undone.execution };
  const nothing = {
    transaction_hash: null,
    execution_status: null,
    revert_reason: null,
    finality: null,
    code: null,
  };
  const left = {
    ...(swap === null ? {} : swapFieldsOf(swap)),
    ...(deposit === null ? {} : depositFieldsOf(deposit)),
  };
  const progress = progressOf(answer);
  const common = { id, attempt, state, ...nothing, progress, reorged, ...left };
  switch (answer.kind) {
    case 'executed':
      return { ...common, ...transactionResultOf(answer), finality: answer.finality };
    case 'pending':
      return { ...common, transaction_hash: answer.transactionHash, execution_status: 'UNKNOWN' };
    case 'rejected':
      return { ...common, code: answer.code };
  }
}

/**
 * Returns the header `Retry-After` for a submission. The object is empty once the outcome is known,
 * including the leaf index of a swap or deposit.
 */
export function whenToPollAgain(view: SubmissionView): { readonly 'Retry-After'?: string } {
  return isWhole(view) ? {} : { 'Retry-After': String(POLL_AGAIN_SECONDS) };
}

/**
 * Returns the response for a submission. The status is 202 only if the outcome is unknown and the
 * caller preferred not to wait.
 * @param body API form of the transaction
 */
export function transactionReply<B>(
  submissionId: string,
  answer: StandingAnswer,
  body: B,
  preferredAsync: boolean,
) {
  const location = { Location: locationOf(submissionId) };
  if (answer.kind !== 'pending') return { status: 200 as const, body, headers: location };
  const later = { ...location, 'Retry-After': String(POLL_AGAIN_SECONDS) };
  return preferredAsync
    ? { status: 202 as const, body, headers: { ...later, 'Preference-Applied': 'respond-async' } }
    : { status: 200 as const, body, headers: later };
}
