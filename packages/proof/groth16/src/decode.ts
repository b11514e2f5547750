import { Fp2, Fr, G1, G2 } from 'mcl-wasm';
import { isOnG1Curve, isOnG2Curve } from './curve.js';
import type { G1Point, G2Point } from './layout.js';
import { createSubgroupCheck } from './subgroup.js';

const HEX = 16;

/**
 * The point as mcl computes with it; undefined when it is not in the group. mcl would throw, and an
 * exception shall never be an answer.
 */
export function toG1(point: G1Point): G1 | undefined {
  if (!isOnG1Curve(point)) return undefined;
  const member = new G1();
  // 1: affine coordinates follow.
  member.setStr(`1 ${point.x.toString(HEX)} ${point.y.toString(HEX)}`, HEX);
  return member;
}

/**
 * Makes points of G2; undefined for whatever is not in the subgroup. mcl has to be started. Points
 * are not parsed with `setStr`, which checks the order in twice the time and throws; that can be
 * switched off (`verifyOrderG2`), but from then on `isValidOrder` says yes to every point.
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

/** A scalar that is below r already. */
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
