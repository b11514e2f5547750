import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FIELD_PRIME, Felts, InvalidFelt, toFelt } from '../../src/index.js';

const value = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    FIELD_PRIME - 1n,
    FIELD_PRIME - 2n,
    2n ** 251n,
    2n ** 251n - 1n,
    2n ** 248n,
  ),
  fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }),
);
const values = fc.array(value, { maxLength: 40 });
/** Any text that `toFelt` takes for the value. */
const textOf = (n: bigint): fc.Arbitrary<string> =>
  fc.constantFrom(
    n.toString(),
    `0x${n.toString(16)}`,
    `0x${n.toString(16).toUpperCase()}`,
    `0X${n.toString(16)}`,
    `0x${n.toString(16).padStart(64, '0')}`,
  );

describe('Felts', () => {
  it('gives back the values it was made of, in every form', () => {
    fc.assert(
      fc.property(values, (list) => {
        const felts = Felts.of(list);
        expect(felts.length).toBe(list.length);
        expect(list.map((_, index) => felts.at(index))).toEqual(list);
        expect(felts.toHex()).toEqual(list.map((n) => toFelt(n)));
        expect(Felts.fromBytes(felts.toBytes()).equals(felts)).toBe(true);
      }),
    );
  });

  it('reads every text form of a value as the same felt', () => {
    fc.assert(
      fc.property(
        values.chain((list) => fc.tuple(fc.constant(list), fc.tuple(...list.map(textOf)))),
        ([list, texts]) => {
          expect(Felts.parse(texts).equals(Felts.of(list))).toBe(true);
        },
      ),
    );
  });

  it('refuses a value at or above the prime wherever it stands, and names its index', () => {
    fc.assert(
      fc.property(
        values,
        fc.bigInt({ min: FIELD_PRIME, max: 2n ** 256n - 1n }),
        fc.nat(),
        (list, tooBig, at) => {
          const index = at % (list.length + 1);
          const texts = list.map((n) => `0x${n.toString(16)}`);
          texts.splice(index, 0, `0x${tooBig.toString(16)}`);
          expect(() => Felts.parse(texts)).toThrow(InvalidFelt);
          expect(() => Felts.parse(texts)).toThrow(expect.objectContaining({ details: { index } }));
        },
      ),
    );
  });

  it('refuses a character that is no digit wherever it stands, and names the index of its text', () => {
    const stranger = fc.constantFrom('g', ' ', '-', 'é', 'x', '\u0000', '٣');
    fc.assert(
      fc.property(
        values,
        stranger,
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (list, character, at, place, isLong) => {
          const index = at % (list.length + 1);
          const digits = (isLong ? '1' : '1'.repeat(63)).split('');
          digits.splice(place % (digits.length + 1), 0, character);
          const texts = list.map((n) => `0x${n.toString(16)}`);
          texts.splice(index, 0, `0x${digits.join('')}`);
          expect(() => Felts.parse(texts)).toThrow(expect.objectContaining({ details: { index } }));
        },
      ),
    );
  });

  it('cuts a part out of itself', () => {
    fc.assert(
      fc.property(values, fc.nat(40), fc.nat(40), (list, from, to) => {
        const [start, end] = [
          Math.min(from, to, list.length),
          Math.min(Math.max(from, to), list.length),
        ];
        expect(Felts.of(list).slice(start, end).toHex()).toEqual(
          list.slice(start, end).map((n) => toFelt(n)),
        );
      }),
    );
  });

  it('hands out copies, so that no caller can change what it holds', () => {
    const felts = Felts.of([7n]);
    felts.toBytes().fill(1);
    expect(felts.at(0)).toBe(7n);
  });

  it('refuses bytes that are no whole words, and an index outside', () => {
    expect(() => Felts.fromBytes(new Uint8Array(33))).toThrow(InvalidFelt);
    expect(() => Felts.of([1n]).at(1)).toThrow(RangeError);
    expect(() => Felts.of([1n]).at(-1)).toThrow(RangeError);
    expect(() => Felts.parse(['0x1', 'nonsense'])).toThrow(InvalidFelt);
  });
});
