import type { ContractCall } from './chain-node.js';

/** Account whose private key is known. */
export interface KeyedAccount {
  readonly address: bigint;
  readonly publicKey: bigint;
  readonly privateKey: bigint;
}

/** Class that can be declared. */
export interface Artefact {
  readonly name: string;
  readonly classHash: string;
}

/**
 * Account that sends transactions. A promise resolves when the node accepts the transaction, which
 * may not be in a block yet. The promise rejects if the node rejects the transaction.
 */
export interface Sender<Class extends Artefact> {
  readonly address: bigint;
  /** Declares a class and returns the transaction's hash. */
  declare(artefact: Class, nonce: bigint): Promise<string>;
  /** Sends all calls in one transaction, in order, and returns its hash. */
  invoke(calls: readonly ContractCall[], nonce: bigint): Promise<string>;
}
