import { Cached, type Clock } from '@sotto/kernel';
import { z } from 'zod';
import { isOfOneCall, NodeRefusedCall } from './rpc/errors.js';
import type { NodeCall, StarknetNode } from './rpc/starknet-node.js';
import { BlockNumber } from './wire.js';

const Block = z.object({ status: z.literal('ACCEPTED_ON_L1'), block_number: BlockNumber });

const REQUESTED = {
  method: 'starknet_getBlockWithTxHashes',
  params: { block_id: 'l1_accepted' },
  result: Block.transform(({ block_number }) => block_number),
} as const;

/**
 * Reads the height of the newest block with status ACCEPTED_ON_L1. Null if the chain has no such
 * block yet, or if the node does not support the tag. Null also for a malformed response: some
 * nodes return one before the first such block exists.
 */
export const L1_HEIGHT: NodeCall<number | null> = {
  ...REQUESTED,
  readsAs: (failure) => (isOfOneCall(failure) ? null : undefined),
};

export interface L1HeightSettings {
  /** Time for which a height is cached, in milliseconds. */
  readonly maxAgeMs: number;
  /** Time before a node that does not support the tag is queried again, in milliseconds. */
  readonly retryMs: number;
  readonly clock: Clock;
}

/**
 * Height of the newest block with status ACCEPTED_ON_L1. The height never decreases, so the last
 * known height remains a valid minimum while reads fail.
 */
export class L1Height {
  /** Cached height; null if the node does not support the tag. */
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

  /**
   * Returns the height; null if the chain has no such block yet, or if the node does not report the
   * height. Never rejects.
   */
  async read(): Promise<number | null> {
    try {
      this.#known = (await this.#heights.get('', () => this.#query())) ?? this.#known;
    } catch {
      // Keep the known height: the failure may be temporary, or the chain may have no such block
      // yet.
    }
    return this.#known;
  }

  /**
   * Returns `height`, or null if `height` is above the head. A height above the head belongs to
   * another chain and is discarded.
   */
  below(head: number, height: number | null): number | null {
    if (height === null || height <= head) return height;
    this.#known = null;
    this.#heights.clear();
    return null;
  }

  async #query(): Promise<number | null> {
    try {
      return await this.node.call(REQUESTED);
    } catch (error) {
      if (error instanceof NodeRefusedCall) return null;
      throw error;
    }
  }
}
