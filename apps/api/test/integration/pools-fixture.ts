import { toFelt } from '@sotto/kernel';
import type {
  FeeEstimate,
  IssuedQuote,
  PoolCrowd,
  PoolList,
  PoolStatus,
} from '@sotto/relayer-core';

export const WBTC_POOL = toFelt('0xaa1');
export const STABLE_POOL = toFelt('0xaa2');
export const FEE_ADDRESS = toFelt('0xfee');
const CHAIN_ID = toFelt('0x534e');

/** All numbers of this status differ, so that a test detects when two fields are swapped. */
export const poolStatus: PoolStatus = {
  blockNumber: 700_001,
  timestamp: 1_760_000_000,
  denomination: 20_000n,
  undeployedCount: 2,
  activeDeposits: 9,
  totalDeposits: 17,
  totalAssets: 340_000_000_000_000_000_001n,
  maxFeeBps: 500,
  maxFee: 1_000n,
  nextIndex: 18,
};

export const poolCrowd: PoolCrowd = {
  oldestWaitingSeconds: 5_401,
  lastBatchSize: 5,
  smallestBatchSize: 3,
};

const wbtc = { symbol: 'WBTC', address: toFelt('0xb7c'), decimals: 8 } as const;

/**
 * Estimate for 36.2 M L2 gas at 30 Gfri, 15,000 L1 data gas, STRK at 0.12 USD and BTC at 95,000
 * USD.
 */
export const estimate: FeeEstimate = {
  feeToken: wbtc,
  feeAmount: 166n,
  costAmount: 137n,
  cost: {
    depositFri: 24_000_000_000_000_000n,
    deployBatchFri: 12_000_000_000_000_000n,
    withdrawFri: 1_050_000_000_000_000_000n,
    totalFri: 1_086_000_000_000_000_000n,
  },
  recipientGasFri: 0n,
  marginPercent: 20n,
  gasPrices: { l2GasFri: 30_000_000_000n, l1GasFri: 50_000n, l1DataGasFri: 45_000n },
  prices: {
    strkUsdE8: 12_000_000n,
    feeTokenUsdE8: 9_500_000_000_000n,
    btcUsdE8: 9_500_000_000_000n,
  },
  withdrawGas: { l2Gas: 35_000_000n, l1DataGas: 5_000n, receipts: 64, ageMs: 12_000 },
  pool: { maxFee: 1_000n, denomination: 20_000n },
};

export const issuedQuote: IssuedQuote = {
  quote: {
    id: 'q-unguessable',
    chainId: CHAIN_ID,
    pool: WBTC_POOL,
    relayer: FEE_ADDRESS,
    operation: 'withdraw',
    leafIndex: null,
    feeAmount: 166n,
    expiresAtMs: 1_792_000_000_000,
    signer: toFelt('0xacc1'),
    signature: [toFelt('0x51'), toFelt('0x52')],
  },
  maxFeeAmount: 1_000n,
  estimate,
};

const usdc = { symbol: 'USDC', address: toFelt('0x5dc'), decimals: 6 } as const;

const open = { accepting: true, pausedFor: null, reason: null } as const;
const paused = { accepting: false, pausedFor: 'operator', reason: 'upgrade' } as const;

export const poolList: PoolList = {
  chainId: CHAIN_ID,
  feeAddress: FEE_ADDRESS,
  pools: [
    {
      key: 'one',
      address: WBTC_POOL,
      kind: 'swap_input',
      token: wbtc,
      batchSizes: [3, 5, 7],
      status: poolStatus,
      denomination: poolStatus.denomination,
      feeAmount: 166n,
      depositRation: { perHour: 24, left: 21, perNetwork: 6 },
      deposits: { accepting: false, nextAtMs: 1_792_000_000_001, left: 0, rationLeft: 21 },
      ...open,
    },
    {
      key: 'stable',
      address: STABLE_POOL,
      kind: 'stable',
      token: usdc,
      batchSizes: [3],
      status: null,
      denomination: null,
      feeAmount: null,
      depositRation: null,
      deposits: null,
      ...paused,
    },
  ],
  swapOutputs: null,
  privacyPools: [],
};
