import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { worstCaseFri } from '../domain/resource-bounds.js';
import type { AccountTransaction } from '../ports/chain.port.js';
import type { SigningRequest } from '../ports/transaction-signer.port.js';
import { hashOf } from './fake-blocks.js';

/** Fields of a transaction that the network's rules read. */
export interface FeeOffer {
  readonly hash: Felt;
  readonly account: Felt;
  readonly nonce: bigint;
  /** Highest price of L2 gas. */
  readonly l2PriceFri: bigint;
  readonly tipFri: bigint;
  /** Balance that the account must have. */
  readonly worstCaseFri: bigint;
}

type Calls = NonNullable<AccountTransaction['calls']>;

/** A transaction that {@link FakeSigner} signs, as the network reads it. */
export interface FakeTransaction extends FeeOffer {
  /** Calls as a block shows them: empty for a no-op, null for an unknown transaction. */
  readonly calls: Calls | null;
}

const TEXT =
  /^(0x[0-9a-f]+) (\d+) (\d+) (\d+) (\d+) [\d,]+ ((?:0x[0-9a-f]+:[^ :]+:[0-9a-f]*)?)$/;

/** Writes a transaction as text, which ends with the calldata. Its hash follows from the text. */
export function encodeFakeTransaction(
  { account, nonce, bounds }: SigningRequest,
  call: Calls[number] | null,
): Uint8Array {
  const { l2Gas, l1Gas, l1DataGas, tipFri } = bounds;
  const amounts = [l2Gas, l1Gas, l1DataGas].flatMap((bound) => [
    bound.maxAmount,
    bound.maxPriceFri,
  ]);
  const fields = [account, nonce, l2Gas.maxPriceFri, tipFri, worstCaseFri(bounds), amounts];
  const { target, calldata } = call ?? {};
  const text =
    target === undefined || calldata === undefined
      ? ''
      : `${target.to}:${target.entrypoint}:${hexOf(calldata)}`;
  return new TextEncoder().encode(`${fields.join(' ')} ${text}`);
}

/** Returns null for bytes that no {@link FakeSigner} wrote. */
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

/** Returns a transaction that something else signs with the key of `account`. */
export function foreignTransaction(account: Felt, nonce: bigint, mark: string | number): FeeOffer {
  const hash = hashOf(`foreign|${account}|${nonce}|${mark}`);
  return { hash, account, nonce, l2PriceFri: 0n, tipFri: 0n, worstCaseFri: 0n };
}

function callOf(text: string): Calls[number] {
  const [to = '', entrypoint = '', calldata = ''] = text.split(':');
  return {
    target: { to: toFelt(to), entrypoint },
    calldata: Felts.fromBytes(Buffer.from(calldata, 'hex')),
  };
}

function hexOf(calldata: Felts): string {
  return Buffer.from(calldata.toBytes()).toString('hex');
}
