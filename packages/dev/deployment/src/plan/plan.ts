import type { ContractCall } from '../node/chain-node.js';
import type { Artefact } from '../node/sender.js';

/** A contract that has to stand at an address. */
export interface PlannedContract<Class extends Artefact> {
  /** For people. */
  readonly name: string;
  /** A class to be declared before, or the hash of one that others have declared. */
  readonly contractClass: Class | { readonly classHash: string };
  readonly salt: bigint;
  readonly constructorCalldata: readonly bigint[];
  readonly address: bigint;
}

/** A state that has to hold, and the calls that bring it about. */
export interface SetUp {
  /** For people. */
  readonly name: string;
  /** The view that shows whether it holds. */
  readonly view: ContractCall;
  /** Whether it holds; an unanswered view means that it does not. */
  readonly isDone: (returned: readonly bigint[]) => boolean;
  readonly calls: readonly ContractCall[];
  /** Address of the account that has to make the calls. @default the deployer */
  readonly by?: bigint;
}

/** What has to be on a chain. Carrying it out again where all of it is sends nothing. */
export interface Plan<Class extends Artefact> {
  readonly contracts: readonly PlannedContract<Class>[];
  /** Classes that others call as libraries: declared, and deployed nowhere. @default none */
  readonly libraries?: readonly Class[];
  /** After the contracts, in this order. */
  readonly setUps: readonly SetUp[];
}
