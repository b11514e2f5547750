import { Felts, type Felt } from '@sotto/kernel';
import {
  APPLY_ACTIONS_ENTRYPOINT,
  packPayload,
  type OutsideExecution,
  type PoolFee,
} from '@sotto/relayer-core';
import type { ContractCall } from './guard-calls.js';
import { APPROVE_ENTRYPOINT, OUTSIDE_EXECUTION_ENTRYPOINT } from './private-action-transaction.js';
import { selectorOf } from './selectors.js';

const APPROVE_FELTS = 3;
const NO_FELTS = Felts.of([]);

/**
 * Joins private actions with the calls before them into one call, whose calldata is a payload as
 * the ledger stores it. Proof facts and proof are empty, because a node's answer lacks them. Other
 * calls are returned unchanged: an approval of another token or to another contract does not belong
 * to this service.
 * @param token STRK token; null if no approval is joined
 */
export function withPrivateActionsJoined(
  calls: readonly ContractCall[],
  token: Felt | null,
): readonly ContractCall[] {
  const last = calls.at(-1);
  if (last?.target.entrypoint !== APPLY_ACTIONS_ENTRYPOINT) return calls;
  const { target, calldata } = last;
  let before = calls.slice(0, -1);
  const poolFee = poolFeeOf(before.at(-1), target.to, token);
  if (poolFee !== null) before = before.slice(0, -1);
  const outsideExecution = outsideExecutionOf(before.at(-1));
  if (outsideExecution !== null) before = before.slice(0, -1);
  if (before.length > 0) return calls;
  const payload = { calldata, facts: NO_FELTS, proof: new Uint8Array(), poolFee, outsideExecution };
  return [{ target, calldata: packPayload(payload) }];
}

function poolFeeOf(call: ContractCall | undefined, pool: Felt, token: Felt | null): PoolFee | null {
  const isApproval =
    token !== null &&
    call !== undefined &&
    call.target.to === token &&
    isNamed(call, APPROVE_ENTRYPOINT) &&
    call.calldata.length === APPROVE_FELTS &&
    call.calldata.feltAt(0) === pool &&
    // The pool's fee is a u128 above 0.
    call.calldata.at(1) > 0n &&
    call.calldata.at(2) === 0n;
  return isApproval ? { token, amountFri: call.calldata.at(1) } : null;
}

function outsideExecutionOf(call: ContractCall | undefined): OutsideExecution | null {
  if (call === undefined || !isNamed(call, OUTSIDE_EXECUTION_ENTRYPOINT)) return null;
  if (call.calldata.length === 0) return null;
  return { account: call.target.to, calldata: call.calldata };
}

/** Decoded calls have the name of their entry point, or its selector if the name is not listed. */
function isNamed({ target }: ContractCall, entrypoint: string): boolean {
  return target.entrypoint === entrypoint || target.entrypoint === selectorOf(entrypoint);
}
