import type { ContractCall } from '../node/chain-node.js';
import type { Artefact } from '../node/sender.js';

/** A contract required at an address. */
export interface PlannedContract<Class extends Artefact> {
  /** Name in progress lines. */
  readonly name: string;
  /** Class to be declared first, or hash of an already declared class. */
  readonly contractClass: Class | { readonly classHash: string };
  readonly salt: bigint;
  readonly constructorCalldata: readonly bigint[];
  readonly address: bigint;
}

/** A required state, and the calls that establish it. */
export interface SetUp {
  /** Name in progress lines. */
  readonly name: string;
  /** View that shows whether the state is established. */
  readonly view: ContractCall;
  /** Returns true if the state is established; a failed view means that it is not. */
  readonly isDone: (returned: readonly bigint[]) => boolean;
  readonly calls: readonly ContractCall[];
  /** Address of the account that must send the calls. @default the deployer */
  readonly by?: bigint;
}

/** Required contents of a chain. Carrying a plan out on a complete chain sends nothing. */
export interface Plan<Class extends Artefact> {
  readonly contracts: readonly PlannedContract<Class>[];
  /** Classes that others call as libraries: declared, but not deployed. @default none */
  readonly libraries?: readonly Class[];
  /** Set-ups after the contracts, in this order. */
  readonly setUps: readonly SetUp[];
}
