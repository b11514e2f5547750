import {
  Revert,
  type BlockContext,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { Arguments, modelClassHash, u256Felts } from './calldata.js';
import type { ContractStorage } from './storage.js';

/** What a pool keeps of an asset that it lends. */
export interface LendingMarket {
  /** Not lent out, in the asset's smallest unit. */
  readonly reserve: bigint;
  /** Debt in units of the accumulator; 1e18 is one whole unit of the asset. */
  readonly nominalDebtE18: bigint;
  /** What one unit of nominal debt has grown to. */
  readonly rateAccumulatorE18: bigint;
  /** Rate per second if everything were lent out. */
  readonly fullUtilizationRateE18: bigint;
  /** Smallest units in one unit of the asset. */
  readonly scale: bigint;
}

/** What is left out stays. */
export type LendingChanges = {
  readonly [Slot in keyof LendingMarket]?: LendingMarket[Slot] | undefined;
};

/**
 * How the rate follows the utilization. Utilizations are in 1/100,000, rates per second in 1e-18.
 */
export interface RateCurve {
  readonly minTargetUtilization: bigint;
  readonly targetUtilization: bigint;
  readonly maxTargetUtilization: bigint;
  readonly zeroUtilizationRate: bigint;
  readonly minFullUtilizationRate: bigint;
  readonly maxFullUtilizationRate: bigint;
  readonly halfLifeSeconds: bigint;
  /**
   * Rate at the target, as a share of the way from the rate at zero to that at full utilization;
   * 1e18 is all of it.
   */
  readonly targetRateE18: bigint;
}

const E18 = 10n ** 18n;
const WHOLE = 100_000n;
const U64_BOUND = 2n ** 64n;
const READ_L2_GAS = 1_000_000n;
const MAX_UTILIZATION = (95n * E18) / 100n;
const FEE_RATE = E18 / 5n;
const NOT_LEGACY = 0n;
const ASSET_CONFIG_FELTS = 22;

/** Changes what a pool keeps of an asset, in any storage; a transaction cannot. */
export function setLendingMarket(
  storage: ContractStorage,
  asset: bigint,
  changes: LendingChanges,
): void {
  const keys = marketKeys(asset);
  if (changes.reserve !== undefined) storage.set(keys.reserve, changes.reserve);
  if (changes.nominalDebtE18 !== undefined)
    storage.set(keys.nominalDebtE18, changes.nominalDebtE18);
  if (changes.rateAccumulatorE18 !== undefined)
    storage.set(keys.rateAccumulatorE18, changes.rateAccumulatorE18);
  if (changes.fullUtilizationRateE18 !== undefined)
    storage.set(keys.fullUtilizationRateE18, changes.fullUtilizationRateE18);
  if (changes.scale !== undefined) storage.set(keys.scale, changes.scale);
}

/**
 * The views of a Vesu V2 pool that return its yields: `asset_config`, `utilization`,
 * `interest_rate`. Its markets stand still: no interest accrues and no money moves, so each answer
 * is as of the block that asks.
 */
export function lendingPool(curve: RateCurve): ContractModel {
  return {
    name: 'LendingPool',
    classHash: modelClassHash('LendingPool'),
    entrypoints: { asset_config: assetConfig, utilization, interest_rate: interestRate(curve) },
  };
}

const assetConfig: Entrypoint = (context, calldata) => {
  const market = readMarket(context, onlyAsset(calldata));
  // What the real one says of an asset that it does not have.
  if (market.scale === 0n) return Array.from({ length: ASSET_CONFIG_FELTS }, () => 0n);
  const shares = ((market.reserve + debtOf(market)) * E18) / market.scale;
  return [
    ...u256Felts(shares),
    ...u256Felts(market.nominalDebtE18),
    ...u256Felts(market.reserve),
    ...u256Felts(MAX_UTILIZATION),
    ...u256Felts(0n),
    ...u256Felts(market.scale),
    NOT_LEGACY,
    BigInt(context.block.timestampSeconds),
    ...u256Felts(market.rateAccumulatorE18),
    ...u256Felts(market.fullUtilizationRateE18),
    ...u256Felts(FEE_RATE),
    ...u256Felts(0n),
  ];
};

const utilization: Entrypoint = (context, calldata) => {
  const market = readMarket(context, onlyAsset(calldata));
  const debt = debtOf(market);
  return u256Felts(debt === 0n ? 0n : (debt * E18) / (market.reserve + debt));
};

/**
 * Arguments as a caller has read them, as in the real one: from a time before the block it computes
 * how the rate at full utilization has moved since, from a time after the block it reverts.
 */
function interestRate(curve: RateCurve): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const asset = args.address();
    const utilizationE18 = args.u256();
    const lastUpdated = args.u128();
    if (lastUpdated >= U64_BOUND) throw new Revert('Failed to deserialize param #3');
    const lastFullRate = args.u256();
    args.end();
    if (readMarket(context, asset).scale === 0n) return u256Felts(0n);
    const used = utilizationE18 / (E18 / WHOLE);
    const fullRate = fullUtilizationRate(
      curve,
      used,
      secondsSince(lastUpdated, context.block),
      lastFullRate,
    );
    return u256Felts(rateAt(curve, used, fullRate));
  };
}

function secondsSince(lastUpdated: bigint, { timestampSeconds }: BlockContext): bigint {
  const seconds = BigInt(timestampSeconds) - lastUpdated;
  if (seconds < 0n) throw new Revert('u64_sub Overflow');
  return seconds;
}

/** Two straight lines that meet at the target. */
function rateAt(
  { targetUtilization, zeroUtilizationRate, targetRateE18 }: RateCurve,
  used: bigint,
  fullRate: bigint,
): bigint {
  const targetRate = zeroUtilizationRate + ((fullRate - zeroUtilizationRate) * targetRateE18) / E18;
  if (used < targetUtilization)
    return zeroUtilizationRate + (used * (targetRate - zeroUtilizationRate)) / targetUtilization;
  return (
    targetRate +
    ((used - targetUtilization) * (fullRate - targetRate)) / (WHOLE - targetUtilization)
  );
}

/**
 * Below the target range the rate at full utilization sinks with time, above it rises, within
 * bounds.
 */
function fullUtilizationRate(
  curve: RateCurve,
  used: bigint,
  seconds: bigint,
  lastRate: bigint,
): bigint {
  const {
    minTargetUtilization: low,
    maxTargetUtilization: high,
    minFullUtilizationRate: least,
    maxFullUtilizationRate: most,
  } = curve;
  const halfLife = curve.halfLifeSeconds * E18;
  let rate = lastRate;
  if (used < low)
    rate = (lastRate * halfLife) / (halfLife + (((low - used) * E18) / low) * seconds);
  if (used > high)
    rate = (lastRate * (halfLife + (((used - high) * E18) / (WHOLE - high)) * seconds)) / halfLife;
  if (rate > most) return most;
  return rate < least ? least : rate;
}

function debtOf({ nominalDebtE18, rateAccumulatorE18, scale }: LendingMarket): bigint {
  return (nominalDebtE18 * rateAccumulatorE18 * scale) / (E18 * E18);
}

function onlyAsset(calldata: readonly bigint[]): bigint {
  const args = new Arguments(calldata);
  const asset = args.address();
  args.end();
  return asset;
}

function readMarket(context: CallContext, asset: bigint): LendingMarket {
  context.useL2Gas(READ_L2_GAS);
  const keys = marketKeys(asset);
  return {
    reserve: context.get(keys.reserve),
    nominalDebtE18: context.get(keys.nominalDebtE18),
    rateAccumulatorE18: context.get(keys.rateAccumulatorE18),
    fullUtilizationRateE18: context.get(keys.fullUtilizationRateE18),
    scale: context.get(keys.scale),
  };
}

function marketKeys(asset: bigint): Readonly<Record<keyof LendingMarket, string>> {
  const id = asset.toString(16);
  return {
    reserve: `reserve:${id}`,
    nominalDebtE18: `nominal_debt:${id}`,
    rateAccumulatorE18: `rate_accumulator:${id}`,
    fullUtilizationRateE18: `full_utilization_rate:${id}`,
    scale: `scale:${id}`,
  };
}
