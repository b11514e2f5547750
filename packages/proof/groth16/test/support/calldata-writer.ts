import type { Groth16Proof } from '../../src/layout.js';

const LIMB = 1n << 96n;
const HALF = 1n << 128n;

const limbs = (value: bigint): bigint[] => [
  value % LIMB,
  (value / LIMB) % LIMB,
  (value / LIMB ** 2n) % LIMB,
  value / LIMB ** 3n,
];
const filled = (count: number, value: bigint): bigint[] =>
  Array.from({ length: count }, () => value);

/**
 * Writes proof calldata from the published layout, with the length felt. All limbs of hints have
 * the same constant value. All scalars of hints have a second constant value.
 */
export function writeProofCalldata(
  { a, b, c, publicInputs }: Groth16Proof,
  hintLimb = 1n,
  hintScalar = 1n,
): bigint[] {
  const rest = [
    ...[a.x, a.y, ...b.x, ...b.y, c.x, c.y].flatMap(limbs),
    BigInt(publicInputs.length),
    ...publicInputs.flatMap((input) => [input % HALF, input / HALF]),
    ...filled(36 + 36 + 18, hintLimb),
    34n,
    ...filled(1224, hintLimb),
    190n,
    ...filled(570, hintLimb),
    hintScalar,
    12n * BigInt(publicInputs.length),
    ...publicInputs.flatMap(() => [...filled(8, hintLimb), ...filled(4, hintScalar)]),
  ];
  return [BigInt(rest.length), ...rest];
}
