import { describe, expect, it } from '@jest/globals';
import { FIELD_PRIME, InvalidFelt, toFelt } from '../../src/index.js';

describe('toFelt', () => {
  it.each([
    ['0x0', '0x0'],
    ['0x00', '0x0'],
    ['0x01', '0x1'],
    ['0X1A', '0x1a'],
    ['0xAbC', '0xabc'],
    [`0x${'0'.repeat(63)}1`, '0x1'],
    ['10', '0xa'],
    ['0010', '0xa'],
    [(FIELD_PRIME - 1n).toString(), `0x${(FIELD_PRIME - 1n).toString(16)}`],
    [`0x${(FIELD_PRIME - 1n).toString(16).toUpperCase()}`, `0x${(FIELD_PRIME - 1n).toString(16)}`],
  ])('parses %s to the canonical felt %s', (text, canonical) => {
    expect(toFelt(text)).toBe(canonical);
  });

  it.each([
    ['nothing', ''],
    ['a bare prefix', '0x'],
    ['a letter without prefix', 'a'],
    ['a sign', '-1'],
    ['a plus sign', '+1'],
    ['white space', ' 0x1'],
    ['a fraction', '1.0'],
    ['an exponent', '1e3'],
    ['a letter that is no digit', '0xg'],
    ['octal', '0o7'],
    ['binary', '0b1'],
    ['the prime in hex', `0x${FIELD_PRIME.toString(16)}`],
    ['the prime in decimal', FIELD_PRIME.toString()],
    ['one above the prime', `0x${(FIELD_PRIME + 1n).toString(16)}`],
    ['2^256 − 1', `0x${'f'.repeat(64)}`],
    ['65 hex digits', `0x0${'1'.repeat(64)}`],
    ['78 decimal digits', '1'.repeat(78)],
  ])('rejects %s as the text of a felt', (_what, text) => {
    expect(() => toFelt(text)).toThrow(InvalidFelt);
  });

  it.each([-1n, FIELD_PRIME])('rejects the number %s as a felt', (value) => {
    expect(() => toFelt(value)).toThrow(InvalidFelt);
  });
});
