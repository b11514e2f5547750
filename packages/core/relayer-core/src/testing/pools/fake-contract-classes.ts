import type { DomainError, Felt } from '@sotto/kernel';
import type { ContractClasses, SierraVersion } from '../../pools/ports/contract-classes.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Returns the contracts and classes that a test has added. */
export class FakeContractClasses implements ContractClasses {
  readonly #contracts = new Map<Felt, Felt>();
  readonly #classes = new Map<Felt, SierraVersion | null>();
  readonly #read: Felt[] = [];
  #failure: DomainError | null = null;

  /** Hashes of the classes that were read, in the order of the reads. */
  get read(): readonly Felt[] {
    return this.#read;
  }

  /** @param sierra null for a class of Cairo 0 */
  deploy(address: Felt, classHash: Felt, sierra: SierraVersion | null = [1, 7, 0]): void {
    this.#contracts.set(address, classHash);
    this.#classes.set(classHash, sierra);
  }

  /** Makes every read reject with this error. Null makes later reads succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async hashesAt(addresses: readonly Felt[]): Promise<readonly (Felt | null)[]> {
    if (this.#failure !== null) throw this.#failure;
    return addresses.map((address) => this.#contracts.get(address) ?? null);
  }

  async sierraVersionOf(classHash: Felt): Promise<SierraVersion | null> {
    if (this.#failure !== null) throw this.#failure;
    const version = this.#classes.get(classHash);
    if (version === undefined) throw new FakeUpstreamDown('no such class');
    this.#read.push(classHash);
    return version;
  }
}
