import type { Felt } from '@sotto/kernel';
import type { FeeEstimate } from './fee-estimate.js';

/** The reply of `GET /api/relayer/fee-estimate`, as the specification names and types it. */
export interface FeeEstimateReply {
  /**
   * Value of the fee in sats, rounded up, at most `maxFeeSats`. Equal to `feeAmount` if the fee is
   * paid in WBTC.
   */
  readonly feeSats: number;
  /** Fee to put into a proof, in the smallest unit of `feeToken`. */
  readonly feeAmount: string;
  readonly feeToken: Felt;
  readonly feeBreakdown: {
    readonly depositGasStrk: number;
    readonly deployBatchGasStrk: number;
    readonly withdrawGasStrk: number;
    readonly totalGasStrk: number;
    readonly totalGasUsd: number;
    readonly marginPercent: number;
  };
  readonly gasPrices: { readonly l2GasPriceFri: string; readonly l1DataGasPriceFri: string };
  /** What the withdrawal is taken to use, and how that is known. */
  readonly withdrawGas: {
    readonly l2Gas: number;
    readonly l1DataGas: number;
    readonly source: 'profile' | 'receipts';
    readonly receipts: number;
    /** Of the newest receipt. */
    readonly ageSeconds: number | null;
  };
  readonly prices: { readonly strkUsd: number; readonly btcUsd: number };
  /** Value of the pool's maximum fee in sats, rounded down. */
  readonly maxFeeSats?: number;
  /** In the unit of `feeAmount`. */
  readonly maxFeeAmount?: string;
  readonly denomination?: number;
}

const FRI_DECIMALS = 18;
const USD_E8_DECIMALS = 8;
const SATS_PER_BTC = 10n ** 8n;

/**
 * An exact estimate in the numbers and texts of the reply. Each number is rounded once, from its
 * own exact value.
 */
export function feeEstimateReply({
  feeAmount,
  feeToken,
  cost,
  marginPercent,
  gasPrices,
  prices,
  withdrawGas,
  pool,
}: FeeEstimate): FeeEstimateReply {
  const divisor = 10n ** BigInt(feeToken.decimals) * prices.btcUsdE8;
  /** @param up 1 to round up, 0 to round down */
  const inSats = (amount: bigint, up: 0n | 1n): bigint =>
    (amount * prices.feeTokenUsdE8 * SATS_PER_BTC + up * (divisor - 1n)) / divisor;
  const feeSats = inSats(feeAmount, 1n);
  const maxFeeSats = pool === null ? feeSats : inSats(pool.maxFee, 0n);
  return {
    // Both are rounded: a fee at the maximum would be one sat above it.
    feeSats: wholeNumber(feeSats < maxFeeSats ? feeSats : maxFeeSats),
    feeAmount: String(feeAmount),
    feeToken: feeToken.address,
    feeBreakdown: {
      depositGasStrk: strkNumber(cost.depositFri),
      deployBatchGasStrk: strkNumber(cost.deployBatchFri),
      withdrawGasStrk: strkNumber(cost.withdrawFri),
      totalGasStrk: strkNumber(cost.totalFri),
      totalGasUsd: usdNumberOfFri(cost.totalFri, prices.strkUsdE8),
      marginPercent: wholeNumber(marginPercent),
    },
    gasPrices: {
      l2GasPriceFri: String(gasPrices.l2GasFri),
      l1DataGasPriceFri: String(gasPrices.l1DataGasFri),
    },
    withdrawGas: {
      l2Gas: wholeNumber(withdrawGas.l2Gas),
      l1DataGas: wholeNumber(withdrawGas.l1DataGas),
      source: withdrawGas.receipts === 0 ? 'profile' : 'receipts',
      receipts: withdrawGas.receipts,
      ageSeconds: withdrawGas.ageMs === null ? null : Math.floor(withdrawGas.ageMs / 1_000),
    },
    prices: { strkUsd: usdNumber(prices.strkUsdE8), btcUsd: usdNumber(prices.btcUsdE8) },
    ...(pool === null
      ? {}
      : { maxFeeSats: wholeNumber(maxFeeSats), maxFeeAmount: String(pool.maxFee) }),
    ...(pool === null || pool.denomination === null
      ? {}
      : { denomination: wholeNumber(pool.denomination) }),
  };
}

/** Fri as STRK: the double nearest to the exact value, about 16 significant digits. */
export function strkNumber(fri: bigint): number {
  return nearestNumber(fri, FRI_DECIMALS);
}

/**
 * A price in 1e-8 USD as USD: the double nearest to the exact value, so that prices below 10^7 USD
 * keep all their eight decimals.
 */
export function usdNumber(usdE8: bigint): number {
  return nearestNumber(usdE8, USD_E8_DECIMALS);
}

/** What an amount of fri is worth in USD: the double nearest to the exact product. */
export function usdNumberOfFri(fri: bigint, strkUsdE8: bigint): number {
  return nearestNumber(fri * strkUsdE8, FRI_DECIMALS + USD_E8_DECIMALS);
}

/**
 * An integer as a number, exactly.
 * @throws RangeError above 2^53 − 1: the reply would hold another number.
 */
export function wholeNumber(value: bigint): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError('the integer is outside what a JSON number holds exactly');
  return Number(value);
}

/**
 * Decimal text is rounded to the nearest double; a division of two rounded doubles would not be.
 */
function nearestNumber(value: bigint, decimals: number): number {
  const digits = String(value).padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}
