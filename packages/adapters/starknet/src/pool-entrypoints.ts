/** Entry point names of a pool's views. */
export interface PoolEntrypoints {
  readonly denomination: string;
  readonly undeployedCount: string;
  readonly activeDeposits: string;
  readonly totalDeposits: string;
  readonly totalAssets: string;
  readonly maxFeeBps: string;
  readonly maxFee: string;
  readonly nextIndex: string;
  readonly isKnownRoot: string;
  readonly isSpent: string;
  readonly isKnownCommitment: string;
  readonly lastRoot: string;
}
