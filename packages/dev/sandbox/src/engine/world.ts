import type { ContractModel, Entrypoint } from './contract.js';
import { selectorOf } from './felt.js';
import type { Genesis } from './genesis.js';

/** Contract model that is deployed at an address. */
export interface DeployedContract {
  readonly address: bigint;
  readonly model: ContractModel;
  /** Returns the entry point with this selector; undefined if the contract has none. */
  entrypoint(selector: bigint): Entrypoint | undefined;
}

/** All contracts of the chain. Contracts exist from block 0, and no contract is deployed later. */
export class World {
  readonly #contracts = new Map<bigint, DeployedContract>();

  constructor(genesis: Genesis) {
    for (const { address, model } of genesis.contracts) {
      if (this.#contracts.has(address))
        throw new Error(`two contracts at address 0x${address.toString(16)}`);
      this.#contracts.set(address, deploy(address, model));
    }
  }

  contractAt(address: bigint): DeployedContract | undefined {
    return this.#contracts.get(address);
  }

  /**
   * Returns the model with this class hash; undefined if no contract of this chain has this class.
   */
  classOf(hash: bigint): ContractModel | undefined {
    return [...this.#contracts.values()].find(({ model }) => model.classHash === hash)?.model;
  }

  /**
   * Returns true if the contract is an account, which means that its model has the entry point
   * `__execute__`.
   */
  isAccount(address: bigint): boolean {
    const contract = this.#contracts.get(address);
    return contract !== undefined && Object.hasOwn(contract.model.entrypoints, '__execute__');
  }
}

function deploy(address: bigint, model: ContractModel): DeployedContract {
  const bySelector = new Map(
    Object.entries(model.entrypoints).map(([name, run]) => [selectorOf(name), run]),
  );
  return { address, model, entrypoint: (selector) => bySelector.get(selector) };
}
