import { Cached, systemClock, type Clock } from '@sotto/kernel';
import { readLatestBlock, type LatestBlock } from './latest-block.js';
import type { NodeClient } from './rpc/node-client.js';

export interface RecentBlockSettings {
  /** How long an answer is used after its request went out. */
  readonly maxAgeMs: number;
  /** @default the system's */
  readonly clock?: Clock;
}

/** The newest accepted block, read once for everybody who asks within its time. */
export class RecentBlock {
  readonly #blocks: Cached<LatestBlock>;

  constructor(
    private readonly node: NodeClient,
    { maxAgeMs, clock = systemClock }: RecentBlockSettings,
  ) {
    this.#blocks = new Cached({ clock, freshMs: maxAgeMs });
  }

  read(): Promise<LatestBlock> {
    return this.#blocks.get('', () => readLatestBlock(this.node));
  }
}
