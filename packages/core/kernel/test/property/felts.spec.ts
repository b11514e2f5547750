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
/** Generates texts that `toFelt` accepts for the value. */
const textOf = (n: bigint): fc.Arbitrary<string> =>
  fc.constantFrom(
    n.toString(),
    `0x${n.toString(16)}`,
    `0x${n.toString(16).toUpperCase()}`,
    `0X${n.toString(16)}`,
    `0x${n.toString(16).padStart(64, '0')}`,
  );

describe('Felts', () => {
  it('converts felts to numbers, texts and bytes without a change of their values', () => {
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

  it('parses every text form of a value to the same felt', () => {
    fc.assert(
      fc.property(
        values.chain((list) => fc.tuple(fc.constant(list), fc.tuple(...list.map(textOf)))),
        ([list, texts]) => {
          expect(Felts.parse(texts).equals(Felts.of(list))).toBe(true);
        },
      ),
    );
  });

  it('rejects a value at or above the prime at any index of the list, and reports the index', () => {
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

  it('rejects a text with a character that is not a digit, and reports the text’s index in the list', () => {
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

  it('returns a slice with the felts between two indexes', () => {
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

  it('a sequence of felts returns copies of its bytes', () => {
    const felts = Felts.of([7n]);
    felts.toBytes().fill(1);
    expect(felts.at(0)).toBe(7n);
  });

  it('rejects bytes that are not a whole number of 32-byte words', () => {
    expect(() => Felts.fromBytes(new Uint8Array(33))).toThrow(InvalidFelt);
    expect(() => Felts.of([1n]).at(1)).toThrow(RangeError);
    expect(() => Felts.of([1n]).at(-1)).toThrow(RangeError);
    expect(() => Felts.parse(['0x1', 'nonsense'])).toThrow(InvalidFelt);
  });

  describe('packed', () => {
    /**
     * Generates felts of every size. Felts of equal size often follow each other, so that there are
     * long runs.
     */
    const sized = fc
      .integer({ min: 0, max: 251 })
      .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }));
    const limb = fc.bigInt({ min: 2n ** 88n, max: 2n ** 96n - 1n });
    const mixed = fc.oneof(
      values,
      fc.array(fc.oneof(sized, limb, limb, fc.constant(0n)), { maxLength: 60 }),
      fc.integer({ min: 250, max: 520 }).map((length) => Array.from({ length }, () => 7n)),
    );

    it('unpacks packed felts to the original felts', () => {
      fc.assert(
        fc.property(mixed, (list) => {
          const felts = Felts.of(list);
          const packed = felts.toPacked();
          expect(Felts.isPacked(packed)).toBe(true);
          expect(Felts.fromPacked(packed).equals(felts)).toBe(true);
        }),
      );
    });

    it('the first byte distinguishes packed felts from felts in 32-byte words', () => {
      fc.assert(
        fc.property(mixed, (list) => {
          expect(Felts.isPacked(Felts.of(list).toBytes())).toBe(false);
        }),
      );
    });

    it('a sequence of felts has only one packed form', () => {
      const change = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) });
      const cut = fc.nat();
      fc.assert(
        fc.property(mixed, change, cut, (list, { at, by }, end) => {
          const packed = Felts.of(list).toPacked();
          const changed = packed.slice();
          const index = at % changed.length;
          changed[index] = ((changed[index] ?? 0) + by) % 256;
          const shorter = packed.slice(0, end % packed.length);
          for (const other of [changed, shorter, Uint8Array.of(...packed, 0)]) {
            const read = unpacked(other);
            expect(read === null || read.toPacked()).toEqual(read === null || other);
          }
        }),
      );
    });

    it('rejects bytes that are not the packed form of any sequence', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
          const marked = Uint8Array.of(0x80, ...bytes);
          for (const any of [bytes, marked]) {
            const read = unpacked(any);
            expect(read === null || read.toPacked()).toEqual(read === null || any);
          }
        }),
      );
    });

    it.each([
      ['nothing', []],
      ['words', [0, 1]],
      ['a size of 0', [0x80, 0, 1]],
      ['a size beyond a word', [0x80, 33, 1, ...Array.from({ length: 33 }, () => 1)]],
      ['a run of 0 felts', [0x80, 1, 0]],
      ['half a run', [0x80, 2, 1, 9]],
      ['a run without its number', [0x80, 1]],
      ['a leading zero', [0x80, 2, 1, 0, 9]],
      ['a divided run', [0x80, 1, 1, 9, 1, 1, 9]],
      [
        'a felt at the prime',
        [
          0x80,
          32,
          1,
          8,
          ...Array.from({ length: 6 }, () => 0),
          17,
          ...Array.from({ length: 23 }, () => 0),
          1,
        ],
      ],
    ])('rejects %s as packed felts', (_what, bytes) => {
      expect(() => Felts.fromPacked(Uint8Array.from(bytes))).toThrow(InvalidFelt);
    });

    it('packed hints of a proof have less than 38 % of the unpacked size; packed random felts have at most 103 %', () => {
      const hints = fc.array(limb, { minLength: 1_000, maxLength: 1_000 });
      const random = fc.array(fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }), {
        minLength: 1_000,
        maxLength: 1_000,
      });
      fc.assert(
        fc.property(hints, random, (some, any) => {
          expect(grown(some)).toBeLessThan(0.38);
          expect(grown(any)).toBeLessThan(1.03);
        }),
        { numRuns: 10 },
      );
    });
  });
});

function unpacked(bytes: Uint8Array): Felts | null {
  try {
    return Felts.fromPacked(bytes);
  } catch (error) {
    if (error instanceof InvalidFelt) return null;
    throw error;
  }
}

/** Returns the packed size relative to the size of the words. */
function grown(list: readonly bigint[]): number {
  return Felts.of(list).toPacked().length / (list.length * 32);
}
