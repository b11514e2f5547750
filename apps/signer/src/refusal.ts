/** Rejection codes of the signer, with the HTTP status of each code. */
export const REFUSALS = {
  SIGNER_REQUEST_INVALID: 400,
  SIGNER_NOT_FOUND: 404,
  SIGNER_BODY_TOO_LARGE: 413,
  SIGNER_REFUSED_CHAIN: 403,
  SIGNER_REFUSED_ACCOUNT: 403,
  SIGNER_REFUSED_VERSION: 403,
  SIGNER_REFUSED_TERMS: 403,
  SIGNER_REFUSED_TIP: 403,
  SIGNER_REFUSED_BOUNDS: 403,
  SIGNER_REFUSED_CALLDATA: 403,
  SIGNER_REFUSED_CALL: 403,
  SIGNER_REFUSED_ARGUMENT: 403,
  SIGNER_REFUSED_AMOUNT: 403,
  SIGNER_REFUSED_BUDGET: 403,
  SIGNER_REFUSED_MESSAGE: 403,
  SIGNER_BOOK_UNAVAILABLE: 503,
  SIGNER_FAILED: 500,
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/**
 * Rejection of a request, for which no signature was made. The response contains only the code and
 * no part of the request.
 */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly code: RefusalCode) {
    super(code);
  }
}
