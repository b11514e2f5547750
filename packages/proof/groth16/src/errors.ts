import { domainError } from '@sotto/kernel';

/**
 * The verification key cannot be used: not in snarkjs' form, or unsafe to verify with. `details`
 * name the field and the reason.
 */
export class VerificationKeyInvalid extends domainError('VERIFICATION_KEY_INVALID') {}

/** More checks wait than the verifier lets wait; nothing was checked. */
export class VerifierBusy extends domainError('VERIFIER_BUSY') {}

/**
 * The check has no answer: its thread died, or the verifier is closed. Says nothing about the
 * proof.
 */
export class VerifierFailed extends domainError('VERIFIER_FAILED') {}
