import type { Felt } from '@sotto/kernel';
import type { GasUsed } from '@sotto/submission-core';

/**
 * What a transaction has used, by its receipt. Null where none says that it succeeded in an
 * accepted block. Rejects with a `DomainError` when the node can't answer.
 */
export abstract class GasReceipts {
  abstract gasOf(transactionHash: Felt): Promise<GasUsed | null>;
}
