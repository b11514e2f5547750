import type { Felt } from '@sotto/kernel';
import type { GasUsed } from '@sotto/submission-core';

/**
 * Reads the gas of transactions from their receipts. The result is null if no receipt shows a
 * success in an accepted block. Rejects with a `DomainError` if the node is unavailable.
 */
export abstract class GasReceipts {
  abstract gasOf(transactionHash: Felt): Promise<GasUsed | null>;
}
