import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import {
  crowdStrength,
  judge,
  refusalsOf,
  type GuardBounds,
  type GuardFacts,
} from '../../src/guard/crowd-guard.js';

const HOUR_MS = 3_600_000;
const CODES = [
  'CROWD_TOO_SMALL',
  'TOO_SOON',
  'RECIPIENT_IS_DEPOSITOR',
  'RECIPIENT_REUSED',
] as const;
const timeMs = fc.integer({ min: 0, max: 3 * HOUR_MS });
const bounds: fc.Arbitrary<GuardBounds> = fc.record({
  leastCrowd: fc.integer({ min: 3, max: 9 }),
  leastAgeMs: fc.integer({ min: HOUR_MS, max: 2 * HOUR_MS }),
});
const allowed = fc.subarray([...CODES]);
const facts: fc.Arbitrary<GuardFacts> = fc.record({
  isAtRisk: fc.boolean(),
  isSelfRelayed: fc.boolean(),
  poolKind: fc.constantFrom('shielded', 'swap'),
  crowd: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(Number.NaN)),
  depositedAtMs: fc.option(timeMs, { nil: undefined }),
  blockTimeMs: fc.option(timeMs, { nil: undefined }),
  begunAtMs: fc.option(timeMs, { nil: undefined }),
  nowMs: timeMs,
  isDepositor: fc.boolean(),
  usedBy: fc.constantFrom(undefined, 'deposit', 'withdrawal', 'private-swap', 'unreadable'),
});

describe('the precedence of the guard', () => {
  it('the guard admits a note at risk regardless of all other facts', () => {
    fc.assert(
      fc.property(facts, bounds, allowed, (some, least, allow) => {
        expect(judge({ ...some, isAtRisk: true }, least, allow)).toEqual({ admittedBy: 'at-risk' });
      }),
    );
  });

  it('the guard admits a withdrawal from the user’s account regardless of all other facts', () => {
    fc.assert(
      fc.property(facts, bounds, allowed, (some, least, allow) => {
        const given = { ...some, isAtRisk: false, isSelfRelayed: true };
        expect(judge(given, least, allow)).toEqual({ admittedBy: 'self-relay' });
      }),
    );
  });

  it('the guard refuses exactly the reasons that the caller does not override by name', () => {
    fc.assert(
      fc.property(facts, bounds, allowed, (some, least, allow) => {
        const given = { ...some, isAtRisk: false, isSelfRelayed: false };
        const verdict = judge(given, least, allow);
        const expected = refusalsOf(given, least).filter(({ code }) => !allow.includes(code));
        expect('refusals' in verdict ? verdict.refusals : []).toEqual(expected);
        expect('admittedBy' in verdict).toBe(expected.length === 0);
      }),
    );
  });

  it('an override of one reason never overrides another reason', () => {
    fc.assert(
      fc.property(facts, bounds, fc.constantFrom(...CODES), (some, least, name) => {
        const given = { ...some, isAtRisk: false, isSelfRelayed: false };
        const all = refusalsOf(given, least).map(({ code }) => code);
        const verdict = judge(given, least, [name]);
        const left = 'refusals' in verdict ? verdict.refusals.map(({ code }) => code) : [];
        expect(left).toEqual(all.filter((code) => code !== name));
      }),
    );
  });
});

describe('the reasons of the guard', () => {
  it('a crowd below the minimum, or of an invalid size, is always refused in a shielded pool', () => {
    fc.assert(
      fc.property(facts, bounds, (some, least) => {
        const codes = refusalsOf(some, least).map(({ code }) => code);
        const isSmall = some.poolKind === 'shielded' && !(some.crowd >= least.leastCrowd);
        expect(codes.includes('CROWD_TOO_SMALL')).toBe(isSmall);
      }),
    );
  });

  it('a deposit is old enough only if each known clock shows its age', () => {
    fc.assert(
      fc.property(facts, bounds, (some, least) => {
        const { depositedAtMs, blockTimeMs, begunAtMs, nowMs, poolKind } = some;
        const isRefused = refusalsOf(some, least).some(({ code }) => code === 'TOO_SOON');
        const chainAgeMs =
          depositedAtMs === undefined || blockTimeMs === undefined
            ? undefined
            : blockTimeMs - depositedAtMs;
        const ownAgeMs =
          begunAtMs === undefined || begunAtMs > nowMs ? undefined : nowMs - begunAtMs;
        const known = [chainAgeMs, ownAgeMs].filter((age) => age !== undefined);
        const isOld = known.length > 0 && known.every((age) => age >= least.leastAgeMs);
        expect(isRefused).toBe(poolKind === 'shielded' && !isOld);
      }),
    );
  });

  it('a constant error of the machine’s clock never changes a decision', () => {
    fc.assert(
      fc.property(
        facts,
        bounds,
        fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
        (some, least, errorMs) => {
          const shifted = {
            ...some,
            nowMs: some.nowMs + errorMs,
            begunAtMs: some.begunAtMs === undefined ? undefined : some.begunAtMs + errorMs,
          };
          const codes = (of: GuardFacts) => refusalsOf(of, least).map(({ code }) => code);
          expect(codes(shifted)).toEqual(codes(some));
        },
      ),
    );
  });

  it('a refusal that is only too soon names a time at which the guard admits the withdrawal', () => {
    fc.assert(
      fc.property(facts, bounds, (some, least) => {
        const found = refusalsOf(some, least).find(({ code }) => code === 'TOO_SOON');
        if (found?.code !== 'TOO_SOON' || found.untilMs === null) return;
        const waitMs = found.untilMs - some.nowMs;
        const later = {
          ...some,
          ...(some.depositedAtMs === undefined || some.blockTimeMs === undefined
            ? {}
            : {
                depositedAtMs: Math.min(some.depositedAtMs, some.blockTimeMs),
                blockTimeMs: some.blockTimeMs + waitMs,
              }),
          nowMs: some.nowMs + waitMs,
          begunAtMs:
            some.begunAtMs !== undefined && some.begunAtMs <= some.nowMs
              ? some.begunAtMs
              : undefined,
        };
        expect(refusalsOf(later, least).map(({ code }) => code)).not.toContain('TOO_SOON');
      }),
    );
  });
});

describe('crowdStrength', () => {
  it.each([
    [0, 'weak'],
    [1, 'weak'],
    [2, 'weak'],
    [3, 'fair'],
    [6, 'fair'],
    [7, 'strong'],
    [1_024, 'strong'],
    [-1, 'weak'],
    [Number.NaN, 'weak'],
  ] as const)('a crowd of %d deposits is %s', (size, strength) => {
    expect(crowdStrength(size)).toBe(strength);
  });
});
