import { DomainError, type Felt } from '@sotto/kernel';
import type { IdleFunds } from '../domain/idle-funds.js';
import type { VaultFunds } from '../ports/vault-funds.port.js';

/** The node can't answer. */
export class FakeNodeDown extends DomainError {
  readonly code = 'FAKE_NODE_DOWN';
  readonly kind = 'unavailable';
}

/** Balances that a test sets; every change is in a block of its own. */
export class InMemoryVaultFunds implements VaultFunds {
  readonly #idleSats = new Map<Felt, bigint>();
  #blockNumber = 0;
  #reads = 0;
  #failure: DomainError | null = null;

  /** How often a vault was read. */
  get reads(): number {
    return this.#reads;
  }

  /** The latest block. */
  get blockNumber(): number {
    return this.#blockNumber;
  }

  /** What lies idle in the vault, without counting as a read. */
  idleSats(vault: Felt): bigint {
    return this.#idleSats.get(vault) ?? 0n;
  }

  /**
   * Puts so much into the vault, or takes it out when it is negative.
   * @throws RangeError when it holds less
   */
  add(vault: Felt, sats: bigint): void {
    const idleSats = this.idleSats(vault) + sats;
    if (idleSats < 0n) throw new RangeError('the vault holds less than that');
    this.#idleSats.set(vault, idleSats);
    this.#blockNumber += 1;
  }

  /** Every read rejects with it until null is given. */
  failReads(failure: DomainError | null = new FakeNodeDown('the node is down')): void {
    this.#failure = failure;
  }

  async idle(vault: Felt): Promise<IdleFunds> {
    this.#reads += 1;
    if (this.#failure !== null) throw this.#failure;
    return { idleSats: this.idleSats(vault), blockNumber: this.#blockNumber };
  }
}
