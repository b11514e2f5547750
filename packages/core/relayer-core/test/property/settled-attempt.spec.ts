import { describe, expect, it } from '@jest/globals';
import { array, assert, bigInt, constantFrom, nat, option, property, record } from 'fast-check';
import { SettledAttempt } from '../../src/circuit-breaker/domain/settled-attempt.js';
import { kindOf, subjectOf, type MoneyEntry } from '../../src/circuit-breaker/domain/money.js';
import { TERMS, anEntry } from '../support/guard-world.js';
import { usdcPool } from '../support/estimate-world.js';
import { NOW_MS, pool } from '../support/world.js';

const total = (entries: readonly MoneyEntry[]): bigint =>
  entries.reduce((sum, { gasPaidFri }) => sum + gasPaidFri, 0n);

describe('what has ended', () => {
  it('is returned and summed up as if every entry were read', () => {
    const entry = record({
      of: constantFrom(pool, usdcPool),
      gasPaidFri: bigInt({ min: 0n, max: 2n ** 80n }),
      terms: constantFrom(null, TERMS),
      // Some are about no contract at all.
      key: option(constantFrom('nothing', '0x5e|0x9999|sentinel'), { freq: 4 }),
    });
    assert(
      property(array(entry), nat(), (drawn, ago) => {
        const entries = drawn.map(({ of, key, ...change }, index) =>
          anEntry(of, NOW_MS - 1_000 * (drawn.length - index), {
            ...change,
            ...(key === null ? {} : { key }),
          }),
        );
        const ended = new SettledAttempt(entries);
        const afterMs = NOW_MS - (ago % 20_000);
        const within = entries.filter(({ endedAtMs }) => endedAtMs > afterMs);
        expect(ended.spentFri(null, afterMs)).toBe(total(within));
        for (const { address } of [pool, usdcPool]) {
          const own = entries.filter(({ key }) => subjectOf(key) === address);
          expect(ended.spentFri(address, afterMs)).toBe(
            total(own.filter(({ endedAtMs }) => endedAtMs > afterMs)),
          );
          for (const kind of ['relay', 'batch'] as const)
            expect(ended.of(address, kind)).toEqual(own.filter((one) => kindOf(one) === kind));
        }
      }),
    );
  });
});
