import type { ContractCall } from '../node/chain-node.js';
import type { Artefact } from '../node/sender.js';

/** Contract that must exist at an address. */
export interface PlannedContract<Class extends Artefact> {
  /** Name of the contract in progress lines. */
  readonly name: string;
  /** Class that must be declared first, or hash of a class that is already declared. */
  readonly contractClass: Class | { readonly classHash: string };
  readonly salt: bigint;
  readonly constructorCalldata: readonly bigint[];
  readonly address: bigint;
}

/** State that must exist, and the calls that establish this state. */
export interface SetUp {
  /** Name of the set-up in progress lines. */
  readonly name: string;
  /** View whose result shows whether the state exists. */
  readonly view: ContractCall;
  /**
   * Returns true if the result of the view means that the state exists. If the view fails, the
   * state does not exist.
   */
  readonly isDone: (returned: readonly bigint[]) => boolean;
  readonly calls: readonly ContractCall[];
  /** Address of the account that must send the calls. @default the deployer */
  readonly by?: bigint;
}

/**
 * Contracts and states that must exist on a chain. If all of them exist already, carrying out the
 * plan sends no transaction.
 */
export interface Plan<Class extends Artefact> {
  readonly contracts: readonly PlannedContract<Class>[];
  /**
   * Classes that other classes call as libraries. These classes are declared, but not deployed.
   * @default none
   */
  readonly libraries?: readonly Class[];
  /** Set-ups that run after the deployments, in this order. */
  readonly setUps: readonly SetUp[];
}
