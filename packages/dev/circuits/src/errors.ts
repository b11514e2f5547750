/** Stable names of what the kit refuses; texts may change, codes do not. */
export type CircuitErrorCode =
  | 'ARTEFACT_UNAVAILABLE'
  | 'BATCH_OUT_OF_RANGE'
  | 'CALLDATA_REFUSED'
  | 'FEE_OUT_OF_RANGE'
  | 'LEAF_INDEX_OUT_OF_RANGE'
  | 'LEAF_NOT_IN_BATCH'
  | 'LEAF_OUT_OF_RANGE'
  | 'LEAF_UNKNOWN'
  | 'NOTE_CHECKSUM_WRONG'
  | 'NOTE_MALFORMED'
  | 'NOTE_OUT_OF_RANGE'
  | 'PATH_MISMATCH'
  | 'PROOF_MALFORMED'
  | 'RECIPIENT_OUT_OF_RANGE'
  | 'RELAYER_OUT_OF_RANGE'
  | 'SIGNER_KEY_MALFORMED'
  | 'STATEMENT_UNPROVABLE'
  | 'TREE_FULL'
  | 'VERIFICATION_KEY_MALFORMED';

/**
 * Thrown on purpose by everything in this package. Messages name bounds, never the refused value:
 * it may be secret.
 */
export class CircuitError extends RangeError {
  override readonly name = 'CircuitError';
  readonly code: CircuitErrorCode;

  constructor(code: CircuitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
