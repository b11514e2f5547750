import { createHash } from 'node:crypto';
import { toFelt, type Felt } from '@sotto/kernel';
import type { BlockRef } from '../domain/rows.js';

export interface FakeBlock extends BlockRef {
  readonly timestamp: number;
  /** A block holds one transaction at most. */
  readonly transaction: Felt | null;
}

/**
 * The blocks of a {@link FakeChain} from 0 to its head. A height that is built again after a
 * rollback has another hash.
 */
export class FakeBlocks {
  readonly #blocks: FakeBlock[] = [];
  readonly #name: string;
  readonly #nowSeconds: (number: number) => number;
  #fork = 0;
  #onL1: number | null = null;

  constructor(name: string, nowSeconds: (number: number) => number) {
    this.#name = name;
    this.#nowSeconds = nowSeconds;
    this.add(null);
  }

  get head(): FakeBlock {
    const head = this.#blocks.at(-1);
    if (head === undefined) throw new Error('block 0 is missing');
    return head;
  }

  get onL1(): number | null {
    return this.#onL1;
  }

  at(number: number): FakeBlock | null {
    return this.#blocks[number] ?? null;
  }

  /** Blocks with these heights, both ends included, lowest first. */
  between(from: number, to: number): readonly FakeBlock[] {
    return this.#blocks.filter(({ number }) => number >= from && number <= to);
  }

  add(transaction: Felt | null): FakeBlock {
    const number = this.#blocks.length;
    const parent = this.#blocks.at(-1);
    const digest = createHash('sha256')
      .update([this.#name, this.#fork, number, parent?.hash, transaction].join('|'))
      .digest('hex');
    // 248 bits, so that it always is a felt.
    const hash = toFelt(`0x${digest.slice(2)}`);
    const timestamp = Math.max(this.#nowSeconds(number), parent?.timestamp ?? 0);
    const block = { number, hash, timestamp, transaction };
    this.#blocks.push(block);
    return block;
  }

  /** Takes every block above this one off the chain; returns them, the highest first. */
  undoTo(number: number): readonly FakeBlock[] {
    if (number < 0 || number > this.head.number) throw new Error(`there is no block ${number}`);
    if (this.#onL1 !== null && number < this.#onL1)
      throw new Error(`block ${this.#onL1} is at ACCEPTED_ON_L1`);
    this.#fork += 1;
    return this.#blocks.splice(number + 1).toReversed();
  }

  acceptOnL1(number: number | null): void {
    if (number !== null && this.at(number) === null) throw new Error(`there is no block ${number}`);
    if (number !== null && this.#onL1 !== null && number < this.#onL1)
      throw new Error(`block ${this.#onL1} is at ACCEPTED_ON_L1`);
    this.#onL1 = number;
  }
}
