import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ec } from 'starknet';
import { selectorOf, shortStringToFelt, toHex } from '../../../src/engine/felt.js';
import { isSignedBy, signWith } from '../../../src/engine/signature.js';

const privateKey = fc.bigInt(1n, 2n ** 250n);
const message = fc.bigInt(0n, 2n ** 250n);
const publicKeyOf = (key: bigint): bigint => BigInt(ec.starkCurve.getStarkKey(toHex(key)));

describe('isSignedBy', () => {
  it('isSignedBy accepts valid signatures for both points that have the key’s x coordinate', () => {
    fc.assert(
      fc.property(privateKey, privateKey, message, message, (key, other, signed, different) => {
        fc.pre(key !== other && signed !== different);
        const signature = signWith(key, signed);
        expect(isSignedBy(publicKeyOf(key), signed, signature)).toBe(true);
        expect(isSignedBy(publicKeyOf(key), different, signature)).toBe(false);
        expect(isSignedBy(publicKeyOf(other), signed, signature)).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  it('isSignedBy rejects an unset key, a wrong number of felts and values out of range', () => {
    const signature = signWith(5n, 6n);
    expect(isSignedBy(0n, 6n, signature)).toBe(false);
    for (const wrong of [
      [],
      [1n],
      [...signature, 0n],
      [0n, 0n],
      [2n ** 251n, 1n],
      [1n, 2n ** 255n],
    ]) {
      expect(isSignedBy(publicKeyOf(5n), 6n, wrong)).toBe(false);
    }
  });
});

describe('felts from texts', () => {
  it('selectorOf returns the published selectors', () => {
    expect(toHex(selectorOf('approve'))).toBe(
      '0x219209e083275171774dab1df80982e9df2096516f06319c5c6d71ae0a8480c',
    );
    expect(toHex(selectorOf('Transfer'))).toBe(
      '0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9',
    );
  });

  it('shortStringToFelt returns a felt only for ASCII texts of at most 31 characters', () => {
    expect(shortStringToFelt('SN_MAIN')).toBe(0x534e5f4d41494en);
    expect(shortStringToFelt('x'.repeat(31))).toBeDefined();
    for (const text of ['', 'x'.repeat(32), 'é', 'two\nlines'])
      expect(shortStringToFelt(text)).toBeUndefined();
  });
});
