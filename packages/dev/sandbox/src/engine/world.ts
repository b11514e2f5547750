import type { ContractModel, Entrypoint } from './contract.js';
import { selectorOf } from './felt.js';
import type { Genesis } from './genesis.js';

/** A contract at its address. */
export interface DeployedContract {
  readonly address: bigint;
  readonly model: ContractModel;
  /** Returns the entry point of a selector; undefined if the contract has none. */
  entrypoint(selector: bigint): Entrypoint | undefined;
}

/** All contracts of the chain. Contracts exist from block 0; none is deployed later. */
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

  /** Returns the model of a class that a contract of this chain has. */
  classOf(hash: bigint): ContractModel | undefined {
    return [...this.#contracts.values()].find(({ model }) => model.classHash === hash)?.model;
  }

  /** Returns true for an account: a contract whose model has the entry point `__execute__`. */
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
