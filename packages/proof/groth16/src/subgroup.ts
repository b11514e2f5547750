import { Fp, Fp2, G2, add, dbl, mul, neg } from 'mcl-wasm';
import { BASE_FIELD, BN_PARAMETER } from './layout.js';

/*
 * Check that a point of the twist lies in G2, the subgroup of order r. The textbook check r·Q = O
 * needs 254 doublings; with the twist's endomorphism 63 doublings are enough.
 *
 * Let ψ be the Frobenius map transferred to the twist. Everywhere on the twist, ψ satisfies χ(ψ) =
 * ψ² − tψ + p = 0, where t = 6x² + 1 is the curve's trace. On G2, ψ is multiplication by p. With x,
 * the parameter of the curve, let
 *
 * f(X) = (x + 1) + x·X + x·X² − 2x·X³
 *
 * - Every point of G2 satisfies f(ψ)Q = O, because f(p) is a multiple of r.
 * - No other point satisfies this equation. If f(ψ)Q = O, then also ρ·Q = O for the resultant ρ of
 *   f and χ, which is a combination of f and χ with integer coefficients. So Q's order divides ρ.
 *   The order also divides the number of points of the twist, r·(2p − r). The greatest common
 *   divisor of ρ and this number is r.
 *
 * Both facts are integer arithmetic, which a test verifies. The polynomial is from El Housni,
 * Guillevic and Piellard, "Co-factor clearing and subgroup membership testing on pairing-friendly
 * curves" (2022).
 */

/** Coefficients of the polynomial f. The constant coefficient is first. */
export const MEMBERSHIP_POLYNOMIAL = [
  BN_PARAMETER + 1n,
  BN_PARAMETER,
  BN_PARAMETER,
  -2n * BN_PARAMETER,
] as const;

/** Binary digits of x without the first digit. */
const PARAMETER_DIGITS = BN_PARAMETER.toString(2).slice(1).split('');

/**
 * Creates a function that checks that a point on the twist lies in G2. Requires that mcl has been
 * started. Uses only mcl's additions and doublings: mcl's scalar multiplication is valid only for
 * points of the subgroup.
 */
export function createSubgroupCheck(): (point: G2) => boolean {
  const psi = createFrobenius();
  return (point) => {
    const multiple = PARAMETER_DIGITS.reduce(
      (sum, digit) => (digit === '1' ? add(dbl(sum), point) : dbl(sum)),
      point,
    );
    const once = psi(multiple);
    const twice = psi(once);
    return add(add(point, multiple), add(once, twice)).isEqual(dbl(psi(twice)));
  };
}

/**
 * Creates the map ψ(x, y) = (x̄·ξ^((p−1)/3), ȳ·ξ^((p−1)/2)) with ξ = 9 + u. The map accepts any of
 * mcl's coordinate systems.
 */
function createFrobenius(): (point: G2) => G2 {
  const xi = fp2(9, 1);
  const forX = power(xi, (BASE_FIELD - 1n) / 3n);
  const forY = power(xi, (BASE_FIELD - 1n) / 2n);
  return (point) => {
    const image = new G2();
    image.setX(mul(conjugate(point.getX()), forX));
    image.setY(mul(conjugate(point.getY()), forY));
    image.setZ(conjugate(point.getZ()));
    return image;
  };
}

function fp2(c0: number, c1: number): Fp2 {
  const [a, b, element] = [new Fp(), new Fp(), new Fp2()];
  a.setInt(c0);
  b.setInt(c1);
  element.set_a(a);
  element.set_b(b);
  return element;
}

function conjugate(element: Fp2): Fp2 {
  const conjugated = element.clone();
  conjugated.set_b(neg(element.get_b()));
  return conjugated;
}

function power(base: Fp2, exponent: bigint): Fp2 {
  let result = fp2(1, 0);
  for (const bit of exponent.toString(2)) {
    result = mul(result, result);
    if (bit === '1') result = mul(result, base);
  }
  return result;
}
