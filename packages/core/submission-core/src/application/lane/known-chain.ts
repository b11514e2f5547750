import type { Felt } from '@sotto/kernel';
import { confirms, contradicts, isValid, type ChainEvidence } from '../../domain/chain-evidence.js';
import type { BlockRef } from '../../domain/rows.js';

/**
 * Number of heads kept in addition to the blocks of rows. The lowest head above a fork shows a
 * rollback.
 */
const HEADS = 64;
const MAX_ROWS = 10_000;

/**
 * Blocks of one chain, linked by closing reads. Each block names its parent, so if the highest one
 * is on the chain, all are. This saves reads; no command is based on it alone.
 */
export class KnownChain {
  #rows = new Map<number, Felt>();
  #heads: readonly BlockRef[] = [];

  /** Highest known block. */
  get top(): BlockRef | null {
    return this.upTo(Infinity);
  }

  /** Highest known block that a chain with this head can have. */
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
   * Adds these blocks if the evidence confirms them. Ignores evidence of another chain or of an
   * older head: its blocks cannot be ordered among the known ones.
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
