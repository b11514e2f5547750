import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { PriceObservation, PriceSource } from '../ports/price-source.port.js';

export interface PriceSourceHarness {
  readonly subject: PriceSource;
  /** Sets the prices that the source observes. Assets that are not in the list have no price. */
  stage(observations: readonly PriceObservation[]): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const AT_MS = 1_790_000_000_000;
const STRK: PriceObservation = { asset: 'STRK', usdE8: 4_310_000n, observedAtMs: AT_MS };
const WBTC: PriceObservation = {
  asset: 'WBTC',
  usdE8: 6_512_345_678_901n,
  observedAtMs: AT_MS - 60_000,
};

export interface PriceSourceContractOptions {
  /**
   * True if the subject's environment can set the time of an observation. If false, all prices are
   * observed at the present time.
   * @default true
   */
  readonly stagesTimes?: boolean;
}

/**
 * Maximum difference in milliseconds between the clock of a test and the clock of the environment
 * in which the subject runs.
 */
const NOW_WITHIN_MS = 60_000;

export function describePriceSourceContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<PriceSourceHarness>,
  { stagesTimes = true }: PriceSourceContractOptions = {},
): void {
  describe(`PriceSource contract (${name})`, () => {
    let harness: PriceSourceHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    const seen = (observation: PriceObservation): unknown =>
      stagesTimes ? observation : { ...observation, observedAtMs: expect.any(Number) };

    it('a price source has a name', () => {
      expect(harness.subject.name).not.toBe('');
    });

    it('returns price and time of each requested asset', async () => {
      await harness.stage([STRK, WBTC]);
      const observed = await harness.subject.observe(['WBTC', 'STRK']);
      expect(observed).toHaveLength(2);
      expect(observed).toEqual(expect.arrayContaining([seen(STRK), seen(WBTC)]));
    });

    if (!stagesTimes) {
      it('uses the current time for a price without a time from the price source', async () => {
        await harness.stage([STRK]);
        const [observed] = await harness.subject.observe(['STRK']);
        expect(Math.abs(Date.now() - (observed?.observedAtMs ?? 0))).toBeLessThan(NOW_WITHIN_MS);
      });
    }

    it('returns only the requested assets', async () => {
      await harness.stage([STRK, WBTC]);
      expect(await harness.subject.observe(['STRK'])).toEqual([seen(STRK)]);
      expect(await harness.subject.observe([])).toEqual([]);
    });

    it('omits an asset without a price', async () => {
      await harness.stage([STRK]);
      expect(await harness.subject.observe(['STRK', 'WBTC'])).toEqual([seen(STRK)]);
    });

    it('rejects with a DomainError while the source is unavailable', async () => {
      await harness.breakDown();
      await expect(harness.subject.observe(['STRK'])).rejects.toBeInstanceOf(DomainError);
    });
  });
}
