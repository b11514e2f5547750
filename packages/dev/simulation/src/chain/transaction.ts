import { Felts, type Felt } from '@sotto/kernel';
import {
  decodeFakeTransaction,
  foreignTransaction,
  type FakeTransaction,
} from '@sotto/submission-core/testing';

/** A call in a transaction: the key that it pays and the request that created it. */
export interface Call {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly key: number;
  /** Number of the request that provided the calldata. */
  readonly serial: number;
}

/** A transaction as seen by the network. */
export interface Tx extends FakeTransaction {
  /** Null for a no-op. */
  readonly call: Call | null;
}

export function calldataOf({ key, serial }: Pick<Call, 'key' | 'serial'>): Felts {
  return Felts.of([BigInt(key), BigInt(serial)]);
}

/** A transaction that another program signs with the key of `account`. */
export function foreignTx(account: Felt, nonce: bigint, l2PriceFri: bigint, mark: number): Tx {
  return { ...foreignTransaction(account, nonce, mark), l2PriceFri, call: null };
}

/** True if a program other than the service signed it with the lane's key. */
export function isForeign({ calls }: Tx): boolean {
  return calls === null;
}

/** Decodes a transaction from its wire format. */
export function decoded(bytes: Uint8Array): Tx {
  const transaction = decodeFakeTransaction(bytes);
  if (transaction === null) throw new Error('these bytes are no transaction');
  const [call] = transaction.calls ?? [];
  if (call === undefined) return { ...transaction, call: null };
  const { target, calldata } = call;
  const [key, serial] = [Number(calldata.at(0)), Number(calldata.at(1))];
  return { ...transaction, call: { ...target, key, serial } };
}
