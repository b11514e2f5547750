import type { PoolEntrypoints, PragmaSettings } from '@sotto/adapter-starknet';

// Default values of the network profile and the settings.

export const TIMEOUTS = { readTimeoutMs: 60_000, sendTimeoutMs: 60_000 };

/** Names of the views of V4 pools. */
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

export const PRICES: Omit<PragmaSettings, 'oracle'> = {
  minPublishers: 3,
  pairs: { STRK: 'STRK/USD', WBTC: 'WBTC/USD', USDC: 'USDC/USD', ETH: 'ETH/USD' },
};
