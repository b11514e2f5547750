import type { Felt } from '@sotto/kernel';
import type { BlockRef } from '@sotto/submission-core';
import type { Block, Chain } from './chain/chain.js';
import type { Tx } from './chain/transaction.js';

interface Known {
  readonly number: number;
  readonly parent: Felt | null;
  readonly sent: readonly Tx[];
}

/**
 * Graph of all blocks that were ever accepted, including undone blocks. Each block refers to its
 * parent.
 */
export class BlockGraph {
  readonly #blocks = new Map<Felt, Known>();

  constructor(private readonly chain: Chain) {
    for (const block of chain.blocks) this.closed(block);
  }

  closed({ hash, number, inclusions }: Block): void {
    const parent = this.chain.blocks[number - 1]?.hash ?? null;
    this.#blocks.set(hash, { number, parent, sent: inclusions.map(({ tx }) => tx) });
  }

  /** Returns true if the chain whose newest block is this head contains the block. */
  holds(head: Felt, { number, hash }: BlockRef): boolean {
    return this.#chainOf(head).some((block) => block.number === number && block.hash === hash);
  }

  /** Returns all transactions in the chain whose newest block is this head. */
  sentBelow(head: Felt): readonly Tx[] {
    return this.#chainOf(head).flatMap(({ sent }) => sent);
  }

  #chainOf(head: Felt): (Known & { readonly hash: Felt })[] {
    const found: (Known & { readonly hash: Felt })[] = [];
    for (let hash: Felt | null = head; hash !== null;) {
      const block = this.#blocks.get(hash);
      if (block === undefined) break;
      found.push({ ...block, hash });
      hash = block.parent;
    }
    return found;
  }
}
