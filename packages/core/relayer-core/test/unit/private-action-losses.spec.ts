import { describe, expect, it } from '@jest/globals';
import { kindOf, lossFri } from '../../src/circuit-breaker/domain/money.js';
import { moneyOf } from '../../src/circuit-breaker/domain/pool-pnl.js';
import { SettledAttempt } from '../../src/circuit-breaker/domain/settled-attempt.js';
import { isUserMade } from '../../src/circuit-breaker/domain/user-losses.js';
import { TERMS, anEntry } from '../support/guard-world.js';
import { privacyPool } from '../support/private-action-world.js';

const entry = (changes: Parameters<typeof anEntry>[2]) =>
  anEntry(privacyPool, 1_000, { kind: 'private_action', ...changes });

describe('losses of private actions', () => {
  it('a success that a sponsor pays is no loss', () => {
    const terms = { ...TERMS, feeAmount: 0n };
    expect(lossFri(entry({ terms }), 8)).toBeGreaterThan(0n);
    expect(lossFri(entry({ terms: { ...terms, bounds: 'sponsor=wallet' } }), 8)).toBe(0n);
  });

  it('a revert that a sponsor pays is a loss of the caller', () => {
    const terms = { ...TERMS, feeAmount: 0n, bounds: 'sponsor=wallet' };
    expect(lossFri(entry({ state: 'reverted', terms }), 8)).toBeGreaterThan(0n);
  });

  it.each(['NON_ZERO_VALUE', 'Pausable: paused', 'transfer failed', '', null])(
    'a revert with the reason %p is the caller’s',
    (revertReason) => {
      expect(isUserMade(entry({ state: 'reverted', revertReason }))).toBe(true);
      expect(
        isUserMade({ ...entry({ state: 'reverted', revertReason: 'paused' }), kind: 'withdraw' }),
      ).toBe(false);
    },
  );

  it('amounts of several fee tokens are summed only in fri', () => {
    const [strk, usdc] = privacyPool.tokens;
    const fees = [strk, usdc].map((token) =>
      entry({ terms: { ...TERMS, feeToken: token?.address ?? TERMS.feeToken, feeAmount: 5n } }),
    );
    const { earnedFeeToken, earnedFri } = moneyOf(privacyPool, new SettledAttempt(fees), []);
    expect(earnedFeeToken).toBeNull();
    expect(earnedFri).toBeGreaterThan(0n);
  });

  it('adopted private actions are neither gain nor loss', () => {
    expect(kindOf(entry({ terms: null }))).toBe('adopted');
  });
});
