import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError, type Felt } from '@sotto/kernel';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { SwapLeaf, SwapLeaves, SwapPoolFigures } from '../../pools/ports/swap-leaves.port.js';

export interface SwapLeavesHarness {
  readonly subject: SwapLeaves;
  /** Reads withdrawals from the same pool. */
  readonly poolReader: PoolReader;
  /** A swap pool in which one swap has left a note. */
  readonly swapPool: Felt;
  readonly filled: { readonly leafIndex: number; readonly leaf: SwapLeaf };
  readonly figures: Omit<SwapPoolFigures, 'blockNumber' | 'timestamp'>;
  readonly knownRoot: bigint;
  /** An address without any contract. */
  readonly nowhere: Felt;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeSwapLeavesContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<SwapLeavesHarness>,
): void {
  describe(`SwapLeaves contract (${name})`, () => {
    let harness: SwapLeavesHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('reads what a swap has left, and the most that a relayer may take of it', async () => {
      const { subject, swapPool, filled } = harness;
      expect(await subject.leaf(swapPool, filled.leafIndex)).toEqual(filled.leaf);
    });

    it('finds nothing in a leaf that no swap has filled', async () => {
      const { subject, swapPool, figures } = harness;
      expect(await subject.leaf(swapPool, figures.nextIndex)).toBeNull();
      expect(await subject.leaf(swapPool, 2 ** 32 - 1)).toBeNull();
    });

    it('reads the figures of the pool, and names their block', async () => {
      const { subject, swapPool, figures } = harness;
      const { blockNumber, timestamp, ...read } = await subject.figures(swapPool);
      expect(read).toEqual(figures);
      expect(blockNumber).toBeGreaterThan(0);
      expect(timestamp).toBeGreaterThan(1_500_000_000);
    });

    it('agrees with what a withdrawal of the leaf reads', async () => {
      const { subject, poolReader, swapPool, filled, figures, knownRoot: root } = harness;
      const leaf = await subject.leaf(swapPool, filled.leafIndex);
      const place = { root, nullifierHash: 7n };
      expect(
        await poolReader.withdrawalFacts(swapPool, { ...place, batchStart: filled.leafIndex }),
      ).toEqual({
        maxFee: filled.leaf.maxFee,
        nextIndex: figures.nextIndex,
        undeployedCount: 0,
        rootKnown: true,
        nullifierSpent: false,
        leaf,
      });
      const further = { root: root + 1n, nullifierHash: 7n, batchStart: figures.nextIndex };
      expect(await poolReader.withdrawalFacts(swapPool, further)).toMatchObject({
        rootKnown: false,
        leaf: null,
      });
      expect(await poolReader.nullifierSpent(swapPool, 7n)).toBe(false);
    });

    it('rejects with an error where no pool is', async () => {
      const { subject, nowhere } = harness;
      await expect(subject.leaf(nowhere, 0)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.figures(nowhere)).rejects.toBeInstanceOf(DomainError);
    });

    it('rejects with an error when the node does not answer', async () => {
      const { subject, swapPool, filled } = harness;
      await harness.breakDown();
      await expect(subject.leaf(swapPool, filled.leafIndex)).rejects.toBeInstanceOf(DomainError);
      await expect(subject.figures(swapPool)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
