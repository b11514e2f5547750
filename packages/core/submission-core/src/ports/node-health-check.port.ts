import type { Felt } from '@sotto/kernel';

/** Checks whether the node answers, and which chain it serves. */
export abstract class NodeHealthCheck {
  /**
   * Returns the node's chain.
   * @throws DomainError if the node can't answer
   */
  abstract probe(): Promise<{ readonly chainId: Felt }>;
}
