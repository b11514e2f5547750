import { describe, expect, it } from '@jest/globals';
import { LIVE_STATES, type AttemptState } from '@sotto/submission-core';
import * as fc from 'fast-check';
import { retryVerdict } from '../../src/index.js';

const FAILED: readonly AttemptState[] = ['reverted', 'refused', 'expired'];
const failedState = fc.constantFrom(...FAILED);
const time = fc.integer({ min: 1, max: 2_000_000_000_000 });
const base = fc.integer({ min: 1, max: 86_400_000 });
const NEVER_RESUMED = 0;

describe('retryVerdict', () => {
  it('doubles the wait before a retry after each failure', () => {
    fc.assert(
      fc.property(failedState, fc.integer({ min: 1, max: 20 }), time, base, (state, n, end, ms) => {
        const policy = { baseMs: ms, maxFailures: 100 };
        const due = (attempt: number) =>
          retryVerdict({ state, attempt, endedAtMs: end }, policy, NEVER_RESUMED, end)?.dueAtMs ??
          0;
        expect(due(1)).toBe(end + ms);
        expect(due(n + 1) - end).toBe(2 * (due(n) - end));
      }),
    );
  });

  it('the wait before a retry ends exactly at the returned time', () => {
    fc.assert(
      fc.property(failedState, fc.integer({ min: 1, max: 20 }), time, base, (state, n, end, ms) => {
        const at = (nowMs: number) =>
          retryVerdict(
            { state, attempt: n, endedAtMs: end },
            { baseMs: ms, maxFailures: 100 },
            NEVER_RESUMED,
            nowMs,
          );
        const dueAtMs = at(end)?.dueAtMs ?? 0;
        expect(at(dueAtMs - 1)).toEqual({ reason: 'BACKING_OFF', dueAtMs });
        expect(at(dueAtMs)).toBeNull();
      }),
    );
  });

  it('returns a retry time within the range of Date after any number of failures', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), time, base, (attempt, end, baseMs) => {
        const verdict = retryVerdict(
          { state: 'reverted', attempt, endedAtMs: end },
          { baseMs, maxFailures: Number.MAX_SAFE_INTEGER },
          NEVER_RESUMED,
          end,
        );
        expect(verdict?.reason).toBe('BACKING_OFF');
        expect(() => new Date(verdict?.dueAtMs ?? Number.NaN).toISOString()).not.toThrow();
      }),
    );
  });

  it('returns FAILED_TOO_OFTEN once the maximum number of failures is reached, however much time has passed', () => {
    fc.assert(
      fc.property(
        failedState,
        fc.integer({ min: 1, max: 50 }),
        fc.nat(50),
        time,
        (state, maxFailures, more, end) => {
          const last = { state, attempt: maxFailures + more, endedAtMs: end };
          expect(retryVerdict(last, { baseMs: 1, maxFailures }, NEVER_RESUMED, end + 1e12)).toEqual(
            { reason: 'FAILED_TOO_OFTEN', dueAtMs: null },
          );
        },
      ),
    );
  });

  it('allows an immediate retry only if the task or subject was resumed at or after the time of the last failure', () => {
    fc.assert(
      fc.property(failedState, fc.integer({ min: 1, max: 50 }), time, (state, attempt, end) => {
        const policy = { baseMs: 60_000, maxFailures: 5 };
        const resumedAt = (resumedAtMs: number) =>
          retryVerdict({ state, attempt, endedAtMs: end }, policy, resumedAtMs, end);
        expect(resumedAt(end)).toBeNull();
        expect(resumedAt(end + 1)).toBeNull();
        expect(resumedAt(end - 1)).toEqual(resumedAt(NEVER_RESUMED));
        expect(resumedAt(end - 1)).not.toBeNull();
      }),
    );
  });

  it('allows an attempt if the last attempt has not failed', () => {
    const policy = { baseMs: 60_000, maxFailures: 1 };
    expect(retryVerdict(null, policy, 0, 0)).toBeNull();
    for (const state of LIVE_STATES)
      expect(retryVerdict({ state, attempt: 7, endedAtMs: null }, policy, 0, 0)).toBeNull();
    expect(
      retryVerdict({ state: 'succeeded', attempt: 7, endedAtMs: 10 }, policy, 0, 10),
    ).toBeNull();
  });
});
