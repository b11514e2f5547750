import type { DomainError } from '@sotto/kernel';
import type { BlockRef } from '../domain/rows.js';
import { NodeBehind } from '../errors.js';
import type { Snapshot, Snapshots } from '../ports/snapshots.port.js';
import { refOf, secondsOf, type FakeBlock } from './chain-view.js';
import { FakeBlocks } from './fake-blocks.js';
import { FakeNodeDown } from './fake-chain.js';

const FIRST_TIMESTAMP = 1_700_000_000;

/** A chain of empty blocks that moves when a test says so, and a node that may lag behind it. */
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

  /** The chain's newest block, however far the node lags behind. */
  get head(): Snapshot {
    return snapshotOf(this.#blocks.head);
  }

  /** Adds so many blocks, two seconds apart. @returns the newest one */
  mine(count = 1): Snapshot {
    for (let mined = 0; mined < count; mined += 1) {
      this.passTime(2);
      this.#blocks.close();
    }
    return this.head;
  }

  /** So many seconds pass until the next block. */
  passTime(seconds: number): void {
    this.#nowSeconds += seconds;
  }

  /** Undoes so many of the newest blocks; those mined after have other hashes. */
  rollback(count: number): void {
    this.#blocks.rollBack(count);
  }

  /** From now on the node shows so many blocks less than there are. */
  lag(blocks: number): void {
    this.#lag = blocks;
  }

  /** Every read rejects with it until null is given. */
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
