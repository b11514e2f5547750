import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { RefreshCloses, dayOf } from '../../src/index.js';
import { FakeClosesDown, FakeDailyCloses, InMemoryClosesStore } from '../../src/testing/index.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SETTLE_MS = 900_000;
const USD_E8 = 6_000_000_000_000n;

describe('RefreshCloses', () => {
  let clock: ManualClock;
  let store: InMemoryClosesStore;
  let alpha: FakeDailyCloses;
  let beta: FakeDailyCloses;
  let subject: RefreshCloses;
  let today: number;
  beforeEach(() => {
    clock = new ManualClock(20_000 * DAY_MS + SETTLE_MS);
    today = dayOf(clock.nowMs() / 1_000);
    store = new InMemoryClosesStore();
    alpha = new FakeDailyCloses('alpha');
    beta = new FakeDailyCloses('beta');
    for (const source of [alpha, beta])
      for (let day = today - 300; day < today + 2; day += 1) source.set(day, USD_E8);
    subject = new RefreshCloses([alpha, beta], store, clock, {
      settleMs: SETTLE_MS,
      queryAgainMs: HOUR_MS,
    });
  });

  it('requests the closing prices of the last 200 days from each source once, and stores the prices of each source separately', async () => {
    expect(await subject.round()).toEqual([
      { source: 'alpha', kept: 200, failure: null },
      { source: 'beta', kept: 200, failure: null },
    ]);
    expect(alpha.requested).toEqual([[today - 200, today - 1]]);
    const kept = await store.closes(0, today + 10);
    expect(kept).toHaveLength(400);
    expect(kept.every(({ day }) => day >= today - 200 && day < today)).toBe(true);
  });

  it('requests only one day’s closing price on the next day', async () => {
    await subject.round();
    clock.advance(5 * HOUR_MS);
    expect(await subject.round()).toEqual([]);
    clock.advance(DAY_MS - 5 * HOUR_MS);
    await subject.round();
    expect(alpha.requested.at(-1)).toEqual([today, today]);
    expect(alpha.requested).toHaveLength(2);
  });

  it('requests a day’s closing price only after a delay that begins at midnight', async () => {
    await subject.round();
    clock.advance(DAY_MS - 1);
    expect(await subject.round()).toEqual([]);
    clock.advance(1);
    expect(await subject.round()).toHaveLength(2);
  });

  it('requests a missing daily closing price once an hour, only from the source that lacks this price', async () => {
    alpha.set(today - 5, null);
    await subject.round();
    clock.advance(HOUR_MS - 1);
    expect(await subject.round()).toEqual([]);
    alpha.set(today - 5, 1n);
    clock.advance(1);
    expect(await subject.round()).toEqual([{ source: 'alpha', kept: 1, failure: null }]);
    expect(alpha.requested.at(-1)).toEqual([today - 5, today - 5]);
    expect(beta.requested).toHaveLength(1);
  });

  it('stores the closing prices of one source if the second source fails', async () => {
    alpha.fail();
    const results = await subject.round();
    expect(results).toMatchObject([
      { source: 'alpha', kept: 0 },
      { source: 'beta', kept: 200, failure: null },
    ]);
    expect(results[0]?.failure).toBeInstanceOf(FakeClosesDown);
    alpha.fail(null);
    clock.advance(HOUR_MS);
    expect(await subject.round()).toEqual([{ source: 'alpha', kept: 200, failure: null }]);
  });

  it('stores no closing price for a day that was not requested, and no price of 0 or less', async () => {
    alpha.set(today - 2, 0n);
    alpha.set(today - 3, -1n);
    const boundless = {
      name: 'alpha',
      closes: () => alpha.closes(0, today + 100),
    };
    const results = await new RefreshCloses([boundless], store, clock, {
      settleMs: SETTLE_MS,
      queryAgainMs: HOUR_MS,
    }).round();
    expect(results).toEqual([{ source: 'alpha', kept: 198, failure: null }]);
    expect(await store.closes(today, today + 100)).toEqual([]);
  });

  it('a later response never replaces a daily closing price that the sources agreed on', async () => {
    await subject.round();
    alpha.set(today - 1, 1n);
    alpha.set(today - 100, null);
    clock.advance(DAY_MS);
    await subject.round();
    expect(await store.closes(today - 1, today - 1)).toMatchObject([
      { source: 'alpha', usdE8: USD_E8 },
      { source: 'beta', usdE8: USD_E8 },
    ]);
  });

  it('requests a day’s closing price again from both sources until the sources agree', async () => {
    beta.set(today - 3, USD_E8 * 2n);
    await subject.round();
    expect(await subject.round()).toEqual([]);
    clock.advance(HOUR_MS);
    expect(await subject.round()).toMatchObject([{ kept: 1 }, { kept: 1 }]);
    expect(alpha.requested.at(-1)).toEqual([today - 3, today - 3]);
    beta.set(today - 3, USD_E8);
    clock.advance(HOUR_MS);
    await subject.round();
    clock.advance(HOUR_MS);
    expect(await subject.round()).toEqual([]);
    expect(await store.closes(today - 3, today - 3)).toMatchObject([
      { source: 'alpha', usdE8: USD_E8 },
      { source: 'beta', usdE8: USD_E8 },
    ]);
  });

  it('the refresh of daily closing prices rejects while the store is unavailable', async () => {
    store.fail();
    await expect(subject.round()).rejects.toBeInstanceOf(LedgerUnavailable);
  });

  it('requests missing daily closing prices again after the clock was set back', async () => {
    alpha.fail();
    await subject.round();
    alpha.fail(null);
    clock.step(-2 * HOUR_MS);
    expect(await subject.round()).toMatchObject([{ source: 'alpha', failure: null }, {}]);
  });
});
