import { invalidParams, readBase64, readFelt, readFelts } from '@sotto/http-server';
import { toFelt } from '@sotto/kernel';
import type { PrivateActionInput } from '@sotto/relayer-core';
import type { PAYMASTER_METHODS, PaymasterParameters, PaymasterTransaction } from '@sotto/routes';
import type * as z from 'zod';
import { paymasterError } from './errors.js';

/** Selector of `apply_actions`. */
export const APPLY_ACTIONS_SELECTOR = toFelt(
  '0x246333a752c1ac637ff1591c5c885e27d56060d241a29aad8475072da0777db',
);

/**
 * Time that `execute_before` must leave, in seconds. Private actions can't be bound to a time on
 * chain, so a request is accepted only if its proof expires before `execute_before` in any case.
 */
const TIME_BOUND_SECONDS = 3_600;

type ExecuteParams = z.output<(typeof PAYMASTER_METHODS)['paymaster_executeTransaction']['params']>;

type Served<T> = Extract<T, { readonly type: 'apply_action' }>;
type ExecutedAction = Served<ExecuteParams['transaction']>['apply_action'];

/**
 * Throws an error unless the transaction has the type `apply_action`.
 * @throws RpcError
 */
export function requireServed<T extends PaymasterTransaction>(
  transaction: T,
): asserts transaction is Served<T> {
  const { type } = transaction;
  if (type === 'apply_action') return;
  const reason = `${type} is not served: the only type is apply_action`;
  throw type === 'invoke_and_apply_action'
    ? paymasterError('INVOKE_ACTION_NOT_ALLOWED', `${reason}. Send the approval separately.`)
    : invalidParams(`params.transaction.type: ${reason}`);
}

/**
 * Throws an error for time bounds that cannot be kept.
 * @throws RpcError
 */
export function requireTimeBounds(
  { time_bounds: bounds }: PaymasterParameters,
  nowMs: number,
): void {
  if (bounds === undefined) return;
  const { execute_after: after = 0, execute_before: before } = bounds;
  const nowSeconds = nowMs / 1_000;
  if (after <= nowSeconds && before >= nowSeconds + TIME_BOUND_SECONDS) return;
  throw paymasterError(
    'INVALID_TIME_BOUNDS',
    `Private actions can't be bound to a time: omit time_bounds, or use an execute_after in the past and an execute_before at least ${TIME_BOUND_SECONDS} seconds ahead. The proof itself expires earlier.`,
  );
}

const PLACE = 'params.transaction.apply_action';

/**
 * Parses the action of an executed transaction.
 * @throws RpcError for another selector; InvalidRequest, InvalidFelt for an unreadable field
 */
export function privateActionOf(
  { apply_actions_call: call, proof = '', proof_facts: facts }: ExecutedAction,
  { fee_mode: { mode } }: PaymasterParameters,
): Omit<PrivateActionInput, 'sponsorKey' | 'caller'> {
  const ofCall = `${PLACE}.apply_actions_call`;
  if (readFelt(`${ofCall}.selector`, call.selector) !== APPLY_ACTIONS_SELECTOR)
    throw paymasterError(
      'INVALID_APPLY_ACTIONS_SELECTOR',
      `${ofCall}.selector: must be the selector of apply_actions, ${APPLY_ACTIONS_SELECTOR}`,
    );
  return {
    poolAddress: readFelt(`${ofCall}.to`, call.to),
    calldata: readFelts(`${ofCall}.calldata`, call.calldata),
    proofFacts: readFelts(`${PLACE}.proof_facts`, facts),
    proof: readBase64(`${PLACE}.proof`, proof),
    feeMode: mode,
  };
}
