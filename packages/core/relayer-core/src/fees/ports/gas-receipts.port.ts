import type { Felt } from '@sotto/kernel';
import type { GasUsed } from '@sotto/submission-core';

/**
 * Gas of transactions, from their receipts. Null if no receipt shows success in an accepted block.
 * Rejects with a `DomainError` if the node is unavailable.
 */
export abstract class GasReceipts {
  abstract gasOf(transactionHash: Felt): Promise<GasUsed | null>;
}
