import type { Felt } from '@sotto/kernel';
import { confirms, contradicts, isValid, type ChainEvidence } from '../../domain/chain-evidence.js';
import type { BlockRef } from '../../domain/rows.js';

/**
 * Number of chain heads that are stored in addition to the blocks of the ledger's rows. After a
 * rollback of the chain, a mismatch of the lowest head above the fork reveals the rollback.
 */
const HEADS = 64;
const MAX_ROWS = 10_000;

/**
 * Blocks of one chain, linked by closing reads. Each block contains the hash of its parent, so if
 * the highest block is on the chain, all blocks are on the chain. This saves reads. No command is
 * based on these blocks alone.
 */
export class KnownChain {
  #rows = new Map<number, Felt>();
  #heads: readonly BlockRef[] = [];

  /** Highest known block; null if no block is known. */
  get top(): BlockRef | null {
    return this.upTo(Infinity);
  }

  /**
   * Returns the highest known block that is not above this block number; null if there is no such
   * block.
   */
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
   * older head, because the order of its blocks and the known blocks is unknown.
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

  /**
   * Returns the known block that the evidence contradicts; null if the evidence contradicts no
   * known block.
   */
  undoneBy(evidence: ChainEvidence): BlockRef | null {
    const common = this.upTo(evidence.first.number);
    return common !== null && contradicts(evidence, common) ? common : null;
  }

  forget(): void {
    this.#rows = new Map();
    this.#heads = [];
  }
}
