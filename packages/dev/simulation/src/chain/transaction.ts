import { Felts, type Felt } from '@sotto/kernel';
import {
  decodeFakeTransaction,
  foreignTransaction,
  type FakeTransaction,
} from '@sotto/submission-core/testing';

/**
 * Call in a transaction: the key that it pays, and the number of the request from which it came.
 */
export interface Call {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly key: number;
  /** Number of the request that provided the calldata. */
  readonly serial: number;
  /** Last block in which the contract accepts the call; null for every block. */
  readonly lastBlock: number | null;
}

/** Transaction as the network reads it. */
export interface Tx extends FakeTransaction {
  /** Call that the transaction carries; null for a no-op. */
  readonly call: Call | null;
}

export function calldataOf({
  key,
  serial,
  lastBlock,
}: Pick<Call, 'key' | 'serial' | 'lastBlock'>): Felts {
  const felts = [BigInt(key), BigInt(serial)];
  return Felts.of(lastBlock === null ? felts : [...felts, BigInt(lastBlock)]);
}

/** Returns the last block that the calldata of a call contains; null for every block. */
export function lastBlockIn(calldata: Felts): number | null {
  return calldata.length > 2 ? Number(calldata.at(2)) : null;
}

/** Creates a transaction that another program signs with the key of `account`. */
export function foreignTx(account: Felt, nonce: bigint, l2PriceFri: bigint, mark: number): Tx {
  return { ...foreignTransaction(account, nonce, mark), l2PriceFri, call: null };
}

/** Returns true if a program other than the service signed the transaction with the lane's key. */
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
  const lastBlock = lastBlockIn(calldata);
  return { ...transaction, call: { ...target, key, serial, lastBlock } };
}
