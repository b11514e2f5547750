import { domainError } from '@sotto/kernel';

/**
 * Unusable verification key: it is not in snarkjs' format, or verifying with it is unsafe.
 * `details` contain the field and the reason.
 */
export class VerificationKeyInvalid extends domainError('VERIFICATION_KEY_INVALID') {}

/** The check was rejected because too many checks wait. The proof was not checked. */
export class VerifierBusy extends domainError('VERIFIER_BUSY') {}

/**
 * The check has no result, because its thread died or the verifier is closed. The proof may be
 * valid or invalid.
 */
export class VerifierFailed extends domainError('VERIFIER_FAILED') {}
