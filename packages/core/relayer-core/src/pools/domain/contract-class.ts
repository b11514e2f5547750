import type { Felt } from '@sotto/kernel';

/** Of the Sierra that a class is written in. */
export type SierraVersion = readonly [major: number, minor: number, patch: number];

/**
 * From here on Starknet charges a class by its Sierra gas, if everything above it in the call is
 * charged so too.
 */
export const FIRST_SIERRA_CHARGED_BY_GAS: SierraVersion = [1, 7, 0];

/**
 * How many times dearer a withdrawal is where one class on its way is charged by steps of the
 * virtual machine (docs/measured/gas.md).
 */
export const STEPS_FACTOR = 3.5;

/** Whether transactions through the class are charged by steps. A class without Sierra is. */
export function isChargedBySteps(version: SierraVersion | null): boolean {
  if (version === null) return true;
  for (const [index, least] of FIRST_SIERRA_CHARGED_BY_GAS.entries()) {
    const part = version[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

/** A contract that pools name as their verifier. */
export interface ExpectedVerifier {
  readonly address: Felt;
  /** What the network profile says of its class; null where it says nothing. */
  readonly classHash: Felt | null;
}

/** Why the pools' verifiers can't be relied on. */
export type VerifierProblem =
  'VERIFIER_NOT_DEPLOYED' | 'VERIFIER_CLASS_UNEXPECTED' | 'VERIFIER_CLASS_NOT_OF_KEY';
export const VERIFIER_PROBLEMS: readonly VerifierProblem[] = [
  'VERIFIER_NOT_DEPLOYED',
  'VERIFIER_CLASS_UNEXPECTED',
  'VERIFIER_CLASS_NOT_OF_KEY',
];

/**
 * What is wrong with a verifier whose class was read; null when nothing is.
 * @param found null where no contract stands
 * @param ofKey classes that were generated from the verification key in use; empty where that is
 *   not known
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

/** Why the guard of the network profile is not used. */
export type GuardProblem = 'GUARD_NOT_DEPLOYED' | 'GUARD_CLASS_UNEXPECTED';

/**
 * Compares the pinned class of a guard with that at its address; null if they are equal.
 * @param found null if no contract is there
 */
export function guardProblem(pinned: Felt, found: Felt | null): GuardProblem | null {
  if (found === null) return 'GUARD_NOT_DEPLOYED';
  return found === pinned ? null : 'GUARD_CLASS_UNEXPECTED';
}
