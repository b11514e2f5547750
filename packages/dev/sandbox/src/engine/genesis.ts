import type { ContractModel } from './contract.js';

/** Contract that exists from block 0, with its initial storage. */
export interface GenesisContract {
  readonly address: bigint;
  readonly model: ContractModel;
  readonly storage?: Readonly<Record<string, bigint>>;
}

/** Account whose private key is public, for tests and development only. */
export interface GenesisAccount {
  readonly address: bigint;
  readonly publicKey: bigint;
  readonly privateKey: bigint;
}

/** Initial state of the chain. `chainId` is a short string such as `SN_SEPOLIA`. */
export interface Genesis {
  readonly chainId: string;
  readonly feeToken: bigint;
  readonly contracts: readonly GenesisContract[];
  readonly accounts: readonly GenesisAccount[];
  /** Declared classes that can replace the class of a contract. @default none */
  readonly classes?: readonly ContractModel[];
  /**
   * Number of empty blocks after block 0, which are ACCEPTED_ON_L1 from the start. A proof needs a
   * base block that is some blocks old.
   * @default 0
   */
  readonly emptyBlocks?: number;
}
