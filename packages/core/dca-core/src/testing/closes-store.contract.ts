import type { TestRunner } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { ClosesStore } from '../ports/closes-store.port.js';

export interface ClosesStoreHarness {
  /** Store that contains no closes. */
  readonly subject: ClosesStore;
  /** Opens the same store again, as another process would. */
  reopen(): Promise<ClosesStore>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const DAY = 20_000;
/** Price in 1e-8 USD that does not fit into 64 bits. */
const HUGE = 2n ** 90n;

export function describeClosesStoreContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<ClosesStoreHarness>,
): void {
  describe(`ClosesStore contract (${name})`, () => {
    let harness: ClosesStoreHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('a new store returns no closing prices', async () => {
      expect(await harness.subject.closes(0, 100_000)).toEqual([]);
    });

    it('returns each closing price exactly, ordered by day and then by source, including the first and the last day', async () => {
      const { subject } = harness;
      await subject.keep('beta', [
        { day: DAY + 1, usdE8: 3n },
        { day: DAY, usdE8: 2n },
      ]);
      await subject.keep('alpha', [
        { day: DAY, usdE8: HUGE },
        { day: DAY + 2, usdE8: 5n },
        { day: DAY - 1, usdE8: 6n },
      ]);
      expect(await (await harness.reopen()).closes(DAY, DAY + 1)).toEqual([
        { source: 'alpha', day: DAY, usdE8: HUGE },
        { source: 'beta', day: DAY, usdE8: 2n },
        { source: 'beta', day: DAY + 1, usdE8: 3n },
      ]);
    });

    it('a closing price is replaced only by a newer closing price of the same source and day', async () => {
      const { subject } = harness;
      await subject.keep('alpha', [{ day: DAY, usdE8: 1n }]);
      await subject.keep('beta', [{ day: DAY, usdE8: 2n }]);
      await subject.keep('alpha', [{ day: DAY, usdE8: 7n }]);
      await subject.keep('alpha', []);
      expect(await subject.closes(DAY, DAY)).toEqual([
        { source: 'alpha', day: DAY, usdE8: 7n },
        { source: 'beta', day: DAY, usdE8: 2n },
      ]);
    });

    it('stores the closing prices of many years in one call', async () => {
      const { subject } = harness;
      const many = Array.from({ length: 3_000 }, (_, day) => ({ day, usdE8: BigInt(day + 1) }));
      await subject.keep('alpha', many);
      expect(await subject.closes(0, 2_999)).toEqual(
        many.map((close) => ({ source: 'alpha', ...close })),
      );
    });

    it('calls fail with LedgerUnavailable while the store of closing prices is unavailable', async () => {
      const { subject } = harness;
      await harness.breakDown();
      await expect(subject.closes(DAY, DAY)).rejects.toBeInstanceOf(LedgerUnavailable);
      await expect(subject.keep('alpha', [{ day: DAY, usdE8: 1n }])).rejects.toBeInstanceOf(
        LedgerUnavailable,
      );
    });
  });
}
