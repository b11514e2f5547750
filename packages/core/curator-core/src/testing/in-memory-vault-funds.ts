import { DomainError, type Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import { FakeSnapshots } from '@sotto/submission-core/testing';
import type { VaultFunds } from '../ports/vault-funds.port.js';

/** The node can't answer. */
export class FakeNodeDown extends DomainError {
  readonly code = 'FAKE_NODE_DOWN';
  readonly kind = 'unavailable';
}

interface Change {
  readonly vault: Felt;
  readonly block: number;
  /** In the vault from this block on. */
  readonly idleSats: bigint;
}

/** Balances that a test sets; every change is in a block of its own. */
export class InMemoryVaultFunds implements VaultFunds {
  readonly #changes: Change[] = [];
  #reads = 0;
  #failure: DomainError | null = null;

  /** @param snapshots the chain whose blocks hold the changes */
  constructor(readonly snapshots: FakeSnapshots = new FakeSnapshots()) {}

  /** How often a vault was read. */
  get reads(): number {
    return this.#reads;
  }

  /** What lies idle in the vault in the newest block, without counting as a read. */
  idleSats(vault: Felt): bigint {
    return this.#at(vault, this.snapshots.head);
  }

  /**
   * Puts so much into the vault, or takes it out when it is negative.
   * @returns the block that shows it
   * @throws RangeError when it holds less
   */
  add(vault: Felt, sats: bigint): Snapshot {
    const idleSats = this.idleSats(vault) + sats;
    if (idleSats < 0n) throw new RangeError('the vault holds less than that');
    const block = this.snapshots.mine();
    this.#changes.push({ vault, block: block.number, idleSats });
    return block;
  }

  /** Every read rejects with it until null is given. */
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
