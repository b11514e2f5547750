import { domainError } from '@sotto/kernel';

/** The signer cannot be reached, or is too busy. What was to be signed is not. */
export class SignerUnavailable extends domainError('SIGNER_UNAVAILABLE') {}

/** The signer did not answer in time. A signature that comes later is never seen, and not used. */
export class SignerTimedOut extends domainError('SIGNER_TIMED_OUT') {}

/** The signer's policy does not let it sign this. */
export class SignerRefused extends domainError('SIGNER_REFUSED') {}

/** The signer answered what is no signature of the account over the hash that was asked for. */
export class SignerMalformedAnswer extends domainError('SIGNER_MALFORMED_ANSWER') {}
