import type { BlockClock } from '@sotto/relayer-core';
import { RecentBlock, type RecentBlockSettings } from './recent-block.js';
import type { NodeClient } from './rpc/node-client.js';

/** Well below the time of a block, so that what is kept per block is at most this much older. */
const MAX_AGE_MS = 500;

/** Height of the newest accepted block, read once for everybody who asks in the same moment. */
export class StarknetBlockClock implements BlockClock {
  readonly #recent: RecentBlock;

  /** @param settings @default 500 ms and the system's clock */
  constructor(node: NodeClient, settings: Partial<RecentBlockSettings> = {}) {
    this.#recent = new RecentBlock(node, { maxAgeMs: MAX_AGE_MS, ...settings });
  }

  async latestBlockNumber(): Promise<number> {
    return (await this.#recent.read()).blockNumber;
  }
}
