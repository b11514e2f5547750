import type { Felt } from '@sotto/kernel';
import { confirms, contradicts, isValid, type ChainEvidence } from '../domain/chain-evidence.js';
import type { BlockRef } from '../domain/rows.js';

/** Heads that are kept beside the blocks of rows: a rollback is shown by the lowest above its fork. */
const HEADS = 64;
const MAX_ROWS = 10_000;

/**
 * Blocks of one chain, as closing reads have linked them: each names the one before it, so where the
 * highest stands they all do. It saves reads, and no command rests on it alone.
 */
export class KnownChain {
  #rows = new Map<number, Felt>();
  #heads: readonly BlockRef[] = [];

  /** The highest of them. */
  get top(): BlockRef | null {
    return this.upTo(Infinity);
  }

  /** The highest that a chain with this head can have. */
  upTo(number: number): BlockRef | null {
    let found = this.#heads.findLast((head) => head.number <= number) ?? null;
    for (const [height, hash] of this.#rows)
      if (height <= number && height > (found?.number ?? -1)) found = { number: height, hash };
    return found;
  }

  has({ number, hash }: BlockRef): boolean {
    return this.#rows.get(number) === hash;
  }

  /**
   * Takes what the evidence shows of these blocks. Where that is the chain of another head than the
   * known one, or an older head of it, no block of both can be put in one order: it is left as it is.
   */
  extend(evidence: ChainEvidence, blocks: readonly BlockRef[]): void {
    const { top } = this;
    const isOlder = top !== null && top.number > evidence.first.number;
    if (!isValid(evidence) || isOlder || (top !== null && !confirms(evidence, top))) return;
    if (this.#rows.size + blocks.length > MAX_ROWS) this.#rows = new Map();
    for (const block of blocks)
      if (confirms(evidence, block)) this.#rows.set(block.number, block.hash);
    const { first } = evidence;
    if (this.#heads.at(-1)?.number !== first.number)
      this.#heads = [...this.#heads, first].slice(-HEADS);
  }

  /** The block of this chain that the evidence contradicts; null while it contradicts none. */
  undoneBy(evidence: ChainEvidence): BlockRef | null {
    const common = this.upTo(evidence.first.number);
    return common !== null && contradicts(evidence, common) ? common : null;
  }

  forget(): void {
    this.#rows = new Map();
    this.#heads = [];
  }
}
