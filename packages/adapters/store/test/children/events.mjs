import { createHash } from 'node:crypto';
import { Felts } from '@sotto/kernel';

export const lane = '0x1a2e';
const calldata = Felts.of(Array.from({ length: 1_900 }, (_, index) => 2n ** 250n + BigInt(index)));
/** Calldata as hex text. The ledger's tests reconstruct this text. */
const text = Buffer.from(calldata.toBytes()).toString('hex');

const keyOf = (name) => `chain|pool|${name}`;
const hashOf = (name) => `0x1${createHash('sha256').update(name).digest('hex').slice(4)}`;
const bound = { maxAmount: 1n, maxPriceFri: 8_000_000_000n };

export function introduceEvent(fence) {
  return { type: 'introduce', lane, fence, accountNonce: 0n, window: 20n, isAccepted: true };
}

export function requestEvent(name, id) {
  const limits = { l2Gas: 1n, l1Gas: 1n, l1DataGas: 1n, priceMultiplier: 3n };
  const target = { to: '0x9001', entrypoint: 'withdraw' };
  const terms = { terms: null, replayProtected: true, deadlineAfterMs: 1 };
  return {
    type: 'request',
    submission: {
      key: keyOf(name),
      id,
      effect: name,
      fingerprint: name,
      kind: 'withdraw',
      subject: '0x9001',
      memo: null,
      role: 'relay',
      target,
      calldata,
      limits,
      ...terms,
    },
  };
}

/** Returns a store command for a nonce that has no row yet. */
export function storeEvent(name, nonce, fence) {
  const bounds = { l2Gas: bound, l1Gas: bound, l1DataGas: bound, tipFri: 0n };
  const head = `signed for ${name}: `;
  const bytes = Buffer.from(`${head}${text}.`);
  const calldataAt = { start: head.length, end: head.length + text.length };
  const transaction = { hash: hashOf(name), bounds, bytes, calldataAt };
  const limits = { ceilingL2PriceFri: bound.maxPriceFri, nonceLimit: nonce + 1n };
  return {
    type: 'store',
    version: 0,
    attempt: { key: keyOf(name), attempt: 1 },
    fingerprint: name,
    lane,
    nonce,
    fence,
    transaction,
    node: 'node-0',
    ...limits,
  };
}

/** Returns a settle command for a nonce whose row has its initial version. */
export function settleEvent(name, nonce, fence) {
  const block = { number: 1, hash: '0xb1' };
  const consumer = {
    hash: hashOf(name),
    execution: 'SUCCEEDED',
    revertReason: null,
    feeFri: 1n,
    block,
  };
  const evidence = {
    first: block,
    last: block,
    blocks: new Map([[block.number, block.hash]]),
    l1BlockNumber: null,
  };
  return { type: 'settle', version: 1, lane, nonce, fence, consumer, evidence };
}

/** Returns an end command for a waiting attempt. */
export function endEvent(name) {
  return {
    type: 'end_waiting',
    attempt: { key: keyOf(name), attempt: 1 },
    to: 'expired',
    code: 'NOT_SENT_IN_TIME',
    notBeforeMs: 0,
  };
}
