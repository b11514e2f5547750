import { toFelt, type Felt } from '@sotto/kernel';

/** What {@link FakeSigner} writes and {@link FakeChain} reads in place of a signed transaction. */
export interface FakeTransaction {
  readonly hash: Felt;
  readonly account: Felt;
  readonly nonce: bigint;
  readonly l2MaxPriceFri: bigint;
  readonly tipFri: bigint;
  /** What the account must hold. */
  readonly worstCaseFri: bigint;
}

const TEXT = /^fake-transaction (0x[0-9a-f]+) (0x[0-9a-f]+) (\d+) (\d+) (\d+) (\d+)$/;

export function encodeFakeTransaction(transaction: FakeTransaction): Uint8Array {
  const { hash, account, nonce, l2MaxPriceFri, tipFri, worstCaseFri } = transaction;
  return new TextEncoder().encode(`fake-transaction ${hash} ${account} ${nonce} ${l2MaxPriceFri} ${tipFri} ${worstCaseFri}`);
}

/** Null for bytes that no {@link FakeSigner} wrote. */
export function decodeFakeTransaction(bytes: Uint8Array): FakeTransaction | null {
  const [, hash, account, nonce, l2MaxPriceFri, tipFri, worstCaseFri] = TEXT.exec(new TextDecoder().decode(bytes)) ?? [];
  if (hash === undefined || account === undefined || nonce === undefined) return null;
  if (l2MaxPriceFri === undefined || tipFri === undefined || worstCaseFri === undefined) return null;
  return {
    hash: toFelt(hash),
    account: toFelt(account),
    nonce: BigInt(nonce),
    l2MaxPriceFri: BigInt(l2MaxPriceFri),
    tipFri: BigInt(tipFri),
    worstCaseFri: BigInt(worstCaseFri),
  };
}
