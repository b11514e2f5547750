import { describe, expect, it } from '@jest/globals';
import { assert, bigInt, constantFrom, integer, property, string } from 'fast-check';
import { formatAmount, formatAmountOf, parseAmount, parseTokens } from '../../src/domain/amount.js';

const amounts = bigInt({ min: 1n, max: 2n ** 256n - 1n });
const decimals = integer({ min: 0, max: 24 });

describe('amounts', () => {
  it('parses amounts exactly from their formatted text', () => {
    assert(
      property(amounts, decimals, (amount, places) => {
        expect(parseAmount(amount.toString())).toBe(amount);
        expect(parseTokens(formatAmount(amount, places), places)).toBe(amount);
      }),
    );
  });

  it('parses amounts from valid texts only', () => {
    const text = string({ unit: constantFrom('0', '1', '9', '.', '-', 'e', 'x', ' ') });
    assert(
      property(text, decimals, (candidate, places) => {
        expect(parseAmount(candidate) !== undefined).toBe(
          /^[0-9]+$/.test(candidate) && BigInt(candidate) > 0n,
        );
        expect(parseTokens(candidate, places) !== undefined).toBe(
          /^[0-9]+(\.[0-9]+)?$/.test(candidate),
        );
      }),
    );
  });

  it.each([
    '',
    '0',
    '00',
    '-1',
    '+1',
    '1.0',
    '1e18',
    '0x10',
    ' 1',
    '1n',
    '١',
    (2n ** 256n).toString(),
    '9'.repeat(10_000),
  ])('parses no amount from %p', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  it('formats amounts in whole units of the ERC-20 token, with its symbol', () => {
    expect(formatAmountOf(120_000_000_000_000_000n, { symbol: 'ETH', decimals: 18 })).toBe(
      '0.12 ETH',
    );
    expect(formatAmountOf(5_000_000n, { symbol: 'USDC', decimals: 6 })).toBe('5 USDC');
    expect(formatAmount(0n, 18)).toBe('0');
    expect(formatAmount(7n, 0)).toBe('7');
  });

  it('rounds parsed amounts down to the ERC-20 token’s smallest unit', () => {
    expect(parseTokens('1.9999999', 6)).toBe(1_999_999n);
    expect(parseTokens('0.00000001', 6)).toBe(0n);
    expect(parseTokens('1.', 6)).toBeUndefined();
    expect(parseTokens('.5', 6)).toBeUndefined();
    expect(parseTokens('1,000', 6)).toBeUndefined();
  });
});
