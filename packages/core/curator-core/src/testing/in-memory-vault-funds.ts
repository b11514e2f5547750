import { DomainError, type Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import { FakeSnapshots } from '@sotto/submission-core/testing';
import type { VaultFunds } from '../ports/vault-funds.port.js';

/** The node is unavailable. */
export class FakeNodeDown extends DomainError {
  readonly code = 'FAKE_NODE_DOWN';
  readonly kind = 'unavailable';
}

interface Change {
  readonly vault: Felt;
  readonly block: number;
  /** Idle balance from this block on. */
  readonly idleSats: bigint;
}

/** Balances that a test sets; every change is in a separate block. */
export class InMemoryVaultFunds implements VaultFunds {
  readonly #changes: Change[] = [];
  #reads = 0;
  #failure: DomainError | null = null;

  /** @param snapshots the chain whose blocks hold the changes */
  constructor(readonly snapshots: FakeSnapshots = new FakeSnapshots()) {}

  /** Number of vault reads. */
  get reads(): number {
    return this.#reads;
  }

  /** Idle balance of the vault in the newest block, without counting as a read. */
  idleSats(vault: Felt): bigint {
    return this.#at(vault, this.snapshots.head);
  }

  /**
   * Adds this amount to the vault; a negative amount is removed.
   * @returns the block that shows it
   * @throws RangeError if the vault holds less
   */
  add(vault: Felt, sats: bigint): Snapshot {
    const idleSats = this.idleSats(vault) + sats;
    if (idleSats < 0n) throw new RangeError('the vault holds less than that');
    const block = this.snapshots.mine();
    this.#changes.push({ vault, block: block.number, idleSats });
    return block;
  }

  /** Makes every read reject with this error; null ends that. */
  failReads(failure: DomainError | null = new FakeNodeDown('the node is down')): void {
    this.#failure = failure;
  }

  async idle(vault: Felt, at: Snapshot): Promise<bigint> {
    this.#reads += 1;
    if (this.#failure !== null) throw this.#failure;
    return this.#at(vault, at);
  }

  #at(vault: Felt, { number }: Snapshot): bigint {
    const last = this.#changes.findLast((each) => each.vault === vault && each.block <= number);
    return last?.idleSats ?? 0n;
  }
}
