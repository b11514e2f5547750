import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { LatestBlock } from '../ports/latest-block.port.js';

export interface LatestBlockHarness {
  /** Subject that has read no block yet. */
  readonly subject: LatestBlock;
  /**
   * Adds this many blocks, and waits until earlier reads are outdated. Returns the number of the
   * latest block.
   */
  stage(blocks: number): Promise<number>;
  /** Sets the gas prices of the latest block, and waits until earlier reads are outdated. */
  stagePrices(prices: GasPrices): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeLatestBlockContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<LatestBlockHarness>,
): void {
  describe(`LatestBlock contract (${name})`, () => {
    let harness: LatestBlockHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the new block number after a new block', async () => {
      const { subject } = harness;
      const latest = await harness.stage(7);
      expect(await Promise.all([subject.number(), subject.number()])).toEqual([latest, latest]);
      expect(await harness.stage(2)).toBe(latest + 2);
      expect(await subject.number()).toBe(latest + 2);
    });

    it('returns the gas prices of the latest block in fri', async () => {
      const prices = {
        l2GasFri: 11_000_000_000n,
        l1GasFri: 27_000_000_000_000n,
        l1DataGasFri: 1_234_567n,
      };
      await harness.stagePrices(prices);
      expect(await harness.subject.gasPrices()).toEqual(prices);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.number()).rejects.toBeInstanceOf(DomainError);
      await expect(harness.subject.gasPrices()).rejects.toBeInstanceOf(DomainError);
    });
  });
}
