/** Names of a pool's views. */
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

/** As the V4 pools name them. */
export const V4_ENTRYPOINTS: PoolEntrypoints = {
  denomination: 'denomination',
  undeployedCount: 'undeployed_count',
  activeDeposits: 'active_deposits',
  totalDeposits: 'total_deposits',
  totalAssets: 'total_assets',
  maxFeeBps: 'max_fee_bps',
  maxFee: 'max_fee',
  nextIndex: 'get_next_index',
  isKnownRoot: 'is_known_root',
  isSpent: 'is_spent',
  isKnownCommitment: 'is_known_commitment',
  lastRoot: 'get_last_root',
};
