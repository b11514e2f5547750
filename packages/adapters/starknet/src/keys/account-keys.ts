import type { Felt } from '@sotto/kernel';
import type { TypedData } from '@sotto/relayer-core';
import type { SigningRequest } from '@sotto/submission-core';
import type { CallJson } from '../calldata-text.js';
import { selectorOf } from '../selectors.js';
import type { StarkSignature } from './account-key.js';

/**
 * What is signed for the check of an account: the hash of no transaction and of no message, so a
 * node may keep the signature.
 */
export const CHECKED_HASH = selectorOf('sotto checks whether it holds the key of this account');

/** A v3 invoke transaction that lacks nothing but its signature. */
export interface UnsignedInvoke extends SigningRequest {
  readonly chainId: Felt;
  /** As it was computed here. */
  readonly hash: Felt;
  /** Calldata of `__execute__`: an array of canonical felts. */
  readonly execute: CallJson;
}

/** A transaction that the holder of the keys would not sign, and has signed none since. */
export interface KeyRefusal {
  readonly account: Felt;
  /** Code of the holder's own, such as SIGNER_REFUSED_BUDGET. */
  readonly reason: string;
  readonly ageMs: number;
}

/**
 * The keys of the accounts that sign, wherever they are held. Every signature that is returned is
 * one over the hash that was computed in this process. Signing changes nothing here: after a
 * rejection the same may be asked for again.
 */
export abstract class AccountKeys {
  /** Rejects when no key is held for the account, or its holder refuses or does not answer. */
  abstract signInvoke(transaction: UnsignedInvoke): Promise<StarkSignature>;
  /** Signs SNIP-12 typed data; rejects as {@link signInvoke} does. */
  abstract signMessage(account: Felt, data: TypedData): Promise<StarkSignature>;
  /** Signs {@link CHECKED_HASH}; rejects as {@link signInvoke} does. */
  abstract signCheck(account: Felt): Promise<StarkSignature>;
  /** The last refusal of each account; a signature of a transaction of the account ends it. */
  abstract refusals(): readonly KeyRefusal[];
  /** Returns true if the holder of the keys answers and signs for this chain. Never rejects. */
  abstract isAnswering(): Promise<boolean>;
  /** Has the code of a signature compiled: the first one else takes some 50 ms. */
  abstract warmUp(): Promise<void>;
  abstract close(): void;
}
