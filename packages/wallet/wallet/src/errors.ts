/** Stable codes of this package's errors. Messages may change in later versions; codes do not. */
export type WalletErrorCode =
  | 'ACCOUNT_MISSING'
  | 'ARTEFACT_UNAVAILABLE'
  | 'BLOCK_UNKNOWN'
  | 'CHAIN_MISMATCH'
  | 'EVENTS_INCOMPLETE'
  | 'FEE_ABOVE_MAXIMUM'
  | 'FELT_MALFORMED'
  | 'JOURNAL_UNREADABLE'
  | 'JOURNEY_MISMATCH'
  | 'JOURNEY_TAKEN'
  | 'JOURNEY_UNKNOWN'
  | 'LEAF_INDEX_OUT_OF_RANGE'
  | 'LEAF_OUT_OF_RANGE'
  | 'NODE_MALFORMED_ANSWER'
  | 'NODE_REFUSED'
  | 'NODE_UNREACHABLE'
  | 'NOTE_CHECKSUM_WRONG'
  | 'NOTE_INDEX_OUT_OF_RANGE'
  | 'NOTE_MALFORMED'
  | 'NOTE_NOT_DEPOSITED'
  | 'NOTE_OUT_OF_RANGE'
  | 'NOTE_SPENT'
  | 'NOTE_UNKNOWN'
  | 'NOTE_WAITS_FOR_BATCH'
  | 'PASSKEY_UNSUITABLE'
  | 'PAYMENT_MALFORMED'
  | 'POOL_UNKNOWN'
  | 'PROVER_SILENT'
  | 'PROVING_FAILED'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_OF_ANOTHER_CHAIN'
  | 'QUOTE_OF_ANOTHER_POOL'
  | 'QUOTE_OF_ANOTHER_RELAYER'
  | 'RECIPIENT_MALFORMED'
  | 'RECIPIENT_UNSPENDABLE'
  | 'SEED_UNSUITABLE'
  | 'SENDER_IS_PUBLIC'
  | 'SIGNATURE_FORGED'
  | 'SIGNER_KEY_MALFORMED'
  | 'STATUS_OUTDATED'
  | 'STORAGE_MALFORMED'
  | 'STORAGE_UNAVAILABLE'
  | 'TREE_FULL';

/**
 * Error of every deliberate rejection in this package. Messages contain limits but never the
 * rejected value, which may be secret.
 */
export class WalletError extends Error {
  override readonly name: string = 'WalletError';
  readonly code: WalletErrorCode;

  constructor(code: WalletErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
