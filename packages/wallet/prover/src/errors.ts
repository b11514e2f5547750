/** Stable codes of the prover's errors; messages may change, codes do not. */
export type ProverErrorCode =
  | 'ARTEFACT_MISMATCH'
  | 'ARTEFACT_UNAVAILABLE'
  | 'BATCH_OUT_OF_RANGE'
  | 'CALLDATA_REFUSED'
  | 'FEE_OUT_OF_RANGE'
  | 'LEAF_INDEX_OUT_OF_RANGE'
  | 'LEAF_NOT_IN_BATCH'
  | 'LEAF_UNKNOWN'
  | 'PATH_MISMATCH'
  | 'PROOF_MALFORMED'
  | 'RECIPIENT_OUT_OF_RANGE'
  | 'RELAYER_OUT_OF_RANGE'
  | 'STATEMENT_UNPROVABLE'
  | 'VERIFICATION_KEY_MALFORMED'
  | 'WORKER_FAILED';

/**
 * Error of every deliberate rejection in this package. Messages contain limits but never the
 * rejected value, which may be secret.
 */
export class ProverError extends Error {
  override readonly name = 'ProverError';
  readonly code: ProverErrorCode;

  constructor(code: ProverErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
