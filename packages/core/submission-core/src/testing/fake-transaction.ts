import { createHash } from 'node:crypto';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { worstCaseFri } from '../domain/resource-bounds.js';
import type { AccountTransaction } from '../ports/chain.port.js';
import type { HashedCall, SigningRequest } from '../ports/transaction-signer.port.js';

/** Transaction that {@link FakeSigner} has signed, as decoded by the network. */
export interface FakeTransaction {
  readonly hash: Felt;
  readonly account: Felt;
  readonly nonce: bigint;
  /** Maximum price of L2 gas, in fri. */
  readonly l2PriceFri: bigint;
  readonly tipFri: bigint;
  /** Balance that the account must have so that a node accepts this transaction, in fri. */
  readonly worstCaseFri: bigint;
  /**
   * Decoded calls of the transaction: an empty list for a no-op, null for an unknown transaction.
   */
  readonly calls: AccountTransaction['calls'];
}

const TEXT = /^(0x[0-9a-f]+) (\d+) (\d+) (\d+) (\d+) [\d,]+ ((?:0x[0-9a-f]+:[^ :]+:[0-9a-f]*)?)$/;

/**
 * Encodes a transaction as text that ends with the calldata. The hash is computed from this text.
 */
export function encodeFakeTransaction(
  { account, nonce, bounds }: SigningRequest,
  call: Pick<HashedCall, 'target' | 'calldata'> | null,
): Uint8Array {
  const { l2Gas, l1Gas, l1DataGas, tipFri } = bounds;
  const amounts = [l2Gas, l1Gas, l1DataGas].flatMap((bound) => [
    bound.maxAmount,
    bound.maxPriceFri,
  ]);
  const fields = [account, nonce, l2Gas.maxPriceFri, tipFri, worstCaseFri(bounds), amounts];
  return new TextEncoder().encode(`${fields.join(' ')} ${call === null ? '' : fakeCallText(call)}`);
}

/** Decodes a transaction; null for bytes that were not encoded by a {@link FakeSigner}. */
export function decodeFakeTransaction(bytes: Uint8Array): FakeTransaction | null {
  const text = new TextDecoder().decode(bytes);
  const fields = TEXT.exec(text);
  if (fields === null) return null;
  const [, account = '', nonce = '', price = '', tip = '', worst = '', call = ''] = fields;
  return {
    hash: hashOf(text),
    account: toFelt(account),
    nonce: BigInt(nonce),
    l2PriceFri: BigInt(price),
    tipFri: BigInt(tip),
    worstCaseFri: BigInt(worst),
    calls: call === '' ? [] : [callOf(call)],
  };
}

/** Returns a transaction that a third party has signed with the key of `account`. */
export function foreignTransaction(
  account: Felt,
  nonce: bigint,
  mark: string | number,
): FakeTransaction {
  const hash = hashOf(`foreign|${account}|${nonce}|${mark}`);
  return { hash, account, nonce, l2PriceFri: 0n, tipFri: 0n, worstCaseFri: 0n, calls: null };
}

function callOf(text: string): Pick<HashedCall, 'target' | 'calldata'> {
  const [to = '', entrypoint = '', calldata = ''] = text.split(':');
  return {
    target: { to: toFelt(to), entrypoint },
    calldata: Felts.fromBytes(Buffer.from(calldata, 'hex')),
  };
}

/** Encodes target and calldata of a call, as at the end of the transaction's text. */
export function fakeCallText({
  target,
  calldata,
}: Pick<HashedCall, 'target' | 'calldata'>): string {
  const hex = Buffer.from(calldata.toBytes()).toString('hex');
  return `${target.to}:${target.entrypoint}:${hex}`;
}

/** Hashes text to a short felt, which is easy to read in the output of a test. */
export function hashOf(text: string): Felt {
  return toFelt(`0x${createHash('md5').update(text).digest('hex').slice(0, 16)}`);
}
