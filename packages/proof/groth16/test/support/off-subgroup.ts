import { bn254 } from '@noble/curves/bn254.js';
import { BASE_FIELD, SCALAR_FIELD_ORDER, type G2Point } from '../../src/layout.js';
import { fromNoble, toNoble } from './trapdoor-key.js';

const { Fp2 } = bn254.fields;
const Point = bn254.G2.Point;

/**
 * Multiplies by plain double-and-add, because library routines may require a point of the subgroup
 * or a scalar below r.
 */
function times(point: typeof Point.BASE, scalar: bigint): typeof Point.BASE {
  let sum = Point.ZERO;
  for (const bit of scalar.toString(2)) {
    sum = sum.double();
    if (bit === '1') sum = sum.add(point);
  }
  return sum;
}

/**
 * Number of points of the twist divided by r: 2p − r. The curve has r = p + 1 − t points, and the
 * twist has r·(p − 1 + t).
 */
export const COFACTOR = 2n * BASE_FIELD - SCALAR_FIELD_ORDER;
/** Small prime factors of the cofactor. */
export const SMALL_ORDERS = [10_069n, 5_864_401n] as const;

/** Returns the first point of the twist with x = x0 + i + x1·u, for i = 0, 1, …. */
export function twistPointNear(x0: bigint, x1: bigint): G2Point {
  return fromNoble(nobleTwistPointNear(x0, x1));
}

function nobleTwistPointNear(x0: bigint, x1: bigint): typeof Point.BASE {
  const { Fp } = bn254.fields;
  const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  for (let c0 = x0; ; c0 += 1n) {
    const x = Fp2.fromBigTuple([Fp.create(c0), x1]);
    const yy = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
    // An element of Fp2 is a square if and only if its norm is a square in Fp.
    const norm = Fp.add(Fp.sqr(yy.c0), Fp.sqr(yy.c1));
    if (Fp.pow(norm, (BASE_FIELD - 1n) / 2n) === 1n)
      return Point.fromAffine({ x, y: Fp2.sqrt(yy) });
  }
}

const cofactorPoint = times(nobleTwistPointNear(1n, 1n), SCALAR_FIELD_ORDER);

/** Point on the twist outside the subgroup. */
export const outsideSubgroup: G2Point = fromNoble(cofactorPoint);

/** Returns a point of the given small order on the twist. */
export function pointOfOrder(order: bigint): G2Point {
  return fromNoble(times(cofactorPoint, COFACTOR / order));
}

/** Returns the multiples 1·point, 2·point, … count·point. */
export function multiplesOf(point: G2Point, count: number): readonly G2Point[] {
  return Array.from({ length: count }, (_, index) =>
    fromNoble(times(toNoble(point), BigInt(index + 1))),
  );
}

/** Returns the sum of the point and an offset outside the subgroup. */
export function movedBy(point: G2Point, offset: G2Point): G2Point {
  return fromNoble(toNoble(point).add(toNoble(offset)));
}
