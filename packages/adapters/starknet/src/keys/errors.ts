import { domainError } from '@sotto/kernel';

/** The signer is unreachable or too busy. The signer has signed nothing. */
export class SignerUnavailable extends domainError('SIGNER_UNAVAILABLE') {}

/** The signer did not respond before the timeout. A signature that arrives later is discarded. */
export class SignerTimedOut extends domainError('SIGNER_TIMED_OUT') {}

/** The signer's policy rejects the request. */
export class SignerRefused extends domainError('SIGNER_REFUSED') {}

/** The signer's response is not a signature of the account over the requested hash. */
export class SignerMalformedAnswer extends domainError('SIGNER_MALFORMED_ANSWER') {}
