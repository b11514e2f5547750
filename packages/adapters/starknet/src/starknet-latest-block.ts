import { Cached, systemClock, type Clock } from '@sotto/kernel';
import type { LatestBlock, GasPrices } from '@sotto/submission-core';
import { readLatestBlock, type AcceptedBlock } from './latest-block.js';
import type { StarknetNode } from './rpc/starknet-node.js';

/**
 * Maximum age of the cached block, in milliseconds. The block time is much longer. So data that is
 * cached together with this block is at most this much older than the chain.
 */
const MAX_AGE_MS = 500;

/** Reads the newest accepted block once for all concurrent callers. */
export class StarknetLatestBlock implements LatestBlock {
  readonly #blocks: Cached<AcceptedBlock>;

  constructor(
    private readonly node: StarknetNode,
    clock: Clock = systemClock,
  ) {
    this.#blocks = new Cached({ clock, freshMs: MAX_AGE_MS });
  }

  async number(): Promise<number> {
    return (await this.#read()).blockNumber;
  }

  async gasPrices(): Promise<GasPrices> {
    return (await this.#read()).gasPrices;
  }

  #read(): Promise<AcceptedBlock> {
    return this.#blocks.get('', () => readLatestBlock(this.node));
  }
}
