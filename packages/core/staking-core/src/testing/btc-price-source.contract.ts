import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { BtcPriceObservation, BtcPriceSource } from '../ports/btc-price-source.port.js';

export interface BtcPriceSourceHarness {
  readonly subject: BtcPriceSource;
  /** Sets the price that the source returns; null for no price. */
  stage(observation: BtcPriceObservation | null): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const OBSERVATION: BtcPriceObservation = {
  usdE8: 6_512_345_678_901n,
  observedAtMs: 1_790_000_000_000,
};

export function describeBtcPriceSourceContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<BtcPriceSourceHarness>,
): void {
  describe(`BtcPriceSource contract (${name})`, () => {
    let harness: BtcPriceSourceHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns the price of BTC and the time of its publication', async () => {
      await harness.stage(OBSERVATION);
      expect(await harness.subject.btcPrice()).toEqual(OBSERVATION);
    });

    it('returns the price of BTC even if the price is old', async () => {
      const old = { ...OBSERVATION, observedAtMs: 1_000 };
      await harness.stage(old);
      expect(await harness.subject.btcPrice()).toEqual(old);
    });

    it('returns null if the source has no price', async () => {
      await harness.stage(null);
      expect(await harness.subject.btcPrice()).toBeNull();
    });

    it('rejects with an error while the source is unavailable', async () => {
      await harness.breakDown();
      await expect(harness.subject.btcPrice()).rejects.toBeInstanceOf(DomainError);
    });
  });
}
