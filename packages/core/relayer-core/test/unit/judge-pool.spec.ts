import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { SettledAttempt } from '../../src/circuit-breaker/domain/settled-attempt.js';
import { feeTokenToFri } from '../../src/circuit-breaker/domain/money.js';
import { moneyOf } from '../../src/circuit-breaker/domain/pool-pnl.js';
import type { MoneyEntry, PoolControl } from '../../src/index.js';
import { LIMITS, TERMS, anEntry } from '../support/guard-world.js';
import { usdcPool } from '../support/estimate-world.js';
import { judge, run } from '../support/judged.js';
import { NOW_MS, pool } from '../support/world.js';

const STRK = 10n ** 18n;
const HOUR_MS = 3_600_000;
const CALM: PoolControl = {
  pool: pool.address,
  paused: null,
  resumedAtMs: 0,
  upstream: { failures: 0, lastAtMs: 0 },
};

/**
 * Creates entries with these costs. The first entry ended just under an hour ago, and each other
 * entry ended one second after the entry before it.
 */
const spending = (...gas: readonly bigint[]): readonly MoneyEntry[] =>
  gas.map((gasPaidFri, index) =>
    anEntry(pool, NOW_MS - HOUR_MS + 1_000 * (index + 1), { gasPaidFri, terms: null }),
  );
const failing = (failures: number): PoolControl => ({
  ...CALM,
  upstream: { failures, lastAtMs: NOW_MS - 500 },
});
const REVERTED = { state: 'reverted' } as const;
const LOST = { gasPaidFri: 2n * STRK } as const;
const FINE = {};
const UNSENT = { state: 'expired', gasPaidFri: 0n } as const;

/** Queue fields of a live attempt, which do not influence any verdict in these tests. */
const PLACE = { role: 'relay', isWaiting: true } as const;

describe('a run of reverts', () => {
  it('the pause after a series of reverts is measured from the last revert', () => {
    expect(judge({ entries: run(REVERTED, REVERTED) })).toEqual({ kind: 'open' });
    const paused = {
      kind: 'paused',
      cause: 'reverts',
      reason: null,
      untilMs: NOW_MS - 1_000 + LIMITS.pauseMs,
    };
    expect(judge({ entries: run(REVERTED, REVERTED, REVERTED) })).toEqual(paused);
    expect(judge({ entries: run(FINE, REVERTED, REVERTED, UNSENT, REVERTED) })).toEqual(paused);
  });

  it('a success interrupts a series of reverts, but an attempt that never reached the chain does not interrupt it', () => {
    expect(judge({ entries: run(REVERTED, REVERTED, REVERTED, FINE) })).toEqual({ kind: 'open' });
    expect(judge({ entries: run(REVERTED, REVERTED, REVERTED, UNSENT) })).toMatchObject({
      kind: 'paused',
    });
  });

  it('a series of reverts in one pool does not pause other pools', () => {
    expect(judge({ entries: run(REVERTED, REVERTED, REVERTED) }, 'relay', usdcPool)).toEqual({
      kind: 'open',
    });
  });

  it('reverted batches pause only batches, and reverted withdrawals pause only withdrawals', () => {
    const batch = { ...REVERTED, terms: null };
    expect(judge({ entries: run(batch, batch, batch) }, 'batch')).toMatchObject({
      kind: 'paused',
      cause: 'reverts',
    });
    expect(judge({ entries: run(batch, batch, batch) }, 'relay')).toEqual({ kind: 'open' });
    expect(judge({ entries: run(REVERTED, batch, REVERTED, batch) }, 'relay')).toEqual({
      kind: 'open',
    });
    expect(judge({ entries: run(REVERTED, REVERTED, REVERTED) }, 'batch')).toEqual({
      kind: 'open',
    });
  });

  it('reverted deposits pause nothing, because depositors can cause them', () => {
    const deposit = { ...REVERTED, kind: 'deposit', terms: null };
    const entries = run(deposit, deposit, deposit);
    for (const kind of ['deposit', 'batch', 'relay'] as const)
      expect(judge({ entries }, kind)).toEqual({ kind: 'open' });
  });

  it('a pool admits one trial request when its pause for reverts is over', () => {
    const entries = run(REVERTED, REVERTED, REVERTED);
    const endMs = NOW_MS - 1_000 + LIMITS.pauseMs;
    expect(judge({ entries, nowMs: endMs - 1 })).toMatchObject({ kind: 'paused' });
    const trial = judge({ entries, nowMs: endMs });
    expect(trial).toMatchObject({
      kind: 'trial',
      cause: 'reverts',
      claim: expect.stringContaining(String(NOW_MS - 1_000)),
    });
    const call = { ...PLACE, key: 'a', kind: 'withdraw', subject: pool.address };
    expect(
      judge({ entries, nowMs: endMs, live: [{ ...call, acceptedAtMs: endMs, costFri: 1n }] }),
    ).toMatchObject({
      kind: 'paused',
      untilMs: null,
    });
    // The pool’s trial is neither an attempt that was accepted before the end of the pause, nor a
    // batch (`costFri` null).
    expect(
      judge({ entries, nowMs: endMs, live: [{ ...call, acceptedAtMs: endMs - 1, costFri: 1n }] }),
    ).toEqual(trial);
    expect(
      judge({ entries, nowMs: endMs, live: [{ ...call, acceptedAtMs: endMs, costFri: null }] }),
    ).toEqual(trial);
    const failedAgain = [...entries, anEntry(pool, endMs + 5, REVERTED)];
    expect(judge({ entries: failedAgain, nowMs: endMs + 6 })).toMatchObject({
      kind: 'paused',
      untilMs: endMs + 5 + LIMITS.pauseMs,
    });
    expect(judge({ entries: [...entries, anEntry(pool, endMs + 5)], nowMs: endMs + 6 })).toEqual({
      kind: 'open',
    });
  });

  it('ignores reverts that happened earlier than the operator’s resume of the pool', () => {
    const entries = run(REVERTED, REVERTED, REVERTED);
    expect(judge({ entries, control: { ...CALM, resumedAtMs: NOW_MS } })).toEqual({ kind: 'open' });
    expect(judge({ entries, control: { ...CALM, resumedAtMs: NOW_MS - 3_000 } })).toMatchObject({
      kind: 'paused',
    });
  });
});

describe('a run of losses', () => {
  it('a series of withdrawals that cost more than they earn pauses the pool', () => {
    expect(judge({ entries: run(LOST, LOST, LOST) })).toEqual({ kind: 'open' });
    expect(judge({ entries: run(LOST, LOST, LOST, LOST) })).toMatchObject({
      kind: 'paused',
      cause: 'losses',
    });
    expect(judge({ entries: run(LOST, LOST, FINE, LOST, LOST) })).toEqual({ kind: 'open' });
  });

  it('a series of losses includes an attempt that was cancelled at the service’s cost', () => {
    const cancelled = { state: 'expired', gasPaidFri: 1n } as const;
    expect(judge({ entries: run(LOST, cancelled, LOST, cancelled) })).toMatchObject({
      kind: 'paused',
      cause: 'losses',
    });
    expect(judge({ entries: run(LOST, UNSENT, LOST, UNSENT, LOST) })).toEqual({ kind: 'open' });
  });

  it('a series of losses does not include batches, which earn no fee', () => {
    const batch = { terms: null, gasPaidFri: STRK };
    expect(judge({ entries: run(batch, batch, batch, batch, batch) }, 'batch')).toEqual({
      kind: 'open',
    });
  });

  it('T11 a fee that is one percent below the cost because gas prices rose is not a loss', () => {
    const short = { gasPaidFri: (feeTokenToFri(TERMS.feeAmount, TERMS, 8) * 101n) / 100n };
    expect(judge({ entries: run(...Array.from({ length: 8 }, () => short)) })).toEqual({
      kind: 'open',
    });
  });

  it('T11: an attempt is a loss if its fee at admission prices is at most half of its cost', () => {
    const double = { gasPaidFri: 2n * feeTokenToFri(TERMS.feeAmount, TERMS, 8) };
    const less = { gasPaidFri: double.gasPaidFri - 1n };
    expect(judge({ entries: run(less, less, less, less) })).toEqual({ kind: 'open' });
    const over = double;
    expect(judge({ entries: run(over, over, over, over) })).toMatchObject({ cause: 'losses' });
  });
});

describe('a run of upstream failures', () => {
  it('the pool pauses after a series of upstream failures, and then admits one trial request', () => {
    expect(judge({ control: failing(1) })).toEqual({ kind: 'open' });
    expect(judge({ control: failing(2) })).toMatchObject({
      kind: 'paused',
      cause: 'upstream',
      untilMs: NOW_MS - 500 + 1_000,
    });
    expect(judge({ control: failing(2), nowMs: NOW_MS + 500 })).toMatchObject({
      kind: 'trial',
      cause: 'upstream',
    });
  });

  it.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 4_000],
    [400, 4_000],
  ])(
    'T15: after %i failed trial requests, a pause for upstream failures ends %i ms after the last failure',
    (failedTrials, pauseMs) => {
      const control = failing(LIMITS.upstreamFailuresInARow + failedTrials);
      const untilMs = NOW_MS - 500 + pauseMs;
      expect(judge({ control })).toMatchObject({ kind: 'paused', cause: 'upstream', untilMs });
      expect(judge({ control, nowMs: untilMs })).toMatchObject({
        kind: 'trial',
        cause: 'upstream',
      });
    },
  );

  it('T15: the paused pool admits a trial request as soon as the node and the price sources respond again', () => {
    const control = failing(LIMITS.upstreamFailuresInARow + 2);
    const { lastAtMs } = control.upstream;
    expect(judge({ control, upstreamAnsweredAtMs: lastAtMs })).toMatchObject({ kind: 'paused' });
    expect(judge({ control, upstreamAnsweredAtMs: lastAtMs + 1 })).toMatchObject({
      kind: 'trial',
      cause: 'upstream',
    });
    const entries = run(REVERTED, REVERTED, REVERTED);
    expect(judge({ control, entries, upstreamAnsweredAtMs: NOW_MS })).toMatchObject({
      kind: 'paused',
      cause: 'reverts',
    });
  });

  it.each(['relay', 'batch'] as const)(
    'T15: after a pause for upstream failures, requests of the kind %s need no trial once one such request was accepted',
    (kind) => {
      const nowMs = NOW_MS + 500;
      const costFri = kind === 'relay' ? 1n : null;
      const accepted = {
        key: 'a',
        kind: kind === 'relay' ? 'withdraw' : 'deploy_batch',
        subject: pool.address,
        costFri,
        role: kind === 'relay' ? 'relay' : 'curator',
        isWaiting: false,
      } as const;
      const control = failing(2);
      const before = { ...accepted, acceptedAtMs: nowMs - 1 };
      expect(judge({ control, nowMs, live: [before] }, kind)).toMatchObject({ kind: 'trial' });
      const after = { ...accepted, acceptedAtMs: nowMs };
      expect(judge({ control, nowMs, live: [after] }, kind)).toEqual({ kind: 'open' });
    },
  );

  it('T15 upstream failures do not shorten a pause for reverts or losses', () => {
    const control = failing(2);
    const untilMs = NOW_MS - 1_000 + LIMITS.pauseMs;
    expect(judge({ control, entries: run(REVERTED, REVERTED, REVERTED) })).toMatchObject({
      cause: 'reverts',
      untilMs,
    });
    expect(judge({ control, entries: run(LOST, LOST, LOST, LOST) })).toMatchObject({
      cause: 'losses',
      untilMs,
    });
  });
});

describe('a manual pause', () => {
  it('a manual pause does not end automatically', () => {
    const control: PoolControl = { ...CALM, paused: { reason: 'upgrade', sinceMs: 1 } };
    const entries = run(REVERTED, REVERTED, REVERTED);
    expect(judge({ control, entries })).toEqual({
      kind: 'paused',
      cause: 'operator',
      reason: 'upgrade',
      untilMs: null,
    });
    expect(judge({ control, configured: 'not yet' })).toEqual({
      kind: 'paused',
      cause: 'configuration',
      reason: 'not yet',
      untilMs: null,
    });
  });
});

describe('the budget of gas', () => {
  it('the gas spent in the last hour uses up the gas budget, and older spending does not', () => {
    expect(judge({ entries: spending(4n * STRK, 5n * STRK) })).toEqual({ kind: 'open' });
    const entries = spending(4n * STRK, 6n * STRK);
    expect(judge({ entries })).toEqual({
      kind: 'exhausted',
      scope: 'pool',
      untilMs: NOW_MS + 1_000,
    });
    expect(judge({ entries, nowMs: NOW_MS + 999 })).toMatchObject({ kind: 'exhausted' });
    expect(judge({ entries, nowMs: NOW_MS + 1_000 })).toEqual({ kind: 'open' });
    expect(judge({ entries: spending(4n * STRK, 16n * STRK) })).toMatchObject({
      untilMs: NOW_MS + 2_000,
    });
  });

  it('the used gas budget includes the expected gas cost of live attempts', () => {
    const call = { ...PLACE, key: 'a', kind: 'withdraw', subject: pool.address };
    const live = [{ ...call, acceptedAtMs: NOW_MS, costFri: 6n * STRK }];
    expect(judge({ entries: spending(4n * STRK), live })).toMatchObject({
      kind: 'exhausted',
      scope: 'pool',
    });
    expect(judge({ live: [...live, ...live] })).toEqual({
      kind: 'exhausted',
      scope: 'pool',
      untilMs: NOW_MS + 30_000,
    });
  });

  it('an exhausted pool budget stops only that pool; an exhausted total budget stops all pools', () => {
    expect(judge({ entries: spending(20n * STRK) }, 'relay', usdcPool)).toEqual({ kind: 'open' });
    expect(judge({ entries: spending(25n * STRK) }, 'relay', usdcPool)).toMatchObject({
      kind: 'exhausted',
      scope: 'all',
    });
    const curator = anEntry(pool, NOW_MS - 1, {
      subject: toFelt('0x9999'),
      gasPaidFri: 25n * STRK,
      terms: null,
    });
    expect(judge({ entries: [curator] })).toMatchObject({ kind: 'exhausted', scope: 'all' });
  });
});

describe('the money of a pool', () => {
  it('the income and costs of a pool are the sums over the pool’s attempts', () => {
    const entries = [
      ...run(FINE, REVERTED, LOST, UNSENT),
      anEntry(usdcPool, NOW_MS),
      anEntry(pool, NOW_MS, { terms: null }),
    ];
    const call = { ...PLACE, kind: 'withdraw', acceptedAtMs: NOW_MS };
    const live = [
      { key: 'a', ...call, subject: pool.address, costFri: 7n },
      { key: 'b', ...call, subject: usdcPool.address, costFri: 9n },
    ];
    expect(moneyOf(pool, new SettledAttempt(entries), live)).toEqual({
      pool: pool.address,
      earnedFeeToken: 2n * TERMS.feeAmount,
      earnedFri: 2n * STRK,
      spentFri: (STRK / 2n) * 3n + 2n * STRK,
      reservedFri: 7n,
      succeeded: 3,
      reverted: 1,
      unsent: 1,
      losses: 2,
      lostFri: STRK,
    });
  });

  it('the income and costs of a pool do not include other contracts', () => {
    const foreign = anEntry(pool, NOW_MS, { subject: toFelt('0x2') });
    expect(
      moneyOf({ ...pool, address: toFelt('0x1') }, new SettledAttempt([foreign]), []).spentFri,
    ).toBe(0n);
  });
});
