import type { ContractCall } from './chain-node.js';

/** An account whose key is known. */
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
 * An account that sends. A transaction that was taken need not be in a block yet; one that is
 * refused rejects.
 */
export interface Sender<Class extends Artefact> {
  readonly address: bigint;
  /** The transaction's hash. */
  declare(artefact: Class, nonce: bigint): Promise<string>;
  /** One transaction that makes all calls in their order, or none; its hash. */
  invoke(calls: readonly ContractCall[], nonce: bigint): Promise<string>;
}
