import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { invokeHash, poseidonOf } from '@sotto/stark-hash';
import type {
  CallTarget,
  HashedCall,
  SignedTransaction,
  SigningRequest,
  TransactionSigner,
} from '@sotto/submission-core';
import { CalldataHasher, type CalldataHasherSettings } from './calldata-hasher.js';
import { calldataText, type CallJson } from './calldata-text.js';
import type { LeadingCalls } from './guard-calls.js';
import { NO_CALLS, callHeader, executeJson, invokeJson } from './invoke-transaction.js';
import type { AccountKeys } from './keys/account-keys.js';

export interface AccountSignerSettings extends CalldataHasherSettings {
  /** Short string of the chain's name, as a felt. */
  readonly chainId: Felt;
  /** Of accounts with the multicall `__execute__` of Cairo 1. */
  readonly keys: AccountKeys;
  /** Adds a guard before some calls. @default no call has one */
  readonly leadingCalls?: LeadingCalls;
}

/** Of `__execute__` with an empty list of calls. */
const NO_CALLS_HASH = poseidonOf([0n]);

/** A withdrawal's calldata, about. */
const WARM_UP_CALLDATA = Felts.of(Array.from({ length: 2_020 }, () => 0n));
/**
 * Signs v3 invoke transactions with the keys that it is given. The bytes are the JSON of
 * `invoke_transaction` in UTF-8. The same inputs give the same hash, and with keys that are held
 * here the same bytes. What is long about a call, hash and text of its calldata, is made once; each
 * signature after that takes less than a millisecond of the event loop.
 */
export class StarknetAccountSigner implements TransactionSigner {
  readonly #keys: AccountKeys;
  readonly #chainId: Felt;
  readonly #hasher: CalldataHasher;
  readonly #leadingCalls: LeadingCalls | null;

  constructor({ chainId, keys, leadingCalls, ...hasher }: AccountSignerSettings) {
    this.#keys = keys;
    this.#leadingCalls = leadingCalls ?? null;
    this.#chainId = chainId;
    this.#hasher = new CalldataHasher(hasher);
  }

  async hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall> {
    const calldataHash = await this.#hasher.hash(callHeader(target, calldata), calldata);
    return { target, calldata, calldataHash };
  }

  async signCall(
    { target, calldata, calldataHash }: HashedCall,
    request: SigningRequest,
  ): Promise<SignedTransaction> {
    const leading = (await this.#leadingCalls?.before(target, calldata)) ?? null;
    // A pool may come under attack while a call waits, so a guarded call is hashed when it is
    // signed.
    const hash =
      leading === null
        ? calldataHash
        : await this.#hasher.hash(callHeader(target, calldata, leading), calldata);
    return this.#sign(hash, executeJson(target, calldata, leading), request);
  }

  async calldataText(calldata: Felts): Promise<Uint8Array> {
    return calldataText(calldata);
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(NO_CALLS_HASH, NO_CALLS, request);
  }

  /**
   * Starts the workers and has the code of hashes and signatures compiled: the first ones else take
   * the event loop long.
   */
  async warmUp(): Promise<void> {
    // Threads share compiled WebAssembly, so this warms the event loop's hash too.
    await this.#hasher.warmUp();
    await this.#hasher.hash(WARM_UP_CALLDATA);
    await this.#keys.warmUp();
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.#hasher.close();
  }

  async #sign(
    calldataHash: bigint,
    execute: CallJson,
    request: SigningRequest,
  ): Promise<SignedTransaction> {
    const { account, nonce, bounds } = request;
    const chainId = this.#chainId;
    const hash = toFelt(invokeHash({ sender: account, calldataHash, chainId, nonce, bounds }));
    const signature = await this.#keys.signInvoke({ ...request, chainId, hash, execute });
    return { hash, bounds, ...invokeJson({ sender: account, signature, nonce, bounds }, execute) };
  }
}
