import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { BN_SNARK1, init } from 'mcl-wasm';
import { createG2Decoder } from '../../src/decode.js';
import { BASE_FIELD, BN_PARAMETER, SCALAR_FIELD_ORDER, type G2Point } from '../../src/layout.js';
import { MEMBERSHIP_POLYNOMIAL } from '../../src/subgroup.js';
import {
  COFACTOR,
  SMALL_ORDERS,
  multiplesOf,
  movedBy,
  outsideSubgroup,
  pointOfOrder,
  twistPointNear,
} from '../support/off-subgroup.js';
import { g2Times } from '../support/trapdoor-key.js';

const p = BASE_FIELD;
const r = SCALAR_FIELD_ORDER;
const scalar = fc.bigInt({ min: 1n, max: r - 1n });

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

// These tests check the argument in subgroup.ts with numbers.
describe('the membership polynomial', () => {
  const trace = 6n * BN_PARAMETER ** 2n + 1n;
  const [f0, f1, f2, f3] = MEMBERSHIP_POLYNOMIAL;

  it('modulo r, the membership polynomial has the root p, the eigenvalue of the endomorphism on G2', () => {
    expect(p + 1n - trace).toBe(r);
    expect((f0 + f1 * p + f2 * p ** 2n + f3 * p ** 3n) % r).toBe(0n);
  });

  it('the order of the twist and the membership polynomial’s resultant have only the common factor r', () => {
    // With X² = tX − p and X³ = (t² − p)X − tp, f modulo X² − tX + p is a + bX. The resultant is
    // the norm of a + bX.
    const a = f0 - f2 * p - f3 * trace * p;
    const b = f1 + f2 * trace + f3 * (trace ** 2n - p);
    const resultant = a ** 2n + a * b * trace + b ** 2n * p;
    expect(COFACTOR).toBe(p - 1n + trace);
    expect(greatestCommonDivisor(resultant, r * COFACTOR)).toBe(r);
  });
});

describe('a point of the twist', () => {
  let isMember: (point: G2Point) => boolean;
  beforeAll(async () => {
    await init(BN_SNARK1);
    const toG2 = createG2Decoder();
    isMember = (point) => toG2(point) !== undefined;
  });

  it('a multiple of the generator is a member of G2', () => {
    expect([1n, 2n, 3n, BN_PARAMETER, r - 1n, r - 2n].map((k) => isMember(g2Times(k)))).toEqual(
      Array.from({ length: 6 }, () => true),
    );
    fc.assert(fc.property(scalar, (k) => expect(isMember(g2Times(k))).toBe(true)));
  });

  it('a point of the twist is not a member of G2 if its order divides the cofactor', () => {
    for (const order of SMALL_ORDERS) {
      const [first, ...rest] = multiplesOf(pointOfOrder(order), 20);
      expect([first, ...rest].map((point) => point !== undefined && isMember(point))).toEqual(
        Array.from({ length: 20 }, () => false),
      );
    }
    expect(multiplesOf(outsideSubgroup, 20).some(isMember)).toBe(false);
    expect(isMember(pointOfOrder(SMALL_ORDERS[0] * SMALL_ORDERS[1]))).toBe(false);
    expect(isMember(pointOfOrder(COFACTOR / SMALL_ORDERS[0]))).toBe(false);
  });

  it('the sum of a member and a point whose order divides the cofactor is not a member of G2', () => {
    const outsiders = [outsideSubgroup, ...SMALL_ORDERS.map(pointOfOrder)];
    fc.assert(
      fc.property(scalar, fc.constantFrom(...outsiders), (k, outsider) => {
        expect(isMember(movedBy(g2Times(k), outsider))).toBe(false);
      }),
    );
  });

  it('a random point of the twist is not a member of G2', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: p - 1n }),
        fc.bigInt({ min: 0n, max: p - 1n }),
        (x0, x1) => {
          expect(isMember(twistPointNear(x0, x1))).toBe(false);
        },
      ),
    );
  });

  it('infinity and points off the twist are not members of G2', () => {
    expect(isMember(g2Times(0n))).toBe(false);
    const { x, y } = g2Times(5n);
    expect(isMember({ x, y: [y[1], y[0]] })).toBe(false);
  });
});
