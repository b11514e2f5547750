import { toFelt } from '@sotto/kernel';
import type { VaultList } from '@sotto/curator-core';
import type { StakingPool } from '@sotto/staking-core';
import { curatorTask } from './keeper-fixture.js';

/** Lending pool with 100 BTC at 95,000.5 USD, of which 40 BTC are lent at 5 % a year. */
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

const [, sentinelPoll = null] = curatorTask.subjects;

/** Vaults as read in one block: one vault only lends, and the other vault also borrows. */
export const vaultList: VaultList = {
  block: { number: 700_001, hash: toFelt('0xb10c'), timestamp: 1_760_000_000 },
  vaults: [
    {
      id: 'sentinel',
      address: toFelt('0x5e1'),
      method: 'deploy_to_lending',
      idleSats: 2n ** 64n,
      curated: sentinelPoll,
      leveraged: null,
      canBorrow: false,
    },
    {
      id: 'turbo',
      address: toFelt('0x70b0'),
      method: 'deploy_to_lending',
      idleSats: 0n,
      curated: null,
      leveraged: {
        subject: 'turbo',
        paused: null,
        lastPoll: {
          atMs: 1_760_000_000_000,
          sinceMs: 1_760_000_000_000,
          report: {
            outcome: 'skipped',
            reason: 'AT_TARGET',
            details: {
              collateral: '300000000',
              debt: '120000000000',
              leverage: '2.9985',
              healthE18: '1275000000000000000',
              target: '3',
            },
            dueAtMs: null,
          },
        },
        dueAtMs: null,
        lastActed: null,
      },
      canBorrow: true,
    },
  ],
};
