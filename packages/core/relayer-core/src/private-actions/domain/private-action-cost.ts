import { friToFeeToken, type FeeTokenPrices, type PoolToken } from '@sotto/market-core';

/**
 * Part of the cost that the fee inside the actions covers. `default`: gas and the pool's fee.
 * `sponsored_private`: the pool's fee; a sponsor pays the gas. `sponsored`: nothing.
 */
export type PrivateActionFeeMode = 'default' | 'sponsored' | 'sponsored_private';

/** Cost of a transaction for the relayer, at current prices. */
export interface PrivateActionCost extends FeeTokenPrices {
  /** Cost of the gas, in fri. */
  readonly gasFri: bigint;
  /** STRK that the pool charges, in fri. */
  readonly poolFeeFri: bigint;
  /** Token of the fee; STRK if the actions pay no fee. */
  readonly token: PoolToken;
}

/** Returns the part of the cost that the fee has to cover in this mode, in fri. */
export function chargedFri(
  mode: PrivateActionFeeMode,
  { gasFri, poolFeeFri }: Pick<PrivateActionCost, 'gasFri' | 'poolFeeFri'>,
): bigint {
  switch (mode) {
    case 'default':
      return gasFri + poolFeeFri;
    case 'sponsored_private':
      return poolFeeFri;
    case 'sponsored':
      return 0n;
  }
}

/** Converts fri to the smallest unit of the fee's token, rounded up. */
export function inFeeToken(fri: bigint, { token, ...prices }: PrivateActionCost): bigint {
  return friToFeeToken(fri, prices, token.decimals);
}

/** Number of decimal digits that a suggested fee keeps. */
const KEPT_DIGITS = 2;

/**
 * Rounds a fee up to two significant digits. Many transactions then pay the same fee, so the amount
 * on chain does not identify the quote of a transaction.
 */
export function rounded(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - KEPT_DIGITS));
  return ((amount + unit - 1n) / unit) * unit;
}
