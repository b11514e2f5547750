import type { Felt } from '@sotto/kernel';
import type { DepositFacts } from '../../pools/domain/deposit-traffic.js';

export type { DepositFacts } from '../../pools/domain/deposit-traffic.js';

export interface DepositQuestion {
  readonly pool: Felt;
  readonly token: Felt;
  readonly commitment: bigint;
  readonly depositor: Felt;
}

/**
 * Reads all that a deposit depends on in one round trip. Rejects with a `DomainError` when the node
 * can't answer or answers what no pool or token can.
 */
export abstract class DepositReader {
  abstract depositFacts(question: DepositQuestion): Promise<DepositFacts>;
}
