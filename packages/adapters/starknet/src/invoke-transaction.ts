import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { WITHDRAW_ENTRYPOINT, splitRecipientGas } from '@sotto/relayer-core';
import type { CallTarget, ResourceBound, ResourceBounds } from '@sotto/submission-core';
import { calldataText, type CallJson, type ExecuteJson } from './calldata-text.js';
import type { ContractCall } from './guard-calls.js';
import type { UnsignedInvoke } from './keys/account-keys.js';
import {
  callOpening,
  isPrivateAction,
  privateActionFelts,
  privateActionText,
} from './private-action-transaction.js';

/** Fields that differ between v3 invoke transactions. */
export interface InvokeParts {
  readonly sender: Felt;
  readonly signature: readonly Felt[];
  readonly nonce: bigint;
  readonly bounds: ResourceBounds;
}

/**
 * Returns the calldata of `__execute__` as felts, in parts. The calls are those of {@link
 * executeJson}.
 * @throws Error if the calldata of private actions is not a packed payload
 */
export function executeFelts(
  target: CallTarget,
  calldata: Felts,
  leading: ContractCall | null = null,
): readonly Felts[] {
  if (isPrivateAction(target)) return privateActionFelts(target.to, calldata);
  return [callHeader(target, calldata, leading), calldata];
}

/**
 * Builds the calldata of `__execute__` up to the calldata of the main call: number of calls,
 * leading call (if there is one), then target, selector and calldata length of the main call. If
 * the calldata of a withdrawal ends with a transfer to the recipient, the transfer is one more
 * call, and its felts follow the withdrawal's felts unchanged.
 */
function callHeader(target: CallTarget, calldata: Felts, leading: ContractCall | null): Felts {
  const carried = mainCalldata(target, calldata);
  const calls = (leading === null ? 1n : 2n) + (carried.length === calldata.length ? 0n : 1n);
  const before =
    leading === null ? [] : [callOpening(leading.target, leading.calldata), leading.calldata];
  return Felts.join(Felts.of([calls]), ...before, callOpening(target, carried));
}

/** Returns the calldata of a call without a transfer that follows the call. */
export function mainCalldata({ entrypoint }: CallTarget, calldata: Felts): Felts {
  return entrypoint === WITHDRAW_ENTRYPOINT ? splitRecipientGas(calldata).withdrawal : calldata;
}

const NO_CALLS_TEXT = Buffer.from('["0x0"]');
/** Calldata of `__execute__` for a transaction without calls. */
export const NO_CALLS: ExecuteJson = {
  bytes: NO_CALLS_TEXT,
  calldataAt: null,
  hashedLength: NO_CALLS_TEXT.length,
};

/**
 * Builds the calldata of `__execute__` with the calls of {@link callHeader}, in the layout of
 * Cairo 1 accounts: an array of felts. The calldata of private actions is a packed payload: its
 * calls, proof facts and proof are one range of the result.
 * @param leading a short call that runs before the main call; private actions have none
 *   @default none
 * @throws Error if the calldata of private actions is not a packed payload
 */
export function executeJson(
  target: CallTarget,
  calldata: Felts,
  leading: ContractCall | null = null,
): ExecuteJson {
  if (isPrivateAction(target)) return privateActionJson(target.to, calldata);
  const text = calldataText(calldata);
  const header = JSON.stringify(callHeader(target, calldata, leading).toHex()).slice(0, -1);
  const bytes = Buffer.from(calldata.length === 0 ? header : `${header},`);
  const json = around(bytes, { bytes: text, calldataAt: { start: 0, end: text.length } }, ']');
  return { ...json, hashedLength: json.bytes.length };
}

function privateActionJson(pool: Felt, packed: Felts): ExecuteJson {
  const { bytes, hashedLength } = privateActionText(pool, packed);
  const opening = Buffer.from('[');
  const calldataAt = { start: 0, end: bytes.length };
  return {
    ...around(opening, { bytes, calldataAt }, ''),
    hashedLength: opening.length + hashedLength,
  };
}

/**
 * Returns the encoding of a call's calldata in the bytes of its transactions.
 * @throws Error if the calldata of private actions is not a packed payload
 */
export function storedText(target: CallTarget, calldata: Felts): Uint8Array {
  return isPrivateAction(target)
    ? privateActionText(target.to, calldata).bytes
    : calldataText(calldata);
}

/**
 * Builds a BROADCASTED_INVOKE_TXN of the specification, without paymaster and deployment data.
 * @param execute calldata of `__execute__`, and for private actions the fields that follow it
 */
export function invokeJson(parts: InvokeParts, execute: CallJson): CallJson {
  const fields = JSON.stringify(fieldsOf(parts));
  return around(Buffer.from(`${fields.slice(0, -1)},"calldata":`), execute, '}');
}

function around(head: Uint8Array, { bytes, calldataAt }: CallJson, tail: string): CallJson {
  return {
    bytes: Buffer.concat([head, bytes, Buffer.from(tail)]),
    calldataAt:
      calldataAt === null
        ? null
        : { start: head.length + calldataAt.start, end: head.length + calldataAt.end },
  };
}

/**
 * Builds the request to a remote signer, in UTF-8: the unsigned transaction in the format of {@link
 * invokeJson}, and the chain id. The field `proof` is omitted, because the transaction hash does
 * not cover it.
 */
export function unsignedInvokeBytes({
  chainId,
  account,
  nonce,
  bounds,
  execute,
}: UnsignedInvoke): Uint8Array {
  const hashed = { bytes: execute.bytes.subarray(0, execute.hashedLength), calldataAt: null };
  return Buffer.concat([
    Buffer.from(`{"chain_id":"${chainId}","transaction":`),
    invokeJson({ sender: account, signature: [], nonce, bounds }, hashed).bytes,
    Buffer.from('}'),
  ]);
}

function fieldsOf({
  sender,
  signature,
  nonce,
  bounds,
}: InvokeParts): Readonly<Record<string, unknown>> {
  const { l1Gas, l1DataGas, l2Gas, tipFri } = bounds;
  return {
    type: 'INVOKE',
    version: '0x3',
    sender_address: sender,
    signature,
    nonce: toFelt(nonce),
    resource_bounds: {
      l1_gas: wireBound(l1Gas),
      l1_data_gas: wireBound(l1DataGas),
      l2_gas: wireBound(l2Gas),
    },
    tip: hex(tipFri),
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: 'L1',
    fee_data_availability_mode: 'L1',
  };
}

function wireBound({ maxAmount, maxPriceFri }: ResourceBound): {
  max_amount: string;
  max_price_per_unit: string;
} {
  return { max_amount: hex(maxAmount), max_price_per_unit: hex(maxPriceFri) };
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
