import type { Felt } from '@sotto/kernel';

/** Version of the Sierra code of a class. */
export type SierraVersion = readonly [major: number, minor: number, patch: number];

/**
 * First Sierra version for which Starknet charges a class by Sierra gas. A call is charged by
 * Sierra gas only if this also applies to all its callers in the transaction.
 */
export const FIRST_SIERRA_CHARGED_BY_GAS: SierraVersion = [1, 7, 0];

/**
 * Factor by which the cost of a withdrawal rises if one class in its calls is charged by steps of
 * the virtual machine (docs/measured/gas.md).
 */
export const STEPS_FACTOR = 3.5;

/**
 * Returns true if Starknet charges calls of the class by steps. Classes without Sierra are charged
 * by steps as well.
 */
export function isChargedBySteps(version: SierraVersion | null): boolean {
  if (version === null) return true;
  for (const [index, least] of FIRST_SIERRA_CHARGED_BY_GAS.entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

/** Verifier contract that the pools call. */
export interface ExpectedVerifier {
  readonly address: Felt;
  /** Class hash from the network profile; null if the profile contains no class hash. */
  readonly classHash: Felt | null;
}

/** Reasons why the pools' verifiers can't be trusted. */
export type VerifierProblem =
  'VERIFIER_NOT_DEPLOYED' | 'VERIFIER_CLASS_UNEXPECTED' | 'VERIFIER_CLASS_NOT_OF_KEY';
export const VERIFIER_PROBLEMS: readonly VerifierProblem[] = [
  'VERIFIER_NOT_DEPLOYED',
  'VERIFIER_CLASS_UNEXPECTED',
  'VERIFIER_CLASS_NOT_OF_KEY',
];

/**
 * Returns the problem of a verifier; null if the verifier has no problem.
 * @param found class at the address; null if no contract is deployed there
 * @param ofKey classes generated from the verification key in use; empty if unknown
 */
export function verifierProblem(
  { classHash }: ExpectedVerifier,
  found: Felt | null,
  ofKey: readonly Felt[],
): VerifierProblem | null {
  if (found === null) return 'VERIFIER_NOT_DEPLOYED';
  if (classHash !== null && found !== classHash) return 'VERIFIER_CLASS_UNEXPECTED';
  return ofKey.length > 0 && !ofKey.includes(found) ? 'VERIFIER_CLASS_NOT_OF_KEY' : null;
}

/** Reasons why the guard of the network profile is not used. */
export type GuardProblem = 'GUARD_NOT_DEPLOYED' | 'GUARD_CLASS_UNEXPECTED';

/**
 * Compares the class that the profile requires for the guard contract with the class at its
 * address. Returns null if they are equal.
 * @param found class at the guard's address; null if no contract is deployed there
 */
export function guardProblem(pinned: Felt, found: Felt | null): GuardProblem | null {
  if (found === null) return 'GUARD_NOT_DEPLOYED';
  return found === pinned ? null : 'GUARD_CLASS_UNEXPECTED';
}
