/** The number of the latest block at ACCEPTED_ON_L2, at most a moment old; many may ask at once. Rejects with a `Fault` when the node can't answer. */
export interface BlockClock {
  latestBlockNumber(): Promise<number>;
}

export const BlockClock: unique symbol = Symbol.for('@sotto/relayer-core/BlockClock');
