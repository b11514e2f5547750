import { createHash } from 'node:crypto';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import {
  worstCaseFri,
  type CallTarget,
  type HashedCall,
  type SignedTransaction,
  type SigningRequest,
  type TransactionSigner,
} from '@sotto/submission-core';

/** A call as a transaction carries it: which key it pays, and which request put it there. */
export interface Call {
  readonly to: Felt;
  readonly entrypoint: string;
  readonly key: number;
  /** Number of the request whose calldata it is. */
  readonly serial: number;
}

/** What the network sees of a transaction. */
export interface Tx {
  readonly hash: Felt;
  readonly account: Felt;
  readonly nonce: bigint;
  readonly l2PriceFri: bigint;
  readonly tipFri: bigint;
  readonly worstCaseFri: bigint;
  /** Null for a no-op. */
  readonly call: Call | null;
  /** Signed with the lane's key by something that is not the service. */
  readonly isForeign: boolean;
}

const NO_CALL = 'noop';

/** Signs nothing, and gives every distinct transaction a hash of its own. */
export class CheapSigner implements TransactionSigner {
  async hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall> {
    return { target, calldata, calldataHash: 0n };
  }

  async signCall(
    { target, calldata }: HashedCall,
    request: SigningRequest,
  ): Promise<SignedTransaction> {
    const serials = serialsOf(calldata);
    return signed(`${target.to}.${target.entrypoint}.${serials}`, request, serials);
  }

  async calldataText(calldata: Felts): Promise<Uint8Array> {
    return new TextEncoder().encode(serialsOf(calldata));
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return signed(NO_CALL, request);
  }
}

export function calldataOf({ key, serial }: Pick<Call, 'key' | 'serial'>): Felts {
  return Felts.of([BigInt(key), BigInt(serial)]);
}

/** A transaction that something else signs with the key of `account`. */
export function foreignTx(account: Felt, nonce: bigint, l2PriceFri: bigint, mark: number): Tx {
  const hash = hashOf(`foreign|${account}|${nonce}|${mark}`);
  return {
    hash,
    account,
    nonce,
    l2PriceFri,
    tipFri: 0n,
    worstCaseFri: 0n,
    call: null,
    isForeign: true,
  };
}

function serialsOf(calldata: Felts): string {
  return `${calldata.at(0)}.${calldata.at(1)}`;
}

/** @param calldata what stands for it at the end of the call; undefined for a no-op */
function signed(
  call: string,
  { account, nonce, bounds }: SigningRequest,
  calldata?: string,
): SignedTransaction {
  const { l2Gas, l1Gas, l1DataGas, tipFri } = bounds;
  const rest = [
    l2Gas.maxAmount,
    l1Gas.maxAmount,
    l1Gas.maxPriceFri,
    l1DataGas.maxAmount,
    l1DataGas.maxPriceFri,
  ].join(',');
  const head = [account, nonce, call].join('|');
  const text = [head, l2Gas.maxPriceFri, tipFri, worstCaseFri(bounds), rest].join('|');
  const calldataAt =
    calldata === undefined ? null : { start: head.length - calldata.length, end: head.length };
  return { hash: hashOf(text), bounds, bytes: new TextEncoder().encode(text), calldataAt };
}

/** What the bytes on the wire say. */
export function decoded(bytes: Uint8Array): Tx {
  const text = new TextDecoder().decode(bytes);
  const [account = '', nonce = '', call = '', price = '', tip = '', worst = ''] = text.split('|');
  const [to = '', entrypoint = '', key = '', serial = ''] = call.split('.');
  return {
    hash: hashOf(text),
    account: toFelt(account),
    nonce: BigInt(nonce),
    l2PriceFri: BigInt(price),
    tipFri: BigInt(tip),
    worstCaseFri: BigInt(worst),
    call:
      call === NO_CALL
        ? null
        : { to: toFelt(to), entrypoint, key: Number(key), serial: Number(serial) },
    isForeign: false,
  };
}

/** Short, because stories name them. */
export function hashOf(text: string): Felt {
  return toFelt(`0x${createHash('md5').update(text).digest('hex').slice(0, 16)}`);
}
