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
}
