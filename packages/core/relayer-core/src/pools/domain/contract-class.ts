import type { Felt } from '@sotto/kernel';

/** Version of the Sierra code of a class. */
export type SierraVersion = readonly [major: number, minor: number, patch: number];

/**
 * First version that Starknet charges by Sierra gas, if all callers above it in the call are
 * charged in the same way.
 */
export const FIRST_SIERRA_CHARGED_BY_GAS: SierraVersion = [1, 7, 0];

/**
 * Cost factor of a withdrawal if one class in its calls is charged by steps of the virtual machine
 * (docs/measured/gas.md).
 */
export const STEPS_FACTOR = 3.5;

/**
 * True if transactions through the class are charged by steps, which includes classes without
 * Sierra.
 */
export function isChargedBySteps(version: SierraVersion | null): boolean {
  if (version === null) return true;
  for (const [index, least] of FIRST_SIERRA_CHARGED_BY_GAS.entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

/** Verifier contract that pools use. */
export interface ExpectedVerifier {
  readonly address: Felt;
  /** Class hash in the network profile; null if the profile names none. */
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
 * Returns the problem of a verifier; null if there is none.
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
 * Compares the pinned class of a guard with the one at its address; null if they are equal.
 * @param found null if no contract is deployed there
 */
export function guardProblem(pinned: Felt, found: Felt | null): GuardProblem | null {
  if (found === null) return 'GUARD_NOT_DEPLOYED';
  return found === pinned ? null : 'GUARD_CLASS_UNEXPECTED';
}
