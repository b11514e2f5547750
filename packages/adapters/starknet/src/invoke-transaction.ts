import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { CallTarget, ResourceBound, ResourceBounds } from '@sotto/submission-core';
import type { UnsignedInvoke } from './keys/account-keys.js';
import { selectorOf } from './selectors.js';

/** What is different from one v3 invoke transaction to the next. */
export interface InvokeParts {
  readonly sender: Felt;
  readonly signature: readonly Felt[];
  readonly nonce: bigint;
  readonly bounds: ResourceBounds;
}

/**
 * `__execute__` with one call, up to the call's own calldata: number of calls, target, selector,
 * length.
 */
export function callHeader({ to, entrypoint }: CallTarget, calldata: Felts): Felts {
  return Felts.of([1n, BigInt(to), BigInt(selectorOf(entrypoint)), BigInt(calldata.length)]);
}

/** Calldata of `__execute__` with one call, as Cairo 1 accounts read it. */
export function executeCalldata(target: CallTarget, calldata: Felts): readonly string[] {
  return [...callHeader(target, calldata).toHex(), ...calldata.toHex()];
}

/** BROADCASTED_INVOKE_TXN of the specification, without paymaster, deployment and proof data. */
export function wireInvoke({
  calldata,
  ...parts
}: InvokeParts & { readonly calldata: readonly string[] }): Readonly<Record<string, unknown>> {
  return { ...fieldsOf(parts), calldata };
}

/** The same in UTF-8, around calldata that is a JSON text already. */
export function invokeBytes(parts: InvokeParts, calldataJson: Uint8Array): Uint8Array {
  const fields = JSON.stringify(fieldsOf(parts));
  return Buffer.concat([
    Buffer.from(`${fields.slice(0, -1)},"calldata":`),
    calldataJson,
    Buffer.from('}'),
  ]);
}

/**
 * What a signer elsewhere is sent, in UTF-8: the transaction as {@link invokeBytes} has it, without
 * a signature, and its chain.
 */
export function unsignedInvokeBytes({
  chainId,
  account,
  nonce,
  bounds,
  calldataJson,
}: UnsignedInvoke): Uint8Array {
  return Buffer.concat([
    Buffer.from(`{"chain_id":"${chainId}","transaction":`),
    invokeBytes({ sender: account, signature: [], nonce, bounds }, calldataJson),
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
