import { randomBytes } from 'node:crypto';
import { invalidParams, readBase64, readFelt, readFelts } from '@sotto/http-server';
import { toFelt, tryCatch, type Felt } from '@sotto/kernel';
import {
  ANY_CALLER,
  type OutsideCalls,
  type PrivateActionInput,
  type SignedOutsideCalls,
} from '@sotto/relayer-core';
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

type BuildParams = z.output<(typeof PAYMASTER_METHODS)['paymaster_buildTransaction']['params']>;

type Served<T> = Exclude<T, { readonly type: 'deploy' | 'invoke' | 'deploy_and_invoke' }>;
type Executed = Served<ExecuteParams['transaction']>;
type Invoking<T> = Extract<T, { readonly type: 'invoke_and_apply_action' }>;

/**
 * Throws an error unless the transaction contains private actions.
 * @throws RpcError
 */
export function requireServed<T extends PaymasterTransaction>(
  transaction: T,
): asserts transaction is Served<T> {
  const { type } = transaction;
  if (type === 'apply_action' || type === 'invoke_and_apply_action') return;
  throw invalidParams(
    `params.transaction.type: ${type} is not served, only apply_action and invoke_and_apply_action`,
  );
}

/** Returns the error for time bounds that cannot be kept; null if they are kept. */
export function timeBoundsRejection(
  { time_bounds: bounds }: PaymasterParameters,
  nowMs: number,
): Error | null {
  if (bounds === undefined) return null;
  const { execute_after: after = 0, execute_before: before } = bounds;
  const nowSeconds = nowMs / 1_000;
  if (after <= nowSeconds && before >= nowSeconds + TIME_BOUND_SECONDS) return null;
  return paymasterError(
    'INVALID_TIME_BOUNDS',
    `Private actions can't be bound to a time: omit time_bounds, or use an execute_after in the past and an execute_before at least ${TIME_BOUND_SECONDS} seconds ahead. The proof itself expires earlier.`,
  );
}

const PLACE = 'params.transaction.apply_action';

/**
 * Parses an executed transaction.
 * @throws RpcError for another selector and for typed data of another chain; InvalidRequest,
 *   InvalidFelt for an unreadable field
 */
export function privateActionOf(
  transaction: Executed,
  { fee_mode: { mode } }: PaymasterParameters,
  chainId: Felt,
): Omit<PrivateActionInput, 'sponsorKey' | 'caller'> {
  const { apply_actions_call: call, proof = '', proof_facts: facts } = transaction.apply_action;
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
    ...(transaction.type === 'apply_action'
      ? {}
      : { outsideCalls: outsideCallsOf(transaction, chainId) }),
  };
}

function outsideCallsOf(
  { invoke, execute_from_outside: other }: Invoking<Executed>,
  chainId: Felt,
): SignedOutsideCalls {
  const place = `params.transaction.${invoke === undefined ? 'execute_from_outside' : 'invoke'}`;
  const signed = invoke ?? other;
  if (signed === undefined || (invoke !== undefined && other !== undefined))
    throw invalidParams(
      'params.transaction: must have exactly one of invoke and execute_from_outside',
    );
  const { user_address: account, typed_data: typedData, signature } = signed;
  const { domain, message } = typedData;
  if (chainOf(domain.chainId) !== chainId)
    throw invalidParams(`${place}.typed_data.domain.chainId: must be ${chainId}`);
  const ofMessage = `${place}.typed_data.message`;
  return {
    account: readFelt(`${place}.user_address`, account),
    caller: readFelt(`${ofMessage}.Caller`, message.Caller),
    nonce: readFelt(`${ofMessage}.Nonce`, message.Nonce),
    executeAfter: message['Execute After'],
    executeBefore: message['Execute Before'],
    calls: message.Calls.map(({ To, Selector, Calldata }, index) => ({
      to: readFelt(`${ofMessage}.Calls[${index}].To`, To),
      selector: readFelt(`${ofMessage}.Calls[${index}].Selector`, Selector),
      calldata: readFelts(`${ofMessage}.Calls[${index}].Calldata`, Calldata),
    })),
    signature: readFelts(`${place}.signature`, signature),
  };
}

/**
 * Parses the chain of typed data, which is a felt or the short string that the felt encodes. Null
 * for any other text.
 */
function chainOf(text: string): Felt | null {
  const hex = /^0x[0-9a-fA-F]+$/.test(text)
    ? text
    : `0x${Buffer.from(text, 'latin1').toString('hex')}`;
  const felt = tryCatch(() => toFelt(hex));
  return felt.known ? felt.value : null;
}

/** Time in seconds for which the calls of a built transaction may be executed. */
const EXECUTE_WITHIN_SECONDS = 3_600;

/** Returns the calls of a built transaction, as the user's account has to sign them. */
export function builtCallsOf(
  { invoke: { calls } }: Invoking<Served<BuildParams['transaction']>>,
  nowMs: number,
): OutsideCalls {
  const place = 'params.transaction.invoke.calls';
  return {
    caller: ANY_CALLER,
    // 31 random bytes are always a felt.
    nonce: toFelt(`0x${randomBytes(31).toString('hex')}`),
    executeAfter: 1n,
    executeBefore: BigInt(Math.floor(nowMs / 1_000) + EXECUTE_WITHIN_SECONDS),
    calls: calls.map(({ to, selector, calldata }, index) => ({
      to: readFelt(`${place}[${index}].to`, to),
      selector: readFelt(`${place}[${index}].selector`, selector),
      calldata: readFelts(`${place}[${index}].calldata`, calldata),
    })),
  };
}
