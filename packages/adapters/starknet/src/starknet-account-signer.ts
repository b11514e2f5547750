import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { invokeHash, poseidonOf, warmUp } from '@sotto/stark-hash';
import type {
  CallTarget,
  HashedCall,
  SignedTransaction,
  SigningRequest,
  TransactionSigner,
} from '@sotto/submission-core';
import { CalldataHasher, type CalldataHasherSettings } from './calldata-hasher.js';
import { callHeader, invokeBytes } from './invoke-transaction.js';
import type { AccountKeys } from './keys/account-keys.js';

export interface AccountSignerSettings extends CalldataHasherSettings {
  /** Short string of the chain's name, as a felt. */
  readonly chainId: Felt;
  /** Of accounts with the multicall `__execute__` of Cairo 1. */
  readonly keys: AccountKeys;
}

/** Calldata of `__execute__`, as far as a transaction needs it. */
interface SignableCalldata {
  readonly calldataHash: bigint;
  /** JSON array of felts, in UTF-8. */
  readonly json: Uint8Array;
}

/** `__execute__` with an empty list of calls. */
const NO_CALLS: SignableCalldata = {
  calldataHash: poseidonOf([0n]),
  json: new TextEncoder().encode('["0x0"]'),
};

/** A withdrawal's calldata, about. */
const WARM_UP_CALLDATA = Felts.of(Array.from({ length: 2_020 }, () => 0n));
/**
 * Signs v3 invoke transactions with the keys that it is given. The bytes are the JSON of
 * `invoke_transaction` in UTF-8. The same inputs give the same hash, and with keys that are held
 * here the same bytes. What is long about a call, hash and text of its calldata, is made once in
 * `hashCall`; each signature after that takes less than a millisecond of the event loop.
 */
export class StarknetAccountSigner implements TransactionSigner {
  readonly #keys: AccountKeys;
  readonly #chainId: Felt;
  readonly #hasher: CalldataHasher;
  /** Texts of the calls hashed here, for as long as the call is referenced. */
  readonly #texts = new WeakMap<HashedCall, Uint8Array>();

  constructor({ chainId, keys, ...hasher }: AccountSignerSettings) {
    this.#keys = keys;
    this.#chainId = chainId;
    this.#hasher = new CalldataHasher(hasher);
  }

  async hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall> {
    const { hash, json } = await this.#hasher.hash(callHeader(target, calldata), calldata);
    const call: HashedCall = { target, calldata, calldataHash: hash };
    this.#texts.set(call, json);
    return call;
  }

  async signCall(call: HashedCall, request: SigningRequest): Promise<SignedTransaction> {
    const json =
      this.#texts.get(call) ??
      (await this.#hasher.hash(callHeader(call.target, call.calldata), call.calldata)).json;
    return this.#sign({ calldataHash: call.calldataHash, json }, request);
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(NO_CALLS, request);
  }

  /**
   * Starts the workers and has the code of hashes and signatures compiled: the first ones else take
   * the event loop long.
   */
  async warmUp(): Promise<void> {
    warmUp();
    await this.#hasher.warmUp();
    await this.#hasher.hash(WARM_UP_CALLDATA);
    await this.#keys.warmUp();
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.#hasher.close();
  }

  async #sign(
    { calldataHash, json }: SignableCalldata,
    request: SigningRequest,
  ): Promise<SignedTransaction> {
    const { account, nonce, bounds } = request;
    const chainId = this.#chainId;
    const hash = toFelt(invokeHash({ sender: account, calldataHash, chainId, nonce, bounds }));
    const signature = await this.#keys.signInvoke({
      ...request,
      chainId,
      hash,
      calldataJson: json,
    });
    return {
      hash,
      bounds,
      bytes: invokeBytes({ sender: account, signature, nonce, bounds }, json),
    };
  }
}
