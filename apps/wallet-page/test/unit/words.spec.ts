import { describe, expect, it } from '@jest/globals';
import {
  addressOf,
  amountOf,
  crowdText,
  inTokens,
  offerText,
  overrideText,
} from '../../src/words.js';

describe('amounts', () => {
  const usdc = { symbol: 'USDC', decimals: 6 };

  it.each([
    ['19', 19_000_000n],
    ['19.5', 19_500_000n],
    [' 0.000001 ', 1n],
    ['0.0000001', null],
    ['', null],
    ['-1', null],
    ['1e3', null],
    ['1,000', null],
  ])('parses an amount that a user has typed: %j', (text, amount) => {
    expect(amountOf(text, usdc)).toBe(amount);
  });

  it('formats amounts in whole units of the ERC-20 token', () => {
    expect(inTokens(19_500_000n, usdc)).toBe('19.5 USDC');
    expect(inTokens(20_000n, { symbol: 'WBTC', decimals: 8 })).toBe('0.0002 WBTC');
  });
});

describe('offerText', () => {
  const usdc = { symbol: 'USDC', decimals: 6 };

  it.each([
    [0.2, 'Quoted now: 19.5 USDC, 0.20 % below its value of 19.6 USDC.'],
    [-0.05, 'Quoted now: 19.5 USDC, 0.05 % above its value of 19.6 USDC.'],
  ])(
    'T17 the text of a swap offer states quote, fair value and the direction of their difference for %d %%',
    (impactPercent, text) => {
      const offer = { quoted: 19_500_000n, fair: 19_600_000n, least: 1n, impactPercent };
      expect(offerText(offer, usdc)).toBe(text);
    },
  );
});

describe('the crowd of a note', () => {
  it.each([
    [1, 'Crowd: weak (1 deposit in the batch of this note).'],
    [2, 'Crowd: weak (2 deposits in the batch of this note).'],
    [3, 'Crowd: fair (3 deposits in the batch of this note).'],
    [7, 'Crowd: strong (7 deposits in the batch of this note).'],
  ])('the text of a crowd of %d deposits states its strength and its number', (size, text) => {
    expect(crowdText(size)).toBe(text);
  });

  it.each([
    [{ code: 'CROWD_TOO_SMALL', size: 1, minimum: 3 }, 'batch of 1, although 3 are needed'],
    [{ code: 'TOO_SOON', untilMs: 0 }, 'although the deposit is recent'],
    [{ code: 'TOO_SOON', untilMs: null }, 'the age of the deposit is unknown'],
    [{ code: 'RECIPIENT_IS_DEPOSITOR' }, 'the account that made the deposit'],
    [{ code: 'RECIPIENT_REUSED', usedBy: 'withdrawal' }, 'another note of this wallet used it'],
  ] as const)('the choice that overrides %j states its consequence', (refusal, text) => {
    expect(overrideText(refusal)).toContain(text);
  });
});

describe('an address', () => {
  it.each([
    ['0x1', '0x1'],
    [' 0x1\n', '0x1'],
    ['0x0', null],
    ['1', null],
    [`0x${'f'.repeat(65)}`, null],
    [`0x${'f'.repeat(64)}`, null],
    [`0x${(2n ** 251n - 256n).toString(16)}`, null],
    ['0xzz', null],
  ])('an address is parsed to trimmed 0x hex, or to null: %j', (text, address) => {
    expect(addressOf(text)).toBe(address);
  });
});
