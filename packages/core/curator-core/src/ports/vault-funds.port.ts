import type { Felt } from '@sotto/kernel';
import type { IdleFunds } from '../domain/idle-funds.js';

/**
 * Reads vaults at the latest block that is accepted on L2, balance and block number from that same
 * block. Rejects with a `DomainError` when the node can't answer or answers what no token can: a
 * failed read is never a 0.
 */
export abstract class VaultFunds {
  abstract idle(vault: Felt): Promise<IdleFunds>;
}
