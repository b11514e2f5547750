import { u256FromHalves } from '@sotto/kernel';
import { z } from 'zod';
import { WireNumber, WireU128, WireU64 } from './wire.js';

const U256 = [WireU128, WireU128] as const;
const Bool = WireNumber.refine((value) => value < 2n);

/**
 * Result of a Vesu V2 pool's `asset_config`: 22 felts, with interest accrued to the block of the
 * call.
 *
 * Order: total_collateral_shares, total_nominal_debt, reserve, max_utilization, floor, scale (u256
 * each), is_legacy (bool), last_updated (u64), last_rate_accumulator, last_full_utilization_rate,
 * fee_rate, fee_shares (u256 each).
 */
export const AssetConfig = z
  .tuple([
    ...U256,
    ...U256,
    ...U256,
    ...U256,
    ...U256,
    ...U256,
    Bool,
    WireU64,
    ...U256,
    ...U256,
    ...U256,
    ...U256,
  ])
  .transform((felts) => ({
    totalNominalDebtE18: u256FromHalves(felts[2], felts[3]),
    reserve: u256FromHalves(felts[4], felts[5]),
    /** Maximum share of the supply that may be lent; 1e18 means 100 %. */
    maxUtilizationE18: u256FromHalves(felts[6], felts[7]),
    /** Number of smallest units per unit of the asset; 0 if the pool does not have the asset. */
    scale: u256FromHalves(felts[10], felts[11]),
    lastUpdatedSeconds: felts[13],
    rateAccumulatorE18: u256FromHalves(felts[14], felts[15]),
    lastFullUtilizationRateE18: u256FromHalves(felts[16], felts[17]),
    /** Pool's share of the interest; 1e18 means 100 %. */
    feeRateE18: u256FromHalves(felts[18], felts[19]),
  }));
export type AssetConfig = z.infer<typeof AssetConfig>;
