import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { CallTarget, HashedCall, SignedTransaction, SigningRequest, TransactionSigner } from '@sotto/submission-core';
import { ec } from 'starknet';
import { AccountKey, AccountKeyUnusable, type SigningAccount } from './account-key.js';
import { CalldataHasher, type CalldataHasherSettings } from './calldata-hasher.js';
import { invokeHash, poseidon } from './invoke-hash.js';
import { callHeader, executeCalldata, wireInvoke } from './invoke-transaction.js';

export interface AccountSignerSettings extends CalldataHasherSettings {
  /** Short string of the chain's name, as a felt. */
  readonly chainId: Felt;
  /** With the multicall `__execute__` of Cairo 1. */
  readonly accounts: readonly SigningAccount[];
}

/** `__execute__` with an empty list of calls. */
const NO_CALLS = Felts.of([0n]);
const NO_CALLS_HASH = poseidon([0n]);

/**
 * Signs v3 invoke transactions of accounts whose keys it holds. The bytes are the JSON of `invoke_transaction` in UTF-8.
 * Signatures are deterministic: the same inputs give the same bytes.
 */
export class StarknetAccountSigner implements TransactionSigner {
  readonly #keys: ReadonlyMap<Felt, AccountKey>;
  readonly #chainId: Felt;
  readonly #hasher: CalldataHasher;

  /** @throws AccountKeyUnusable naming the account whose key is none */
  constructor({ chainId, accounts, ...hasher }: AccountSignerSettings) {
    this.#keys = new Map(accounts.map((account) => [account.address, new AccountKey(account)]));
    this.#chainId = chainId;
    this.#hasher = new CalldataHasher(hasher);
  }

  async hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall> {
    return { target, calldata, calldataHash: await this.#hasher.hash(callHeader(target, calldata), calldata) };
  }

  async signCall(call: HashedCall, request: SigningRequest): Promise<SignedTransaction> {
    const { target, calldata, calldataHash } = call;
    return this.#sign(executeCalldata(target, calldata), calldataHash, request);
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(NO_CALLS.toHex(), NO_CALLS_HASH, request);
  }

  /** Starts the workers and fills the curve's tables: the first signature else takes some 50 ms of the event loop. */
  async warmUp(): Promise<void> {
    ec.starkCurve.sign('1', '1');
    await this.#hasher.warmUp(NO_CALLS);
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.#hasher.close();
  }

  #sign(calldata: readonly string[], calldataHash: bigint, { account, nonce, bounds }: SigningRequest): SignedTransaction {
    const key = this.#keys.get(account);
    if (key === undefined) throw new AccountKeyUnusable('no key is held for the account');
    const hash = toFelt(invokeHash({ sender: account, calldataHash, chainId: this.#chainId, nonce, bounds }));
    const transaction = wireInvoke({ sender: account, calldata, signature: key.sign(hash), nonce, bounds });
    return { hash, bounds, bytes: new TextEncoder().encode(JSON.stringify(transaction)) };
  }
}
