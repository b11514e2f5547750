/**
 * Licences that permit use, change and sale without publishing the source of the containing
 * program.
 */
const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/**
 * Packages of wallets and development, and the circuit's toolchain, which is under the GPL.
 */
export const NOT_IN_PRODUCTION = [
  '@sotto/prover',
  '@sotto/sandbox',
  '@sotto/demo',
  'snarkjs',
  'circomlib',
  'circom2',
  'ffjavascript',
];

/**
 * Evaluates an SPDX licence expression. One permissive operand of an OR suffices, and an AND needs
 * all.
 */
export function isPermissive(license: string): boolean {
  const expression = license.replaceAll(/[()]/g, ' ');
  return expression
    .split(/ OR /)
    .some((choice) => choice.split(/ AND /).every((part) => PERMISSIVE.has(part.trim())));
}
