import type { Json } from '../json.js';

/** Codes and messages of the JSON-RPC specification 0.10.2, verbatim. */
const MESSAGES = {
  10: 'No trace available for transaction',
  20: 'Contract not found',
  21: 'Requested entry point does not exist in the contract',
  24: 'Block not found',
  27: 'Invalid transaction index in a block',
  28: 'Class hash not found',
  29: 'Transaction hash not found',
  31: 'Requested page size is too big',
  33: 'The supplied continuation token is invalid or unknown',
  34: 'Too many keys provided in a filter',
  40: 'Contract error',
  41: 'Transaction execution error',
  52: 'Invalid transaction nonce',
  53: "The transaction's resources don't cover validation or the minimal transaction fee",
  54: "Account balance is smaller than the transaction's maximal fee (calculated as the sum of each resource's limit x max price)",
  55: 'Account validation failed',
  58: 'Sender address is not an account contract',
  59: 'A transaction with the same hash already exists in the mempool',
  61: 'the transaction version is not supported',
  63: 'An unexpected error occurred',
  64: 'Replacement transaction is underpriced',
  66: 'Invalid subscription id',
  67: 'Too many addresses in filter sender_address filter',
  68: 'Cannot go back more than 1024 blocks',
  69: 'The proof field in the invoke v3 transaction is invalid',
} as const;

/** Error code of the JSON-RPC specification that the sandbox can return. */
export type SpecCode = keyof typeof MESSAGES;

/**
 * Error reply of the node: a code of the specification with its message, and with data if the
 * specification defines it.
 */
export class SpecError extends Error {
  constructor(
    readonly code: SpecCode,
    readonly data?: Json,
  ) {
    super(MESSAGES[code]);
    this.name = 'SpecError';
  }
}

/**
 * Returns the specification's message for `code`; undefined for codes that only an injected fault
 * returns.
 */
export function specMessage(code: number): string | undefined {
  const found = Object.entries(MESSAGES).find(([known]) => Number(known) === code);
  return found?.[1];
}
