import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { WITHDRAW_ENTRYPOINT, splitRecipientGas } from '@sotto/relayer-core';
import type { CallTarget, ResourceBound, ResourceBounds } from '@sotto/submission-core';
import { calldataText, type CallJson } from './calldata-text.js';
import type { ContractCall } from './guard-calls.js';
import type { UnsignedInvoke } from './keys/account-keys.js';
import { selectorOf } from './selectors.js';

/** Fields that differ between v3 invoke transactions. */
export interface InvokeParts {
  readonly sender: Felt;
  readonly signature: readonly Felt[];
  readonly nonce: bigint;
  readonly bounds: ResourceBounds;
}

/**
 * Builds the calldata of `__execute__` up to the calldata of the main call: number of calls,
 * leading call (if there is one), then target, selector and calldata length of the main call. If
 * the calldata of a withdrawal ends with a transfer to the recipient, the transfer is one more
 * call, and its felts follow the withdrawal's felts unchanged.
 */
export function callHeader(
  target: CallTarget,
  calldata: Felts,
  leading: ContractCall | null = null,
): Felts {
  const carried = mainCalldata(target, calldata);
  const calls = (leading === null ? 1n : 2n) + (carried.length === calldata.length ? 0n : 1n);
  const before =
    leading === null
      ? []
      : [...opening(leading.target, leading.calldata), ...leading.calldata.toHex().map(BigInt)];
  return Felts.of([calls, ...before, ...opening(target, carried)]);
}

/** Returns the calldata of a call without a transfer that follows the call. */
export function mainCalldata({ entrypoint }: CallTarget, calldata: Felts): Felts {
  return entrypoint === WITHDRAW_ENTRYPOINT ? splitRecipientGas(calldata).withdrawal : calldata;
}

/** Encodes the target and the selector of a call and the length of its calldata. */
function opening({ to, entrypoint }: CallTarget, calldata: Felts): readonly bigint[] {
  return [BigInt(to), BigInt(selectorOf(entrypoint)), BigInt(calldata.length)];
}

/** Calldata of `__execute__` for a transaction without calls. */
export const NO_CALLS: CallJson = { bytes: Buffer.from('["0x0"]'), calldataAt: null };

/**
 * Builds the calldata of `__execute__` with the calls of {@link callHeader}, in the layout of
 * Cairo 1 accounts: an array of felts.
 * @param leading a short call that runs before the main call @default none
 */
export function executeJson(
  target: CallTarget,
  calldata: Felts,
  leading: ContractCall | null = null,
): CallJson {
  const text = calldataText(calldata);
  const header = JSON.stringify(callHeader(target, calldata, leading).toHex()).slice(0, -1);
  const bytes = Buffer.from(calldata.length === 0 ? header : `${header},`);
  return around(bytes, { bytes: text, calldataAt: { start: 0, end: text.length } }, ']');
}

/**
 * Builds a BROADCASTED_INVOKE_TXN of the specification, without paymaster, deployment and proof
 * data.
 * @param execute calldata of `__execute__`
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
 * invokeJson}, and the chain id.
 */
export function unsignedInvokeBytes({
  chainId,
  account,
  nonce,
  bounds,
  execute,
}: UnsignedInvoke): Uint8Array {
  return Buffer.concat([
    Buffer.from(`{"chain_id":"${chainId}","transaction":`),
    invokeJson({ sender: account, signature: [], nonce, bounds }, execute).bytes,
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
