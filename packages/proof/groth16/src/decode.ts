import { Fp2, Fr, G1, G2 } from 'mcl-wasm';
import { isOnG1Curve, isOnG2Curve } from './curve.js';
import type { G1Point, G2Point } from './layout.js';
import { createSubgroupCheck } from './subgroup.js';

const HEX = 16;

/**
 * Converts a point to mcl's form; undefined if the point is not in the group. The point is checked
 * here first, because mcl would throw for an invalid point.
 */
export function toG1(point: G1Point): G1 | undefined {
  if (!isOnG1Curve(point)) return undefined;
  const member = new G1();
  // The prefix 1 means that affine coordinates follow.
  member.setStr(`1 ${point.x.toString(HEX)} ${point.y.toString(HEX)}`, HEX);
  return member;
}

/**
 * Creates a decoder of G2 points that returns undefined for a point outside the subgroup. Requires
 * that mcl has been started. Does not parse points with `setStr`, whose order check is half as fast
 * and throws. `verifyOrderG2` can disable that check, but then `isValidOrder` returns true for
 * every point.
 */
export function createG2Decoder(): (point: G2Point) => G2 | undefined {
  const isInSubgroup = createSubgroupCheck();
  const one = toFp2([1n, 0n]);
  return (point) => {
    if (!isOnG2Curve(point)) return undefined;
    const member = new G2();
    member.setX(toFp2(point.x));
    member.setY(toFp2(point.y));
    member.setZ(one);
    return isInSubgroup(member) ? member : undefined;
  };
}

/** Converts a scalar that is already below r. */
export function toFr(value: bigint): Fr {
  const scalar = new Fr();
  scalar.setStr(value.toString(HEX), HEX);
  return scalar;
}

function toFp2([c0, c1]: G2Point['x']): Fp2 {
  const element = new Fp2();
  element.setStr(`${c0.toString(HEX)} ${c1.toString(HEX)}`, HEX);
  return element;
}
