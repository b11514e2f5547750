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
import type { ExecuteJson } from './calldata-text.js';
import type { LeadingCalls } from './guard-calls.js';
import {
  NO_CALLS,
  executeFelts,
  executeJson,
  invokeJson,
  storedText,
} from './invoke-transaction.js';
import type { AccountKeys } from './keys/account-keys.js';
import { isPrivateAction, privateActionText } from './private-action-transaction.js';

export interface AccountSignerSettings extends CalldataHasherSettings {
  /** Chain id: the name of the chain as a short string in a felt. */
  readonly chainId: Felt;
  /**
   * Keys of the accounts. Each account must have the Cairo 1 `__execute__`, which supports several
   * calls.
   */
  readonly keys: AccountKeys;
  /**
   * Chooses the guard call that is executed before a call in the same transaction. Private actions
   * are never guarded. @default no call is guarded
   */
  readonly leadingCalls?: LeadingCalls;
}

/** Hash of the `__execute__` calldata with an empty list of calls. */
const NO_CALLS_HASH = poseidonOf([0n]);

/** Calldata of approximately the same length as that of a withdrawal. */
const WARM_UP_CALLDATA = Felts.of(Array.from({ length: 2_020 }, () => 0n));
/**
 * Signs v3 invoke transactions with the given keys. The bytes are the JSON of `invoke_transaction`
 * in UTF-8. Equal inputs yield equal hashes. If this process stores the keys, equal inputs also
 * yield equal bytes. The hash and the text of a call's calldata are expensive, so they are computed
 * once per call. If the same call is signed again, the event loop is blocked for less than a
 * millisecond.
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
    const calldataHash = await this.#hasher.hash(...executeFelts(target, calldata));
    return { target, calldata, calldataHash };
  }

  async signCall(
    { target, calldata, calldataHash }: HashedCall,
    request: SigningRequest,
  ): Promise<SignedTransaction> {
    if (isPrivateAction(target)) {
      const { proofFactsHash } = privateActionText(target.to, calldata);
      return this.#sign(calldataHash, executeJson(target, calldata), request, proofFactsHash);
    }
    const leading = (await this.#leadingCalls?.before(target, calldata)) ?? null;
    // The hash of a guarded call is computed only when the call is signed. The guard call is not
    // known earlier, because an attack on a pool may start while the call waits.
    const hash =
      leading === null
        ? calldataHash
        : await this.#hasher.hash(...executeFelts(target, calldata, leading));
    return this.#sign(hash, executeJson(target, calldata, leading), request);
  }

  async calldataText(target: CallTarget, calldata: Felts): Promise<Uint8Array> {
    return storedText(target, calldata);
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(NO_CALLS_HASH, NO_CALLS, request);
  }

  /**
   * Starts the workers and compiles the code for hashes and signatures. Without the warm-up, the
   * first hashes and signatures would block the event loop for a long time.
   */
  async warmUp(): Promise<void> {
    // Threads share compiled WebAssembly, so this also warms up the event loop's hash.
    await this.#hasher.warmUp();
    await this.#hasher.hash(WARM_UP_CALLDATA);
    await this.#keys.warmUp();
  }

  /** Stops the workers. */
  async close(): Promise<void> {
    await this.#hasher.close();
  }

  async #sign(
    calldataHash: bigint,
    execute: ExecuteJson,
    request: SigningRequest,
    proofFactsHash: bigint | null = null,
  ): Promise<SignedTransaction> {
    const { account, nonce, bounds } = request;
    const chainId = this.#chainId;
    const hash = toFelt(
      invokeHash({ sender: account, calldataHash, chainId, nonce, bounds, proofFactsHash }),
    );
    const signature = await this.#keys.signInvoke({ ...request, chainId, hash, execute });
    return { hash, bounds, ...invokeJson({ sender: account, signature, nonce, bounds }, execute) };
  }
}
