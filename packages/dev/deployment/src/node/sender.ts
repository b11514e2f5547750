import type { ContractCall } from './chain-node.js';

/** An account with a known key. */
export interface KeyedAccount {
  readonly address: bigint;
  readonly publicKey: bigint;
  readonly privateKey: bigint;
}

/** A class to be declared. */
export interface Artefact {
  readonly name: string;
  readonly classHash: string;
}

/**
 * An account that sends transactions. An accepted transaction may not be in a block yet; a rejected
 * one makes the promise reject.
 */
export interface Sender<Class extends Artefact> {
  readonly address: bigint;
  /** Declares a class; returns the transaction's hash. */
  declare(artefact: Class, nonce: bigint): Promise<string>;
  /** Sends all calls in one transaction, in order; returns its hash. */
  invoke(calls: readonly ContractCall[], nonce: bigint): Promise<string>;
}
