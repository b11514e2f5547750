import type { GasPriceSource } from '@sotto/relayer-core';
import type { GasPrices } from '@sotto/submission-core';
import { RecentBlock, type RecentBlockSettings } from './recent-block.js';
import type { NodeClient } from './rpc/node-client.js';

/** About the time of a block. */
const MAX_AGE_MS = 2_000;

/** Prices of the newest accepted block, read once for everybody who asks within its time. */
export class StarknetGasPriceSource implements GasPriceSource {
  readonly #recent: RecentBlock;

  /** @param settings @default 2,000 ms and the system's clock */
  constructor(node: NodeClient, settings: Partial<RecentBlockSettings> = {}) {
    this.#recent = new RecentBlock(node, { maxAgeMs: MAX_AGE_MS, ...settings });
  }

  async gasPrices(): Promise<GasPrices> {
    return (await this.#recent.read()).gasPrices;
  }
}
