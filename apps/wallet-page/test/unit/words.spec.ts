import { describe, expect, it } from '@jest/globals';
import { amountOf, inTokens, isAddress } from '../../src/words.js';

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
  ])('are read as people write them: %j', (text, amount) => {
    expect(amountOf(text, usdc)).toBe(amount);
  });

  it('are written in whole tokens', () => {
    expect(inTokens(19_500_000n, usdc)).toBe('19.5 USDC');
    expect(inTokens(20_000n, { symbol: 'WBTC', decimals: 8 })).toBe('0.0002 WBTC');
  });
});

describe('an address', () => {
  it.each([
    ['0x1', true],
    ['0x0', false],
    ['1', false],
    [`0x${'f'.repeat(65)}`, false],
    ['0xzz', false],
  ])('is 0x hex above 0: %s', (text, isOne) => {
    expect(isAddress(text)).toBe(isOne);
  });
});
