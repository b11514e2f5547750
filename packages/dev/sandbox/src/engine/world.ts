import type { ContractModel, Entrypoint } from './contract.js';
import { selectorOf } from './felt.js';
import type { Genesis } from './genesis.js';
import type { StateReader } from './state.js';

/** Contract model that is deployed at an address. */
export interface DeployedContract {
  readonly address: bigint;
  readonly model: ContractModel;
  /** Returns the entry point with this selector; undefined if the contract has none. */
  entrypoint(selector: bigint): Entrypoint | undefined;
}

/**
 * All contracts of the chain. Contracts exist from block 0, and no contract is deployed later. A
 * declared class can replace the class of a contract.
 */
export class World {
  readonly #contracts = new Map<bigint, DeployedContract>();
  readonly #classes: ReadonlyMap<bigint, ContractModel>;
  /** Contracts with a replaced class, by address and class hash. */
  readonly #replaced = new Map<string, DeployedContract>();

  constructor({ contracts, classes = [] }: Genesis) {
    for (const { address, model } of contracts) {
      if (this.#contracts.has(address))
        throw new Error(`two contracts at address 0x${address.toString(16)}`);
      this.#contracts.set(address, deploy(address, model));
    }
    this.#classes = new Map(classes.map((model) => [model.classHash, model]));
  }

  /**
   * Returns the contract at an address. @param state state that contains the contract's class
   * @default the first class of each contract
   */
  contractAt(
    address: bigint,
    state?: Pick<StateReader, 'replacedClass'>,
  ): DeployedContract | undefined {
    const contract = this.#contracts.get(address);
    const classHash = state?.replacedClass(address) ?? 0n;
    const model = classHash === 0n ? undefined : this.#classes.get(classHash);
    if (contract === undefined || model === undefined) return contract;
    const key = `${address}:${classHash}`;
    const replaced = this.#replaced.get(key) ?? deploy(address, model);
    this.#replaced.set(key, replaced);
    return replaced;
  }

  /**
   * Returns the model with this class hash; undefined if no contract of this chain has this class
   * and the class is not declared.
   */
  classOf(hash: bigint): ContractModel | undefined {
    return (
      this.declared(hash) ??
      [...this.#contracts.values()].find(({ model }) => model.classHash === hash)?.model
    );
  }

  /** Returns the declared class that can replace others; undefined if it does not exist. */
  declared(hash: bigint): ContractModel | undefined {
    return this.#classes.get(hash);
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
