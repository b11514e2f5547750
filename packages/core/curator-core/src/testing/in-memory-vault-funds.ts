import { DomainError, type Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import { FakeSnapshots } from '@sotto/submission-core/testing';
import type { VaultFunds } from '../ports/vault-funds.port.js';

/** Error of a fake node that is unavailable. */
export class FakeNodeDown extends DomainError {
  readonly code = 'FAKE_NODE_DOWN';
  readonly kind = 'unavailable';
}

interface Change {
  readonly vault: Felt;
  readonly block: number;
  /** Idle balance from the block of this change on, in sats. */
  readonly idleSats: bigint;
}

/** Idle balances in memory, set by a test. Every change is in a separate block. */
export class InMemoryVaultFunds implements VaultFunds {
  readonly #changes: Change[] = [];
  #reads = 0;
  #failure: DomainError | null = null;

  /** @param snapshots fake chain whose blocks contain the changes */
  constructor(readonly snapshots: FakeSnapshots = new FakeSnapshots()) {}

  /** Number of reads of vault balances so far. */
  get reads(): number {
    return this.#reads;
  }

  /**
   * Returns the idle balance of the vault in the newest block. The call is not included in `reads`.
   */
  idleSats(vault: Felt): bigint {
    return this.#at(vault, this.snapshots.head);
  }

  /**
   * Adds this amount to the vault's idle balance; a negative amount is subtracted.
   * @returns the block that contains the change
   * @throws RangeError if the vault holds less than the amount to subtract
   */
  add(vault: Felt, sats: bigint): Snapshot {
    const idleSats = this.idleSats(vault) + sats;
    if (idleSats < 0n) throw new RangeError('the vault holds less than that');
    const block = this.snapshots.mine();
    this.#changes.push({ vault, block: block.number, idleSats });
    return block;
  }

  /** Makes every read reject with this error. Null restores normal behaviour. */
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
