import { BASE_FIELD, type G1Point, type G2Point } from './layout.js';

/**
 * Returns true if the point lies on y² = x³ + 3 and both coordinates are in the field. G1 has
 * cofactor 1, so every such point is in the group. Infinity has no affine coordinates; its usual
 * representation (0, 0) is not on the curve.
 */
export function isOnG1Curve({ x, y }: G1Point): boolean {
  return isCoordinate(x) && isCoordinate(y) && isZero(y * y - x * x * x - 3n);
}

/**
 * Returns true if the point lies on the twist y² = x³ + 3/(9 + u), with u² = −1, and all
 * coordinates are in the field. Does not check that the point lies in the subgroup: the twist's
 * cofactor is not 1.
 */
export function isOnG2Curve({ x: [x0, x1], y: [y0, y1] }: G2Point): boolean {
  if (![x0, x1, y0, y1].every(isCoordinate)) return false;
  const xx0 = x0 * x0 - x1 * x1;
  const xx1 = 2n * x0 * x1;
  const d0 = y0 * y0 - y1 * y1 - (xx0 * x0 - xx1 * x1);
  const d1 = 2n * y0 * y1 - (xx0 * x1 + xx1 * x0);
  // Checks (9 + u)·(y² − x³) = 3, because this form needs no inverse.
  return isZero(9n * d0 - d1 - 3n) && isZero(9n * d1 + d0);
}

function isCoordinate(value: bigint): boolean {
  return value >= 0n && value < BASE_FIELD;
}

function isZero(value: bigint): boolean {
  return value % BASE_FIELD === 0n;
}
