import { systemClock, type Clock } from '@sotto/kernel';
import type { GasPriceSource } from '@sotto/relayer-core';
import type { GasPrices } from '@sotto/submission-core';
import { readLatestBlock } from './latest-block.js';
import type { NodeClient } from './rpc/node-client.js';

export interface GasPriceSettings {
  /** How long a block's prices are used. @default 2_000, about the time of a block */
  readonly maxAgeMs?: number;
  /** @default the system's */
  readonly clock?: Clock;
}

/** Prices of the newest accepted block, read once for everybody who asks within its time. A failure is not kept. */
export class StarknetGasPriceSource implements GasPriceSource {
  readonly #maxAgeMs: number;
  readonly #clock: Clock;
  #reading: { readonly startedAtMs: number; readonly prices: Promise<GasPrices> } | null = null;

  constructor(
    private readonly node: NodeClient,
    { maxAgeMs = 2_000, clock = systemClock }: GasPriceSettings = {},
  ) {
    this.#maxAgeMs = maxAgeMs;
    this.#clock = clock;
  }

  async gasPrices(): Promise<GasPrices> {
    const nowMs = this.#clock.nowMs();
    if (this.#reading !== null && nowMs - this.#reading.startedAtMs < this.#maxAgeMs) return this.#reading.prices;
    const reading = { startedAtMs: nowMs, prices: this.#read() };
    this.#reading = reading;
    try {
      return await reading.prices;
    } catch (error) {
      if (this.#reading === reading) this.#reading = null;
      throw error;
    }
  }

  async #read(): Promise<GasPrices> {
    return (await readLatestBlock(this.node)).gasPrices;
  }
}
