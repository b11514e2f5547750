import { domainError } from '@sotto/kernel';

/**
 * Unusable verification key: not in snarkjs' format, or unsafe to verify with. `details` name the
 * field and the reason.
 */
export class VerificationKeyInvalid extends domainError('VERIFICATION_KEY_INVALID') {}

/** Too many checks wait; nothing was checked. */
export class VerifierBusy extends domainError('VERIFIER_BUSY') {}

/**
 * Check without a result: its thread died, or the verifier is closed. This is no statement about
 * the proof.
 */
export class VerifierFailed extends domainError('VERIFIER_FAILED') {}
