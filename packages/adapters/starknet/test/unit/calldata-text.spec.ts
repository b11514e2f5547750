import { describe, expect, it } from '@jest/globals';
import { FIELD_PRIME, Felts } from '@sotto/kernel';
import * as fc from 'fast-check';
import { calldataText } from '../../src/calldata-text.js';

const value = fc.oneof(
  fc.constantFrom(0n, 1n, 15n, 16n, 255n, 256n, 2n ** 96n - 1n, 2n ** 251n, FIELD_PRIME - 1n),
  fc.integer({ min: 0, max: 251 }).map((bits) => 2n ** BigInt(bits)),
  fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }),
);

describe('calldataText', () => {
  it('returns the elements of a JSON array of canonical felts, without the brackets', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), (values) => {
        const felts = Felts.of(values);
        const text = new TextDecoder().decode(calldataText(felts));
        expect(`[${text}]`).toBe(JSON.stringify(felts.toHex()));
      }),
    );
  });

  it('returns the cached text for the same Felts object', () => {
    const felts = Felts.of([1n, 2n]);
    expect(calldataText(felts)).toBe(calldataText(felts));
  });
});
