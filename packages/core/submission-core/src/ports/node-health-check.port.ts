import type { Felt } from '@sotto/kernel';

/** Asks whether the node answers, and for which chain. */
export abstract class NodeHealthCheck {
  /** Rejects with a `DomainError` when the node can't answer. */
  abstract probe(): Promise<{ readonly chainId: Felt }>;
}
