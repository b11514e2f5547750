import type { Clock } from '@sotto/kernel';
import { z } from 'zod';
import { NodeRefusedCall } from './rpc/errors.js';
import type { NodeClient } from './rpc/node-client.js';
import { BlockNumber } from './wire.js';

const Block = z.object({ status: z.literal('ACCEPTED_ON_L1'), block_number: BlockNumber });

export interface L1HeightSettings {
  /** How long an answer is used. */
  readonly maxAgeMs: number;
  /** How long a node is left alone that does not know the tag. */
  readonly retryMs: number;
  readonly clock: Clock;
}

/**
 * Height of the newest block at ACCEPTED_ON_L1. It never falls, so what was read once stays a lower
 * bound while nothing newer can be read.
 */
export class L1Height {
  #known: number | null = null;
  #askAgainAtMs = -Infinity;

  constructor(
    private readonly node: NodeClient,
    private readonly settings: L1HeightSettings,
  ) {}

  /** Null when the chain has no such block yet, or the node does not report it. Never rejects. */
  async read(): Promise<number | null> {
    const { clock, maxAgeMs, retryMs } = this.settings;
    if (clock.monotonicMs() < this.#askAgainAtMs) return this.#known;
    try {
      const params = { block_id: 'l1_accepted' };
      this.#known = (
        await this.node.call({ method: 'starknet_getBlockWithTxHashes', params, result: Block })
      ).block_number;
      this.#askAgainAtMs = clock.monotonicMs() + maxAgeMs;
    } catch (error) {
      // A refusal is about the tag. Any other failure may be over next time, a chain without such a
      // block yet included.
      if (error instanceof NodeRefusedCall) this.#askAgainAtMs = clock.monotonicMs() + retryMs;
    }
    return this.#known;
  }

  /**
   * `height`, unless the chain has not come that far: then it was another chain's, and is
   * forgotten.
   */
  below(head: number, height: number | null): number | null {
    if (height === null || height <= head) return height;
    this.#known = null;
    this.#askAgainAtMs = -Infinity;
    return null;
  }
}
