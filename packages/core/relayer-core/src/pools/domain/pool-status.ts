/** A pool as the chain shows it at ACCEPTED_ON_L2. Amounts are in the token's smallest unit. */
export interface PoolStatus {
  readonly blockNumber: number;
  readonly denomination: bigint;
  /** Deposits that wait for their batch. */
  readonly undeployedCount: number;
  /** Deposits deployed in the vault now. */
  readonly activeDeposits: number;
  readonly totalDeposits: number;
  /** In the pool and its vault, yield included. */
  readonly totalAssets: bigint;
  readonly maxFeeBps: number;
  readonly maxFee: bigint;
  /** Leaf index of the next deposit. */
  readonly nextIndex: number;
}
