import type { Felt } from '@sotto/kernel';
import type { TransactionStatus } from '@sotto/submission-core';
import { ChainView } from '@sotto/submission-core/testing';
import type { Block, Chain } from './chain.js';
import type { Mempool } from './mempool.js';
import type { Tx } from './transaction.js';

/** False value that a broken node reports. */
export type Nonsense =
  'a time in the future' | 'a time in the past' | 'an L1 height above its head';

/**
 * Version of the chain that one node shows, which may be outdated or an abandoned fork. Any replica
 * may answer a read, while a send uses the node of its claim.
 */
export class Replica extends ChainView<Tx> {
  #blocks: readonly Block[];
  #height: number;
  #l1Height = 0;
  #holds = 0;
  /** True if the node answers no requests. */
  isDown = false;
  /** Maximum lag of this node behind the chain, in milliseconds. */
  lagMs = 0;
  /** False time or L1 height that the node reports; null if the node reports the true values. */
  nonsense: Nonsense | null = null;
  /** Hashes of waiting transactions that this node has received. */
  readonly known = new Set<Felt>();

  constructor(
    chain: Chain,
    readonly name = 'node-0',
  ) {
    super();
    this.#blocks = chain.blocks;
    this.#height = chain.head.number;
  }

  /** Freezes the node's version of the chain until every `hold` was released. */
  hold(): void {
    this.#holds += 1;
  }

  release(chain: Chain): void {
    this.#holds = Math.max(this.#holds - 1, 0);
    this.follow(chain);
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  follow(chain: Chain): void {
    if (this.isHeld) return;
    this.#blocks = chain.blocks;
    this.#height = chain.head.number;
    this.#l1Height = chain.l1Height;
  }

  get head(): Block {
    const head = this.#blocks[this.#height];
    if (head === undefined) throw new Error('a replica is never above its chain');
    return head;
  }

  get l1Height(): number {
    return this.#l1Height;
  }

  block(number: number): Block | undefined {
    return number > this.#height ? undefined : this.#blocks[number];
  }

  reportedStatus(hash: Felt, chain: Chain, pool: Mempool): TransactionStatus {
    const isAtHead = this.#blocks === chain.blocks && this.#height === chain.head.number;
    const isWaiting = (): boolean =>
      this.known.has(hash) && pool.all().some((tx) => tx.hash === hash);
    return this.status(hash, isAtHead ? chain.preConfirmed : [], isWaiting);
  }
}
