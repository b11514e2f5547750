import { toFelt } from '@sotto/kernel';
import type { StakingPool } from '@sotto/staking-core';

/** 100 BTC at 95,000.5 USD, 40 of them lent at 5 % a year. */
export const prime: StakingPool = {
  terms: {
    slug: 'prime',
    name: 'Prime',
    pool: toFelt('0x1e1'),
    asset: toFelt('0xb7c'),
    vaultToken: toFelt('0x2e2'),
    vaultTokenSymbol: 'vWBTC',
    risk: { label: 'Low', level: 1 },
  },
  blockNumber: 700_001,
  timestampSeconds: 1_790_000_000,
  supplyApyE36: 2n * 10n ** 34n,
  btcFiAprE36: 15n * 10n ** 33n,
  reward: { aprE18: 15n * 10n ** 15n, readAtMs: 1_790_000_005_999, isStale: false },
  borrowAprE36: 5n * 10n ** 34n,
  utilizationE36: 4n * 10n ** 35n,
  totalSuppliedE18: 100n * 10n ** 18n,
  btcUsdE8: 9_500_050_000_000n,
  tvlUsdE26: 100n * 10n ** 18n * 9_500_050_000_000n,
};
