import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { invokeHash, poseidonOf, warmUp } from '@sotto/stark-hash';
import type {
  CallTarget,
  HashedCall,
  SignedTransaction,
  SigningRequest,
  TransactionSigner,
} from '@sotto/submission-core';
import { AccountKey, AccountKeyUnusable, type SigningAccount } from './account-key.js';
import { CalldataHasher, type CalldataHasherSettings } from './calldata-hasher.js';
import { callHeader, invokeBytes } from './invoke-transaction.js';

export interface AccountSignerSettings extends CalldataHasherSettings {
  /** Short string of the chain's name, as a felt. */
  readonly chainId: Felt;
  /** With the multicall `__execute__` of Cairo 1. */
  readonly accounts: readonly SigningAccount[];
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
const WARM_UP_SIGNATURES = 30;
/** Everybody knows it, so what it signs is worth nothing. */
const WARM_UP_ACCOUNT: SigningAccount = { address: toFelt(1n), privateKey: '0x1' };
const NO_BOUND = { maxAmount: 0n, maxPriceFri: 0n };
const WARM_UP_REQUEST: SigningRequest = {
  account: WARM_UP_ACCOUNT.address,
  nonce: 0n,
  bounds: { l1Gas: NO_BOUND, l2Gas: NO_BOUND, l1DataGas: NO_BOUND, tipFri: 0n },
};

/**
 * Signs v3 invoke transactions of accounts whose keys it holds. The bytes are the JSON of
 * `invoke_transaction` in UTF-8. Signatures are deterministic: the same inputs give the same bytes.
 * What is long about a call, hash and text of its calldata, is made once in `hashCall`; each
 * signature after that takes less than a millisecond of the event loop.
 */
export class StarknetAccountSigner implements TransactionSigner {
  readonly #keys: ReadonlyMap<Felt, AccountKey>;
  readonly #chainId: Felt;
  readonly #hasher: CalldataHasher;
  /** Texts of the calls hashed here, for as long as the call is referenced. */
  readonly #texts = new WeakMap<HashedCall, Uint8Array>();

  /** @throws AccountKeyUnusable naming the account whose key is invalid */
  constructor({ chainId, accounts, ...hasher }: AccountSignerSettings) {
    this.#keys = new Map(accounts.map((account) => [account.address, new AccountKey(account)]));
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
    return this.#sign({ calldataHash: call.calldataHash, json }, this.#keyOf(request), request);
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(NO_CALLS, this.#keyOf(request), request);
  }

  /**
   * Starts the workers, fills the curve's tables and has the code of a signature compiled: the
   * first one else takes some 50 ms of the event loop.
   */
  async warmUp(): Promise<void> {
    warmUp();
    await this.#hasher.warmUp();
    const { hash, json } = await this.#hasher.hash(WARM_UP_CALLDATA);
    const key = new AccountKey(WARM_UP_ACCOUNT);
    for (let signature = 0; signature < WARM_UP_SIGNATURES; signature += 1)
      this.#sign({ calldataHash: hash, json }, key, WARM_UP_REQUEST);
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.#hasher.close();
  }

  #keyOf({ account }: SigningRequest): AccountKey {
    const key = this.#keys.get(account);
    if (key === undefined)
      throw new AccountKeyUnusable({ message: 'no key is held for the account' });
    return key;
  }

  #sign(
    { calldataHash, json }: SignableCalldata,
    key: AccountKey,
    { account, nonce, bounds }: SigningRequest,
  ): SignedTransaction {
    const hash = toFelt(
      invokeHash({ sender: account, calldataHash, chainId: this.#chainId, nonce, bounds }),
    );
    return {
      hash,
      bounds,
      bytes: invokeBytes({ sender: account, signature: key.sign(hash), nonce, bounds }, json),
    };
  }
}
