import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { LatestBlock } from '../ports/latest-block.port.js';

export interface LatestBlockHarness {
  /** Subject without any earlier read. */
  readonly subject: LatestBlock;
  /**
   * Makes this many blocks, and waits until earlier answers are too old. Returns the latest block's
   * number.
   */
  stage(blocks: number): Promise<number>;
  /** Sets the prices of the latest block, and waits until earlier answers are too old. */
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

    it('gives the number of the latest block to many at once, and follows it', async () => {
      const { subject } = harness;
      const latest = await harness.stage(7);
      expect(await Promise.all([subject.number(), subject.number()])).toEqual([latest, latest]);
      expect(await harness.stage(2)).toBe(latest + 2);
      expect(await subject.number()).toBe(latest + 2);
    });

    it('gives the prices of the latest block in fri', async () => {
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
