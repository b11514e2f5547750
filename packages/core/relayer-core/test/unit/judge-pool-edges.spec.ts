import { describe, expect, it } from '@jest/globals';
import type { Felt } from '@sotto/kernel';
import type { MoneyEntry, PoolControl } from '../../src/index.js';
import { LIMITS, anEntry } from '../support/guard-world.js';
import { usdcPool } from '../support/estimate-world.js';
import { judge, run } from '../support/judged.js';
import { NOW_MS, pool } from '../support/world.js';

const STRK = 10n ** 18n;
const HOUR_MS = 3_600_000;

const failingSince = (lastAtMs: number): PoolControl => ({
  pool: pool.address,
  paused: null,
  resumedAtMs: 0,
  upstream: { failures: 2, lastAtMs },
});
const liveIn = (subject: Felt, costFri: bigint | null, acceptedAtMs = NOW_MS) => ({
  key: 'a',
  kind: costFri === null ? 'deploy_batch' : 'withdraw',
  subject,
  role: 'relay' as const,
  isWaiting: true,
  acceptedAtMs,
  costFri,
});

const spent = (endedAtMs: number, gasPaidFri: bigint, of = pool): MoneyEntry =>
  anEntry(of, endedAtMs, { gasPaidFri, terms: null });
const endOf = (lastMs: number): number => lastMs + LIMITS.pauseMs;

const CHEAP_REVERT = { state: 'reverted', gasPaidFri: 1n } as const;
const LOST = { gasPaidFri: 2n * STRK } as const;
const UNSENT = { state: 'expired', gasPaidFri: 0n } as const;

describe('several runs of failures', () => {
  it('a pause with several causes ends at the latest of the causes’ end times', () => {
    const entries = run(CHEAP_REVERT, CHEAP_REVERT, CHEAP_REVERT);
    const endMs = endOf(NOW_MS - 1_000);
    expect(judge({ entries, control: failingSince(endMs - 999), nowMs: endMs })).toMatchObject({
      kind: 'paused',
      cause: 'upstream',
      untilMs: endMs + 1,
    });
    expect(judge({ entries, control: failingSince(NOW_MS - 500) })).toMatchObject({
      cause: 'reverts',
      untilMs: endMs,
    });
  });

  it('reports `reverts` as the cause of a pause if each revert is a loss as well', () => {
    expect(
      judge({ entries: run(CHEAP_REVERT, CHEAP_REVERT, CHEAP_REVERT, CHEAP_REVERT) }),
    ).toMatchObject({ cause: 'reverts' });
  });
});

describe('a failure recorded by a clock that was an hour ahead', () => {
  it('the pool admits a trial request at once if its last failure is recorded an hour in the future', () => {
    expect(judge({ control: failingSince(NOW_MS + HOUR_MS) })).toMatchObject({
      kind: 'trial',
      cause: 'upstream',
    });
  });

  it('pauses the pool if its last failure is recorded in the near future', () => {
    expect(judge({ control: failingSince(NOW_MS + 1_000) })).toMatchObject({
      kind: 'paused',
      untilMs: NOW_MS + 2_000,
    });
  });
});

describe('a run of losses', () => {
  it('attempts without gas cost do not interrupt a series of losses', () => {
    expect(judge({ entries: run(LOST, LOST, UNSENT, LOST, UNSENT, LOST) })).toMatchObject({
      kind: 'paused',
      cause: 'losses',
    });
  });

  it('a success without gas cost interrupts a series of losses', () => {
    expect(judge({ entries: run(LOST, LOST, { gasPaidFri: 0n }, LOST, LOST) })).toEqual({
      kind: 'open',
    });
  });
});

describe('the trial after a pause', () => {
  const endMs = NOW_MS - 1_000 + LIMITS.pauseMs;

  it('only a batch uses up the trial request after a series of failed batches', () => {
    const batch = { state: 'reverted', terms: null, gasPaidFri: 1n } as const;
    const entries = run(batch, batch, batch);
    expect(judge({ entries, nowMs: endMs }, 'batch')).toMatchObject({ kind: 'trial' });
    expect(
      judge({ entries, nowMs: endMs, live: [liveIn(pool.address, null, endMs)] }, 'batch'),
    ).toMatchObject({ kind: 'paused' });
    expect(
      judge({ entries, nowMs: endMs, live: [liveIn(pool.address, 1n, endMs)] }, 'batch'),
    ).toMatchObject({ kind: 'trial' });
  });

  it('an attempt in flight in one pool does not use up the trial request of another pool', () => {
    const entries = run(CHEAP_REVERT, CHEAP_REVERT, CHEAP_REVERT);
    expect(
      judge({ entries, nowMs: endMs, live: [liveIn(usdcPool.address, 1n, endMs)] }),
    ).toMatchObject({ kind: 'trial' });
  });
});

describe('the budget of gas', () => {
  it('live attempts in one pool use up the total gas budget, but not the budget of another pool', () => {
    expect(judge({ live: [liveIn(usdcPool.address, 12n * STRK)] })).toEqual({ kind: 'open' });
    expect(judge({ live: [liveIn(usdcPool.address, 25n * STRK)] })).toEqual({
      kind: 'exhausted',
      scope: 'all',
      untilMs: NOW_MS + 30_000,
    });
  });

  it('an exhausted budget of a pool becomes free only when the pool’s own spending is an hour old', () => {
    const entries = [spent(NOW_MS - 3_000, 9n * STRK, usdcPool), spent(NOW_MS - 2_000, 10n * STRK)];
    expect(judge({ entries })).toEqual({
      kind: 'exhausted',
      scope: 'pool',
      untilMs: NOW_MS - 2_000 + HOUR_MS,
    });
  });

  it('an exhausted total budget becomes free when the spending of any pool becomes an hour old', () => {
    const entries = [spent(NOW_MS - 3_000, 25n * STRK, usdcPool)];
    expect(judge({ entries })).toEqual({
      kind: 'exhausted',
      scope: 'all',
      untilMs: NOW_MS - 3_000 + HOUR_MS,
    });
  });

  it.each([HOUR_MS, HOUR_MS + 5_000])(
    'gas spending from %i ms ago does not count towards the budget’s time window',
    (agoMs) => {
      const entries = [spent(NOW_MS - agoMs, 10n * STRK), spent(NOW_MS - 2_000, 10n * STRK)];
      expect(judge({ entries })).toEqual({
        kind: 'exhausted',
        scope: 'pool',
        untilMs: NOW_MS - 2_000 + HOUR_MS,
      });
    },
  );

  it('a gas budget is exhausted if the spending in its time window equals the limit exactly', () => {
    const entries = [spent(NOW_MS - 3_000, 4n * STRK), spent(NOW_MS - 2_000, 10n * STRK)];
    expect(judge({ entries })).toEqual({
      kind: 'exhausted',
      scope: 'pool',
      untilMs: NOW_MS - 2_000 + HOUR_MS,
    });
  });
});
