import type { DomainError } from '@sotto/kernel';
import type { BlockRef } from '../domain/rows.js';
import { NodeBehind } from '../errors.js';
import type { Snapshot, Snapshots } from '../ports/snapshots.port.js';
import { refOf, secondsOf, type FakeBlock } from './chain-view.js';
import { FakeBlocks } from './fake-blocks.js';
import { FakeNodeDown } from './fake-chain.js';

const FIRST_TIMESTAMP = 1_700_000_000;

/**
 * Chain for tests, with a node that may lag behind the chain. A test adds empty blocks to the
 * chain.
 */
export class FakeSnapshots implements Snapshots {
  readonly #blocks: FakeBlocks;
  #nowSeconds = FIRST_TIMESTAMP;
  #lag = 0;
  #failure: DomainError | null = null;

  constructor() {
    this.#blocks = new FakeBlocks({
      name: 'snapshots',
      balanceFri: 0n,
      l2PriceFri: 0n,
      nowMs: () => this.#nowSeconds * 1_000,
    });
  }

  /** Newest block of the chain, even if the node lags behind it. */
  get head(): Snapshot {
    return snapshotOf(this.#blocks.head);
  }

  /** Adds this many blocks, two seconds apart. @returns the newest block */
  mine(count = 1): Snapshot {
    for (let mined = 0; mined < count; mined += 1) {
      this.passTime(2);
      this.#blocks.close();
    }
    return this.head;
  }

  /** Advances the chain's time by this many seconds before the next block. */
  passTime(seconds: number): void {
    this.#nowSeconds += seconds;
  }

  /** Undoes this many of the newest blocks. Blocks that are added later have different hashes. */
  rollback(count: number): void {
    this.#blocks.rollBack(count);
  }

  /** Makes the node's head lag this many blocks behind the chain. */
  lag(blocks: number): void {
    this.#lag = blocks;
  }

  /** Makes every read reject with this error; null ends this. */
  failReads(failure: DomainError | null = new FakeNodeDown('the node is down')): void {
    this.#failure = failure;
  }

  async latest(after: BlockRef | null): Promise<Snapshot> {
    if (this.#failure !== null) throw this.#failure;
    const shown = this.#blocks.block(Math.max(0, this.#blocks.head.number - this.#lag));
    if (shown === undefined) throw new Error('block 0 is missing');
    if (after !== null) {
      const hash = this.#blocks.block(after.number)?.hash;
      if (shown.number < after.number || hash !== after.hash) throw new NodeBehind();
    }
    return snapshotOf(shown);
  }
}

function snapshotOf(block: FakeBlock): Snapshot {
  return { ...refOf(block), timestamp: secondsOf(block) };
}
