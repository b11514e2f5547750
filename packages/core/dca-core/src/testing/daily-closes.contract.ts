import type { TestRunner } from '@sotto/kernel/testing';
import { DomainError } from '@sotto/kernel';
import type { DailyClose, DailyCloses } from '../ports/daily-closes.port.js';

export interface DailyClosesHarness {
  readonly subject: DailyCloses;
  /**
   * A day that has ended. The source must be able to have closes for the thousand days before it.
   */
  readonly lastDay: number;
  /**
   * Sets the closes that the source knows; the source knows no other days. Prices are whole cents.
   */
  serve(closes: readonly DailyClose[]): Promise<void>;
  breakDown(): Promise<void>;
  stop(): Promise<void>;
}

const CENT = 1_000_000n;

export function describeDailyClosesContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<DailyClosesHarness>,
): void {
  describe(`DailyCloses contract (${name})`, () => {
    let harness: DailyClosesHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });
    const daysBack = (count: number): readonly DailyClose[] =>
      Array.from({ length: count }, (_, index) => ({
        day: harness.lastDay - count + 1 + index,
        usdE8: (6_000_000n + BigInt(index)) * CENT,
      }));

    it('returns the closing prices of 200 days exactly and in ascending order, including the first and the last day', async () => {
      const closes = daysBack(202);
      await harness.serve(closes);
      const { subject, lastDay } = harness;
      expect(await subject.closes(lastDay - 200, lastDay - 1)).toEqual(closes.slice(1, -1));
    });

    it('omits the days whose closing price the source does not know', async () => {
      const closes = daysBack(5).filter((_, index) => index !== 2);
      await harness.serve(closes);
      const { subject, lastDay } = harness;
      expect(await subject.closes(lastDay - 4, lastDay)).toEqual(closes);
    });

    it('returns an empty list if the source knows no closing price', async () => {
      await harness.serve([]);
      const { subject, lastDay } = harness;
      expect(await subject.closes(lastDay - 4, lastDay)).toEqual([]);
    });

    it('a request for closing prices fails with a DomainError while the source is unavailable', async () => {
      await harness.breakDown();
      const { subject, lastDay } = harness;
      await expect(subject.closes(lastDay - 4, lastDay)).rejects.toBeInstanceOf(DomainError);
    });
  });
}
