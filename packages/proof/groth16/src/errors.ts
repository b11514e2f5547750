import { DomainError } from '@sotto/kernel';

/**
 * The verification key cannot be used: not in snarkjs' form, or unsafe to verify with. `details`
 * name the field and the reason.
 */
export class VerificationKeyInvalid extends DomainError {
  readonly code = 'VERIFICATION_KEY_INVALID';
  readonly kind = 'internal';
}

/** More checks wait than the verifier lets wait; nothing was checked. */
export class VerifierBusy extends DomainError {
  readonly code = 'VERIFIER_BUSY';
  readonly kind = 'unavailable';
}

/**
 * The check has no answer: its thread died, or the verifier is closed. Says nothing about the
 * proof.
 */
export class VerifierFailed extends DomainError {
  readonly code = 'VERIFIER_FAILED';
  readonly kind = 'unavailable';
}
