import { domainError } from '@sotto/kernel';

/**
 * Unusable verification key: it is not in snarkjs' format, or verifying with it is unsafe.
 * `details` contain the field and the reason.
 */
export class VerificationKeyInvalid extends domainError('VERIFICATION_KEY_INVALID') {}

/** Rejection of a check because too many checks wait; the proof was not checked. */
export class VerifierBusy extends domainError('VERIFIER_BUSY') {}

/**
 * Check without a result, because its thread died or the verifier is closed. The proof may be valid
 * or invalid.
 */
export class VerifierFailed extends domainError('VERIFIER_FAILED') {}
