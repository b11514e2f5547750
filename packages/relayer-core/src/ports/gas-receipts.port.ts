import type { Felt } from '@sotto/kernel';
import type { GasUsed } from '../domain/fee.js';

/** What a transaction has used, by its receipt. Null where none says that it succeeded in an accepted block. Rejects with a `Fault` when the node can't answer. */
export interface GasReceipts {
  gasOf(transactionHash: Felt): Promise<GasUsed | null>;
}

export const GasReceipts: unique symbol = Symbol.for('@sotto/relayer-core/GasReceipts');
