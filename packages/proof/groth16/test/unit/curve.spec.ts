import { describe, expect, it } from '@jest/globals';
import { bn254 } from '@noble/curves/bn254.js';
import { isOnG1Curve, isOnG2Curve } from '../../src/curve.js';
import { BASE_FIELD, SCALAR_FIELD_ORDER } from '../../src/layout.js';
import { outsideSubgroup } from '../support/off-subgroup.js';
import { g1Times, g2Times } from '../support/trapdoor-key.js';

const { Fp } = bn254.fields;
const SCALARS = [1n, 2n, 3n, 12345n, SCALAR_FIELD_ORDER - 1n];

describe('the fields', () => {
  it('the orders of both fields equal the orders in @noble/curves', () => {
    expect(BASE_FIELD).toBe(Fp.ORDER);
    expect(SCALAR_FIELD_ORDER).toBe(bn254.fields.Fr.ORDER);
  });
});

describe('the curve equation', () => {
  it('points that another library computed satisfy the curve equation', () => {
    expect(SCALARS.map(g1Times).every(isOnG1Curve)).toBe(true);
    expect(SCALARS.map(g2Times).every(isOnG2Curve)).toBe(true);
  });

  it('isOnG2Curve does not check that a point lies in the subgroup', () => {
    expect(isOnG2Curve(outsideSubgroup)).toBe(true);
  });

  it('a point with zero coordinates, which represents infinity, does not satisfy the curve equation', () => {
    expect(isOnG1Curve({ x: 0n, y: 0n })).toBe(false);
    expect(isOnG2Curve({ x: [0n, 0n], y: [0n, 0n] })).toBe(false);
  });

  // The equation over Fp2 is two equations over Fp. If x and y1 are fixed, each of the two
  // equations is quadratic in y0. Its second root does not satisfy the other one of the two
  // equations.
  it('a point of G2 that satisfies only one of the two equations over Fp is not on the curve', () => {
    for (const { x, y } of SCALARS.map(g2Times)) {
      const [y0, y1] = y;
      const onlyFirst = Fp.sub(Fp.div(2n * y1, 9n), y0);
      const onlySecond = Fp.create(-18n * y1 - y0);

      expect([
        isOnG2Curve({ x, y: [onlyFirst, y1] }),
        isOnG2Curve({ x, y: [onlySecond, y1] }),
      ]).toEqual([false, false]);
    }
  });
});
