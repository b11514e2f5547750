import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { RefreshingValue } from '../../src/application/refreshing-value.js';

const HOUR_MS = 3_600_000;
const settings = { refreshMs: 10_000, maxAgeMs: 60_000, waitMs: 1_000, waitAfterFailure: true };

describe('RefreshingValue with a changed system clock', () => {
  it.each([HOUR_MS, -HOUR_MS])(
    'returns and refreshes a cached value as usual after the system clock jumps by %d ms',
    async (stepMs) => {
      const clock = new ManualClock();
      let reads = 0;
      const kept = new RefreshingValue(
        async () => ({ value: (reads += 1), asOfMs: clock.nowMs() }),
        clock,
        settings,
        () => {},
      );
      expect(await kept.get()).toEqual({ known: true, value: 1 });
      clock.step(stepMs);
      expect(await kept.get()).toEqual({ known: true, value: 1 });
      expect(reads).toBe(1);
      clock.advance(settings.refreshMs);
      await kept.get();
      expect(reads).toBe(2);
    },
  );

  it('a cached value expires even if the system clock is set back', async () => {
    const clock = new ManualClock();
    let fails = false;
    const read = async () => {
      if (fails) throw new Error('the source is unavailable');
      return { value: 1, asOfMs: clock.nowMs() };
    };
    const kept = new RefreshingValue(read, clock, settings, () => {});
    await kept.get();
    fails = true;
    clock.step(-HOUR_MS);
    clock.advance(settings.maxAgeMs + 1);
    expect(await kept.get()).toMatchObject({ known: false, hasEverSucceeded: true });
  });
});
