import { beforeAll, describe, expect, it } from '@jest/globals';
import { FIELD_PRIME } from '@sotto/kernel';
import * as fc from 'fast-check';
import {
  LIMB_COUNT,
  canonical,
  fromMontgomery,
  limbsOf,
  toMontgomery,
  valueOf,
} from '../../src/field.js';
import { roundsBetweenCarries } from '../../src/codegen/permutation.js';
import { compileArithmetic, type Operation } from '../support/compiled-arithmetic.js';

const LIMB = 2n ** 29n;

/** Returns the carried limbs of a value, which may be negative. */
function carriedLimbs(value: bigint): bigint[] {
  const low = Array.from({ length: LIMB_COUNT - 1 }, (_, index) =>
    BigInt.asUintN(29, value >> BigInt(29 * index)),
  );
  return [...low, value >> BigInt(29 * (LIMB_COUNT - 1))];
}

const LARGEST = 8n * FIELD_PRIME;
const isCarried = (limbs: readonly bigint[]): boolean =>
  limbs.slice(0, -1).every((limb) => limb >= 0n && limb < LIMB);
const thousandths = (share: bigint): bigint => (share * FIELD_PRIME) / 1_000n;

/**
 * Random factors up to the largest that a product allows. Many of them have limbs as large as
 * possible.
 */
const factor = fc.oneof(
  fc.bigInt({ min: -LARGEST, max: LARGEST }),
  fc.constantFrom(
    -LARGEST,
    LARGEST,
    0n,
    1n,
    -1n,
    FIELD_PRIME,
    -FIELD_PRIME,
    2n ** 232n - 1n,
    8n * 2n ** 251n - 1n,
    -(2n ** 232n),
    -8n * 2n ** 251n,
  ),
);

let compute: (
  operation: Operation,
  a: readonly bigint[],
  b: readonly bigint[],
) => readonly bigint[];
beforeAll(async () => {
  compute = await compileArithmetic();
});

/** Returns true if the limbs represent a·b/R and lie within the documented limits. */
function isProduct(limbs: readonly bigint[], a: bigint, b: bigint): boolean {
  const value = valueOf(limbs);
  const inBounds = value > -thousandths(1_070n) && value < thousandths(70n);
  return isCarried(limbs) && inBounds && toMontgomery(canonical(value)) === canonical(a * b);
}

describe('products', () => {
  it('products have the right residue for all factors up to eight times p', () => {
    fc.assert(
      fc.property(factor, factor, (a, b) => {
        expect(isProduct(compute('multiply', carriedLimbs(a), carriedLimbs(b)), a, b)).toBe(true);
        expect(isProduct(compute('square', carriedLimbs(a), carriedLimbs(0n)), a, a)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('settling', () => {
  const MAX = 2n ** 57n;
  const limb = fc.oneof(fc.bigInt({ min: -MAX, max: MAX }), fc.constantFrom(-MAX, MAX, 0n));
  const small = fc.bigInt({ min: -2n * FIELD_PRIME, max: 2n * FIELD_PRIME });

  it('settle reduces limbs of up to 2^57 without a change of the residue', () => {
    fc.assert(
      fc.property(
        fc.array(limb, { minLength: LIMB_COUNT, maxLength: LIMB_COUNT }),
        small,
        (large, added) => {
          const limbs = compute('settle', large, carriedLimbs(added));
          const settled = valueOf(limbs) - added;
          expect(canonical(settled)).toBe(canonical(valueOf(large)));
          expect(isCarried(limbs)).toBe(true);
          const margin = FIELD_PRIME / 2n ** 16n;
          expect(settled > -margin && settled < FIELD_PRIME + margin).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('the arithmetic calls settle before a limb exceeds the maximum that settle accepts', () => {
    let [g, f] = [11n * LIMB, 3n * LIMB];
    for (let round = 0; round < roundsBetweenCarries(); round += 1)
      [g, f] = [2n * g + 4n * f + LIMB, g];
    expect(2n * g + LIMB).toBeLessThan(2n ** 57n + LIMB);
    expect(2n * (2n * g + 4n * f + LIMB)).toBeGreaterThan(2n ** 57n);
  });
});

describe('the Montgomery form', () => {
  it('fromMontgomery inverts toMontgomery', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }),
        fc.bigInt({ min: -9n, max: 9n }),
        (value, periods) => {
          expect(fromMontgomery(toMontgomery(value) + periods * FIELD_PRIME)).toBe(value);
          expect(valueOf(limbsOf(value))).toBe(value);
        },
      ),
    );
  });
});
