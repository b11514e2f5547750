import type { DomainError, Felt } from '@sotto/kernel';
import type { Snapshot } from '@sotto/submission-core';
import { FakeSnapshots } from '@sotto/submission-core/testing';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import type { LeveragePosition } from '../domain/leverage/position.js';
import type { LeveragePositions } from '../ports/leverage-positions.port.js';
import { FakeNodeDown } from './in-memory-vault-funds.js';

interface Change {
  readonly vault: Felt;
  readonly block: number;
  readonly position: LeveragePosition;
}

const PERCENT = 10n ** 16n;
const EMPTY: LeveragePosition = {
  collateral: 0n,
  debt: 0n,
  nominalDebt: 0n,
  held: 0n,
  freeLiquidity: 0n,
  borrowRateE18: 2n * PERCENT,
  supplyRateE18: 3n * PERCENT,
  maxLtvE18: 86n * PERCENT,
};

/** Positions in memory, set by a test. Every change is in a separate block. */
export class InMemoryLeveragePositions implements LeveragePositions {
  readonly #changes: Change[] = [];
  #failure: DomainError | null = null;

  /** @param snapshots fake chain whose blocks contain the changes */
  constructor(readonly snapshots: FakeSnapshots = new FakeSnapshots()) {}

  now(vault: Felt): LeveragePosition {
    return this.#at(vault, this.snapshots.head);
  }

  /**
   * @param changes changed fields; a `debt` without a `nominalDebt` sets both fields
   * @returns the block that contains the change
   */
  change(vault: Felt, changes: Partial<LeveragePosition>): Snapshot {
    const before = this.now(vault);
    const nominalDebt = changes.nominalDebt ?? changes.debt ?? before.nominalDebt;
    const position = { ...before, ...changes, nominalDebt };
    const block = this.snapshots.mine();
    this.#changes.push({ vault, block: block.number, position });
    return block;
  }

  /** Makes every read reject with this error. Null restores normal behaviour. */
  failReads(failure: DomainError | null = new FakeNodeDown('the node is down')): void {
    this.#failure = failure;
  }

  async read({ address }: LeveragedVault, snapshot: Snapshot): Promise<LeveragePosition> {
    if (this.#failure !== null) throw this.#failure;
    return this.#at(address, snapshot);
  }

  #at(vault: Felt, { number }: Snapshot): LeveragePosition {
    const last = this.#changes.findLast((each) => each.vault === vault && each.block <= number);
    return last?.position ?? EMPTY;
  }
}
