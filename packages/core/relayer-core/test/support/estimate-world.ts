import { toFelt } from '@sotto/kernel';
import type { GasPrices } from '@sotto/submission-core';
import {
  EstimateFee,
  GetPoolStatus,
  IssueQuote,
  KnownLeaves,
  ListPools,
  OutstandingQuotes,
  type PoolStatus,
  type ServedPool,
  type SwapOutputPool,
} from '../../src/index.js';
import { MarketPrices, type PriceObservation } from '@sotto/market-core';
import {
  CYCLE_GAS,
  FEE_MARGIN_PERCENT,
  PRIVATE_SWAP_CYCLE_GAS,
  FakeTypedDataSigner,
  FakeSubmissions,
  InMemoryPools,
  InMemoryQuoteStore,
} from '../../src/testing/index.js';
import { FakeLatestBlock } from '@sotto/submission-core/testing';
import { FixedPrices } from '@sotto/market-core/testing';
import { aGuard } from './guard-world.js';
import { MovingClock } from '@sotto/kernel/testing';
import { aPrivacyPoolReader, privacyPool } from './private-action-world.js';
import { NOW_MS, policy, pool } from './world.js';

/** Maximum number of quotes that are issued but not used, in total and per client. */
export const QUOTE_LIMITS = { inAll: 3, perClient: 2 };

export const usdcPool: ServedPool = {
  key: 'stable_10',
  address: toFelt('0x4f4af2cf01a1cf28f424ce2ce3d7fed7f11792c88e5ce7a3eedd21cea24a5eb'),
  kind: 'stable',
  token: { symbol: 'USDC', address: toFelt('0x53c9'), decimals: 6 },
  batchSizes: [3, 5],
};

export const swapPool: SwapOutputPool = {
  key: 'swap_pool',
  address: toFelt('0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72'),
  kind: 'swap_output',
  tokens: [{ symbol: 'STRK', address: toFelt('0x4718'), decimals: 18 }, usdcPool.token],
};

export const wbtcStatus: Omit<PoolStatus, 'blockNumber' | 'timestamp'> = {
  denomination: 20_000n,
  undeployedCount: 4,
  activeDeposits: 6,
  totalDeposits: 12,
  totalAssets: 200_123n,
  maxFeeBps: 500,
  maxFee: 1_000n,
  nextIndex: 12,
};

export const usdcStatus: Omit<PoolStatus, 'blockNumber' | 'timestamp'> = {
  ...wbtcStatus,
  denomination: 10_000_000n,
  maxFee: 500_000n,
};

const ASSETS = ['STRK', 'WBTC', 'USDC'] as const;

/** Prices in 1e-8 USD. */
export type UsdE8 = Readonly<Record<(typeof ASSETS)[number], bigint>>;

/** Gas prices at which a cycle costs 0.935 STRK = 0.4675 USD = 467.5 sats at the market prices. */
const DEAR_GAS: GasPrices = {
  l2GasFri: 25_000_000_000n,
  l1GasFri: 1n,
  l1DataGasFri: 2_000_000_000_000n,
};
const DEAR_MARKET: UsdE8 = { STRK: 50_000_000n, WBTC: 10_000_000_000_000n, USDC: 100_000_000n };

function observed(prices: UsdE8): readonly PriceObservation[] {
  return ASSETS.map((asset) => ({ asset, usdE8: prices[asset], observedAtMs: NOW_MS }));
}

/** Relayer that serves two pools. */
export function anEstimateWorld(
  gas: GasPrices = DEAR_GAS,
  market: UsdE8 = DEAR_MARKET,
  marginPercent = FEE_MARGIN_PERCENT,
  quoteLimits = QUOTE_LIMITS,
) {
  const clock = new MovingClock(NOW_MS);
  const latestBlock = new FakeLatestBlock(gas);
  const statuses = new InMemoryPools(latestBlock);
  statuses.setStatus(pool.address, wbtcStatus);
  statuses.setStatus(usdcPool.address, usdcStatus);
  const prices = new FixedPrices(observed(market));
  const limits = { maxAgeMs: 3_600_000, maxDeviationBps: 100, quorum: 1 };
  const marketPrices = new MarketPrices([prices], clock, { assets: ASSETS, limits, ttlMs: 0 });
  const pools = [pool, usdcPool];
  const { chainId, feeAddress } = policy;
  const getPoolStatus = new GetPoolStatus(statuses, latestBlock, [...pools, swapPool]);
  const swapLeaves = new InMemoryPools();
  swapLeaves.setSwapPool(swapPool.address);
  const knownLeaves = new KnownLeaves(swapLeaves, latestBlock, clock);
  const estimateFee = new EstimateFee(latestBlock, marketPrices, getPoolStatus, knownLeaves, {
    marginPercent,
    pools: [...pools, swapPool],
    cycleGas: CYCLE_GAS,
    swapCycleGas: PRIVATE_SWAP_CYCLE_GAS,
    wbtc: pool.token,
    recipientGas: { maxFri: 10n ** 18n },
  });
  const { pools: privacyReader, state: privacyState } = aPrivacyPoolReader();
  const guarding = aGuard(clock, new FakeSubmissions(), [...pools, swapPool, privacyPool]);
  const poolDeposits = { accepting: true, nextAtMs: null, left: 19, rationLeft: 20 };
  const listPools = new ListPools(
    latestBlock,
    marketPrices,
    getPoolStatus,
    swapLeaves,
    privacyReader,
    guarding.guard,
    { execute: async () => () => poolDeposits },
    {
      chainId,
      feeAddress,
      pools,
      swapPool,
      privacyPools: [privacyPool],
      cycleGas: CYCLE_GAS,
      marginPercent,
      depositsPerHour: 24,
    },
  );

  const signer = new FakeTypedDataSigner();
  const quoteStore = new InMemoryQuoteStore();
  const ids = ['quote-a', 'quote-b', 'quote-c', 'quote-d'].values();
  let later = 0;
  const terms = {
    chainId,
    pools: [...pools, swapPool],
    feeAddress,
    ttlMs: 120_000,
    newId: () => ids.next().value ?? `quote-${(later += 1)}`,
  };
  const outstanding = new OutstandingQuotes(quoteLimits, 240_000, clock);
  const issueQuote = new IssueQuote(
    estimateFee,
    signer,
    quoteStore,
    guarding.guard,
    outstanding,
    clock,
    terms,
  );

  const setMarket = (next: UsdE8): void => prices.set(observed(next));
  return {
    privacyState,
    clock,
    statuses,
    swapLeaves,
    latestBlock,
    prices,
    marketPrices,
    setMarket,
    getPoolStatus,
    estimateFee,
    listPools,
    signer,
    quoteStore,
    guarding,
    outstanding,
    issueQuote,
  };
}
