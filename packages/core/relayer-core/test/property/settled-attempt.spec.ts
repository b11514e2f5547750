import { describe, expect, it } from '@jest/globals';
import { array, assert, bigInt, constantFrom, nat, option, property, record } from 'fast-check';
import { SettledAttempt } from '../../src/circuit-breaker/domain/settled-attempt.js';
import { kindOf, type MoneyEntry } from '../../src/circuit-breaker/domain/money.js';
import { toFelt } from '@sotto/kernel';
import { TERMS, anEntry } from '../support/guard-world.js';
import { usdcPool } from '../support/estimate-world.js';
import { NOW_MS, pool } from '../support/world.js';

const total = (entries: readonly MoneyEntry[]): bigint =>
  entries.reduce((sum, { gasPaidFri }) => sum + gasPaidFri, 0n);

describe('the ended attempts', () => {
  it('SettledAttempt filters and sums ended attempts exactly like a plain list of all entries', () => {
    const entry = record({
      of: constantFrom(pool, usdcPool),
      gasPaidFri: bigInt({ min: 0n, max: 2n ** 80n }),
      terms: constantFrom(null, TERMS),
      // The subject of some entries is a contract that is not a pool.
      subject: option(constantFrom(toFelt('0x1'), toFelt('0x9999')), { freq: 4 }),
      kind: option(constantFrom('deposit', 'withdraw', 'unknown'), { freq: 4 }),
    });
    assert(
      property(array(entry), nat(), (drawn, ago) => {
        const entries = drawn.map(({ of, subject, kind, ...change }, index) =>
          anEntry(of, NOW_MS - 1_000 * (drawn.length - index), {
            ...change,
            ...(subject === null ? {} : { subject }),
            ...(kind === null ? {} : { kind }),
          }),
        );
        const ended = new SettledAttempt(entries);
        const afterMs = NOW_MS - (ago % 20_000);
        const within = entries.filter(({ endedAtMs }) => endedAtMs > afterMs);
        expect(ended.spentFri(null, afterMs)).toBe(total(within));
        for (const { address } of [pool, usdcPool]) {
          const own = entries.filter(({ subject }) => subject === address);
          expect(ended.spentFri(address, afterMs)).toBe(
            total(own.filter(({ endedAtMs }) => endedAtMs > afterMs)),
          );
          for (const kind of ['relay', 'batch', 'deposit', 'adopted'] as const)
            expect(ended.of(address, kind)).toEqual(own.filter((one) => kindOf(one) === kind));
        }
      }),
    );
  });
});
