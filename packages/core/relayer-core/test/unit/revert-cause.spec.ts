import { describe, expect, it } from '@jest/globals';
import { revertCause } from '../../src/relay/domain/revert-cause.js';

describe('the cause of a revert', () => {
  it.each([
    'already withdrawn',
    'SwapPool: already withdrawn',
    'unknown root',
    'unknown batch',
    'empty leaf',
    'fee too high',
    'SwapPool: commitment exists',
    'guard: differs',
    'guard: below',
  ])(
    'S8 attributes the revert reason %j to the user, for a withdrawal and for a swap',
    (reason) => {
      expect([revertCause(reason, false), revertCause(reason, true)]).toEqual(['user', 'user']);
    },
  );

  it.each([
    'Insufficient tokens received',
    'LIMIT_SQRT_RATIO',
    'u256_sub Overflow',
    'Out of gas',
    'Insufficient max L2Gas: max amount: #, actual used: #.',
  ])(
    'S7 attributes the revert reason %j to the market for a swap, and to the service for a withdrawal',
    (reason) => {
      expect(revertCause(reason, true)).toBe('user');
      expect(revertCause(reason, false)).toBe('service');
    },
  );

  it.each([
    null,
    '',
    'invalid proof',
    'SwapPool: paused',
    'Not owner',
    'tree full',
    'transfer failed',
    'no active deposit',
    'SwapPool: no WBTC received',
    'the contract reverts without a readable reason',
  ])('attributes the revert reason %j to the service', (reason) => {
    expect([revertCause(reason, false), revertCause(reason, true)]).toEqual(['service', 'service']);
  });
});
