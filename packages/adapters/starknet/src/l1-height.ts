import { Cached, type Clock } from '@sotto/kernel';
import { z } from 'zod';
import { isOfOneCall, NodeRefusedCall } from './rpc/errors.js';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import { BlockNumber } from './wire.js';

const Block = z.object({ status: z.literal('ACCEPTED_ON_L1'), block_number: BlockNumber });

const ASKED = {
  method: 'starknet_getBlockWithTxHashes',
  params: { block_id: 'l1_accepted' },
  result: Block.transform(({ block_number }) => block_number),
} as const;

/**
 * The height now; null where the chain has no such block yet, the node does not know the tag, or
 * answers nonsense, as some do before the first one: then nothing is final yet.
 */
export const L1_HEIGHT: NodeCall<number | null> = {
  ...ASKED,
  readsAs: (failure) => (isOfOneCall(failure) ? null : undefined),
};

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
  /** Null: the node does not know the tag. */
  readonly #heights: Cached<number | null>;
  #known: number | null = null;

  constructor(
    private readonly node: StarknetNode,
    { clock, maxAgeMs, retryMs }: L1HeightSettings,
  ) {
    this.#heights = new Cached({
      clock,
      freshMs: (height) => (height === null ? retryMs : maxAgeMs),
    });
  }

  /** Null when the chain has no such block yet, or the node does not report it. Never rejects. */
  async read(): Promise<number | null> {
    try {
      this.#known = (await this.#heights.get('', () => this.#ask())) ?? this.#known;
    } catch {
      // The failure may be over next time, a chain without such a block yet included.
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
    this.#heights.clear();
    return null;
  }

  async #ask(): Promise<number | null> {
    try {
      return await this.node.call(ASKED);
    } catch (error) {
      if (error instanceof NodeRefusedCall) return null;
      throw error;
    }
  }
}
