import type { Felt } from '@sotto/kernel';
import type { FeeEstimate } from './fee-estimate.js';

/** Reply of `GET /api/relayer/fee-estimate`. Names and types are those of the specification. */
export interface FeeEstimateReply {
  /**
   * Value of the fee in sats, rounded up, but at most `maxFeeSats`. The value equals `feeAmount` if
   * the fee is paid in WBTC.
   */
  readonly feeSats: number;
  /** Fee that a proof must contain, in the smallest unit of `feeToken`. */
  readonly feeAmount: string;
  readonly feeToken: Felt;
  readonly feeBreakdown: {
    readonly depositGasStrk: number;
    readonly deployBatchGasStrk: number;
    readonly withdrawGasStrk: number;
    readonly totalGasStrk: number;
    readonly totalGasUsd: number;
    /** STRK for the recipient; absent if none was requested. */
    readonly recipientGasStrk?: number;
    readonly marginPercent: number;
  };
  readonly gasPrices: { readonly l2GasPriceFri: string; readonly l1DataGasPriceFri: string };
  /** Assumed gas of the withdrawal, and the source of the assumption. */
  readonly withdrawGas: {
    readonly l2Gas: number;
    readonly l1DataGas: number;
    readonly source: 'profile' | 'receipts';
    readonly receipts: number;
    /** Age of the newest receipt, in seconds; null if there is no receipt. */
    readonly ageSeconds: number | null;
  };
  readonly prices: { readonly strkUsd: number; readonly btcUsd: number };
  /** Value of the pool's maximum fee in sats, rounded down. */
  readonly maxFeeSats?: number;
  /** Maximum fee of the pool, in the unit of `feeAmount`: the smallest unit of the fee token. */
  readonly maxFeeAmount?: string;
  readonly denomination?: number;
}

const FRI_DECIMALS = 18;
const USD_E8_DECIMALS = 8;
const SATS_PER_BTC = 10n ** 8n;

/**
 * Converts an exact estimate to the numbers and strings of the reply. Each number is rounded once,
 * from its exact value.
 */
export function feeEstimateReply({
  feeAmount,
  feeToken,
  cost,
  recipientGasFri,
  marginPercent,
  gasPrices,
  prices,
  withdrawGas,
  pool,
}: FeeEstimate): FeeEstimateReply {
  const divisor = 10n ** BigInt(feeToken.decimals) * prices.btcUsdE8;
  /** @param up 1 to round the result up, 0 to round it down */
  const inSats = (amount: bigint, up: 0n | 1n): bigint =>
    (amount * prices.feeTokenUsdE8 * SATS_PER_BTC + up * (divisor - 1n)) / divisor;
  const feeSats = inSats(feeAmount, 1n);
  const maxFeeSats = pool === null ? feeSats : inSats(pool.maxFee, 0n);
  return {
    // The maximum is rounded down and the fee is rounded up. Without this comparison, a fee that
    // equals the maximum could exceed it by one sat.
    feeSats: wholeNumber(feeSats < maxFeeSats ? feeSats : maxFeeSats),
    feeAmount: String(feeAmount),
    feeToken: feeToken.address,
    feeBreakdown: {
      depositGasStrk: strkNumber(cost.depositFri),
      deployBatchGasStrk: strkNumber(cost.deployBatchFri),
      withdrawGasStrk: strkNumber(cost.withdrawFri),
      totalGasStrk: strkNumber(cost.totalFri),
      totalGasUsd: usdNumberOfFri(cost.totalFri, prices.strkUsdE8),
      ...(recipientGasFri === 0n ? {} : { recipientGasStrk: strkNumber(recipientGasFri) }),
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

/**
 * Converts fri to STRK. The result is the double nearest to the exact value, with about 16
 * significant digits.
 */
export function strkNumber(fri: bigint): number {
  return nearestNumber(fri, FRI_DECIMALS);
}

/**
 * Converts a price from 1e-8 USD to USD. The result is the double nearest to the exact value.
 * Prices below 10^7 USD retain all eight decimals.
 */
export function usdNumber(usdE8: bigint): number {
  return nearestNumber(usdE8, USD_E8_DECIMALS);
}

/**
 * Returns the value of an amount of fri in USD. The result is the double nearest to the exact
 * product.
 */
export function usdNumberOfFri(fri: bigint, strkUsdE8: bigint): number {
  return nearestNumber(fri * strkUsdE8, FRI_DECIMALS + USD_E8_DECIMALS);
}

/**
 * Converts an integer to a number without loss of precision.
 * @throws RangeError for negative integers and above 2^53 − 1, which a double can't represent
 *   exactly
 */
export function wholeNumber(value: bigint): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError('the integer exceeds the exact range of a JSON number');
  return Number(value);
}

/**
 * Converts a scaled integer to the nearest double. The value is rounded only once, by parsing
 * decimal text; a division of two rounded doubles would round twice.
 */
function nearestNumber(value: bigint, decimals: number): number {
  const digits = String(value).padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}
