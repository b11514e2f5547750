import { systemClock, type Clock } from '@sotto/kernel';
import { readLatestBlock, type LatestBlock } from './latest-block.js';
import type { NodeClient } from './rpc/node-client.js';

export interface RecentBlockSettings {
  /** How long an answer is used after its request went out. */
  readonly maxAgeMs: number;
  /** @default the system's */
  readonly clock?: Clock;
}

/**
 * The newest accepted block, read once for everybody who asks within its time. A failure is not
 * kept.
 */
export class RecentBlock {
  readonly #maxAgeMs: number;
  readonly #clock: Clock;
  #reading: { readonly startedAtMs: number; readonly block: Promise<LatestBlock> } | null = null;

  constructor(
    private readonly node: NodeClient,
    { maxAgeMs, clock = systemClock }: RecentBlockSettings,
  ) {
    this.#maxAgeMs = maxAgeMs;
    this.#clock = clock;
  }

  async read(): Promise<LatestBlock> {
    const now = this.#clock.monotonicMs();
    if (this.#reading !== null && now - this.#reading.startedAtMs < this.#maxAgeMs)
      return this.#reading.block;
    const reading = { startedAtMs: now, block: readLatestBlock(this.node) };
    this.#reading = reading;
    try {
      return await reading.block;
    } catch (error) {
      if (this.#reading === reading) this.#reading = null;
      throw error;
    }
  }
}
