import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '@sotto/kernel';
import type { GasPrices } from '@sotto/submission-core';
import type { GasPriceSource } from '../../fees/ports/gas-price-source.port.js';

export interface GasPriceSourceHarness {
  /** Has been asked for nothing yet. */
  readonly subject: GasPriceSource;
  /** Makes these the prices of the latest block. */
  stage(prices: GasPrices): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

export function describeGasPriceSourceContract(
  name: string,
  start: () => Promise<GasPriceSourceHarness>,
): void {
  describe(`GasPriceSource contract (${name})`, () => {
    let harness: GasPriceSourceHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('gives the prices of the latest block in fri', async () => {
      const prices = {
        l2GasFri: 11_000_000_000n,
        l1GasFri: 27_000_000_000_000n,
        l1DataGasFri: 1_234_567n,
      };
      await harness.stage(prices);
      expect(await harness.subject.gasPrices()).toEqual(prices);
    });

    it('rejects with an error when the node does not answer', async () => {
      await harness.breakDown();
      await expect(harness.subject.gasPrices()).rejects.toBeInstanceOf(DomainError);
    });
  });
}
