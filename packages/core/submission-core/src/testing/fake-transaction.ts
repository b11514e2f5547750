import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { AccountTransaction } from '../ports/chain.port.js';

/** What {@link FakeSigner} writes and {@link FakeChain} reads in place of a signed transaction. */
export interface FakeTransaction {
  readonly hash: Felt;
  readonly account: Felt;
  readonly nonce: bigint;
  readonly l2MaxPriceFri: bigint;
  readonly tipFri: bigint;
  /** What the account must hold. */
  readonly worstCaseFri: bigint;
  /** What a block shows of its calls: empty for a no-op, null for what is not understood. */
  readonly calls: AccountTransaction['calls'];
}

const TEXT =
  /^fake-transaction (0x[0-9a-f]+) (0x[0-9a-f]+) (\d+) (\d+) (\d+) (\d+) (-|(?: ?0x[0-9a-f]+:[^ :]+:[0-9a-f]*)*)$/;

export function encodeFakeTransaction(transaction: FakeTransaction): Uint8Array {
  const { hash, account, nonce, l2MaxPriceFri, tipFri, worstCaseFri } = transaction;
  const calls =
    transaction.calls
      ?.map(({ target, calldata }) => `${target.to}:${target.entrypoint}:${hexOf(calldata)}`)
      .join(' ') ?? '-';
  return new TextEncoder().encode(
    `fake-transaction ${hash} ${account} ${nonce} ${l2MaxPriceFri} ${tipFri} ${worstCaseFri} ${calls}`,
  );
}

/** Null for bytes that no {@link FakeSigner} wrote. */
export function decodeFakeTransaction(bytes: Uint8Array): FakeTransaction | null {
  const [, hash, account, nonce, l2MaxPriceFri, tipFri, worstCaseFri, calls] =
    TEXT.exec(new TextDecoder().decode(bytes)) ?? [];
  if (hash === undefined || account === undefined || nonce === undefined) return null;
  if (
    l2MaxPriceFri === undefined ||
    tipFri === undefined ||
    worstCaseFri === undefined ||
    calls === undefined
  )
    return null;
  return {
    hash: toFelt(hash),
    account: toFelt(account),
    nonce: BigInt(nonce),
    l2MaxPriceFri: BigInt(l2MaxPriceFri),
    tipFri: BigInt(tipFri),
    worstCaseFri: BigInt(worstCaseFri),
    calls: calls === '-' ? null : calls.split(' ').filter(Boolean).map(callOf),
  };
}

function callOf(text: string): NonNullable<AccountTransaction['calls']>[number] {
  const [to = '', entrypoint = '', calldata = ''] = text.split(':');
  return {
    target: { to: toFelt(to), entrypoint },
    calldata: Felts.fromBytes(Buffer.from(calldata, 'hex')),
  };
}

export function hexOf(calldata: Felts): string {
  return Buffer.from(calldata.toBytes()).toString('hex');
}
