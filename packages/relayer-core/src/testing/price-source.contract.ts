import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@sotto/kernel';
import type { PriceObservation, PriceSource } from '../ports/price-source.port.js';

export interface PriceSourceHarness {
  readonly subject: PriceSource;
  /** What the source knows from now on; assets that are not named have no price. */
  stage(observations: readonly PriceObservation[]): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const AT_MS = 1_790_000_000_000;
const STRK: PriceObservation = { asset: 'STRK', usdE8: 4_310_000n, observedAtMs: AT_MS, sourceCount: 7 };
const WBTC: PriceObservation = { asset: 'WBTC', usdE8: 6_512_345_678_901n, observedAtMs: AT_MS - 60_000, sourceCount: 5 };

export function describePriceSourceContract(name: string, start: () => Promise<PriceSourceHarness>): void {
  describe(`PriceSource contract (${name})`, () => {
    let harness: PriceSourceHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('has a name', () => {
      expect(harness.subject.name).not.toBe('');
    });

    it('observes price, time and number of publishers of each asset', async () => {
      await harness.stage([STRK, WBTC]);
      const observed = await harness.subject.observe(['WBTC', 'STRK']);
      expect(observed).toHaveLength(2);
      expect(observed).toEqual(expect.arrayContaining([STRK, WBTC]));
    });

    it('observes only what it is asked for', async () => {
      await harness.stage([STRK, WBTC]);
      expect(await harness.subject.observe(['STRK'])).toEqual([STRK]);
      expect(await harness.subject.observe([])).toEqual([]);
    });

    it('leaves out an asset that it has no price for', async () => {
      await harness.stage([STRK]);
      expect(await harness.subject.observe(['STRK', 'WBTC'])).toEqual([STRK]);
    });

    it('rejects with a fault when it can not be reached', async () => {
      await harness.breakDown();
      await expect(harness.subject.observe(['STRK'])).rejects.toBeInstanceOf(Fault);
    });
  });
}
