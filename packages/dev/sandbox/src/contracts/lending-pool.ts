import {
  Revert,
  type BlockContext,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { Arguments, modelClassHash, shortStringFelt, u256Felts } from './calldata.js';
import { view } from './pool-parts.js';
import type { ContractStorage } from './storage.js';

/** State of one asset that a lending pool lends. */
export interface LendingMarket {
  /** Amount that is available for loans, in the asset's smallest unit. */
  readonly reserve: bigint;
  /** Nominal debt, in units of the accumulator. The value 1e18 is one whole unit of the asset. */
  readonly nominalDebtE18: bigint;
  /** Current debt per unit of nominal debt, where 1e18 is one. */
  readonly rateAccumulatorE18: bigint;
  /** Interest rate per second at full utilization, where 1e18 is 100 %. */
  readonly fullUtilizationRateE18: bigint;
  /** Number of smallest units in one whole unit of the asset. */
  readonly scale: bigint;
}

/** Changes of a market's fields. Omitted fields do not change. */
export type LendingChanges = {
  readonly [Slot in keyof LendingMarket]?: LendingMarket[Slot] | undefined;
};

/**
 * Parameters of the interest rate as a function of the utilization. Utilizations are in 1/100,000,
 * and rates per second are in 1e-18.
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
   * Interest rate at the target utilization, as a position between two other rates: 0 is the rate
   * at zero utilization, and 1e18 is the rate at full utilization.
   */
  readonly targetRateE18: bigint;
}

/** Debt asset, collateral asset and maximum loan-to-value of a pool. */
export interface LendingTerms {
  readonly priceOracle: bigint;
  readonly collateralAsset: bigint;
  readonly debtAsset: bigint;
  /** Maximum debt as a share of the collateral's value, where 1e18 is 100 %. */
  readonly maxLtvE18: bigint;
}

const E18 = 10n ** 18n;
const WHOLE = 100_000n;
const U64_BOUND = 2n ** 64n;
const READ_L2_GAS = 1_000_000n;
const MAX_UTILIZATION = (95n * E18) / 100n;
const FEE_RATE = E18 / 5n;
const NOT_LEGACY = 0n;
const ASSET_CONFIG_FELTS = 22;
const MOVE_L2_GAS = 1_000_000n;
const SPOT_ENTRY = 0n;
const COLLATERAL_PAIR = shortStringFelt('WBTC/USD');
const DEBT_PAIR = shortStringFelt('USDC/USD');
/** Amount of collateral that is used to convert a debt, so large that rounding is negligible. */
const COLLATERAL_UNIT = 10n ** 27n;

/** Changes the state of a pool's asset in any storage. No transaction can do this. */
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
 * Sets the interest on an asset's debt in any storage, for the time after `sinceSeconds`.
 * @param rateE18 interest rate per second; 0 for no interest
 */
export function setLendingInterest(
  storage: ContractStorage,
  asset: bigint,
  rateE18: bigint,
  sinceSeconds: bigint,
): void {
  const { rateAccumulatorE18 } = grown(storage, asset, sinceSeconds);
  setLendingMarket(storage, asset, { rateAccumulatorE18 });
  const keys = interestKeys(asset);
  storage.set(keys.rateE18, rateE18);
  storage.set(keys.sinceSeconds, sinceSeconds);
}

/**
 * Model of a Vesu V2 pool with the views from which yields are computed (`asset_config`,
 * `utilization`, `interest_rate`). The model also lends one asset against another. Debt grows every
 * second at the rate that was set for its asset, initially zero. Each result refers to the block of
 * the call. Collateral is separate and is not lent: a supply changes no market, and a loan changes
 * only the market of the debt asset.
 */
export function lendingPool(curve: RateCurve, terms: LendingTerms): ContractModel {
  return {
    name: 'LendingPool',
    classHash: modelClassHash('LendingPool'),
    entrypoints: {
      asset_config: assetConfig,
      utilization,
      interest_rate: interestRate(curve),
      ...lending(terms),
    },
  };
}

/** Returns the entry points that read and change users' positions. */
function lending(terms: LendingTerms): ContractModel['entrypoints'] {
  const { priceOracle, collateralAsset, debtAsset, maxLtvE18 } = terms;
  const positionOf = (context: CallContext, user: bigint) => {
    const nominalE18 = context.get(positionKeys(user).nominalDebtE18);
    return {
      collateral: context.get(positionKeys(user).collateral),
      nominalE18,
      debt: amountOf(nominalE18, readMarket(context, debtAsset)),
    };
  };
  /** Returns the value of an amount in USD, where 1e18 is one USD. */
  const valueE18 = (context: CallContext, amount: bigint, asset: bigint, pair: bigint): bigint => {
    const { scale } = readMarket(context, asset);
    if (scale === 0n) throw new Revert('Unknown asset');
    const [price = 0n, decimals = 0n] = context.call(priceOracle, 'get_data_median', [
      SPOT_ENTRY,
      pair,
    ]);
    if (price === 0n) throw new Revert('No price');
    return (amount * price * E18) / (scale * 10n ** decimals);
  };
  const requireCovered = (context: CallContext, user: bigint): void => {
    const { collateral, debt } = positionOf(context, user);
    if (debt === 0n) return;
    const worth = valueE18(context, collateral, collateralAsset, COLLATERAL_PAIR);
    if (valueE18(context, debt, debtAsset, DEBT_PAIR) > (worth * maxLtvE18) / E18)
      throw new Revert('LTV exceeded');
  };
  return {
    /**
     * Returns maximum loan-to-value, liquidation factor and debt cap. All are zero for another pair
     * of assets.
     */
    pair_config: (_context, calldata) => {
      const args = new Arguments(calldata);
      const [collateral, debt] = [args.address(), args.address()];
      args.end();
      const isLent = collateral === collateralAsset && debt === debtAsset;
      return [isLent ? maxLtvE18 : 0n, 0n, 0n];
    },
    lending_terms: view(() => [priceOracle, collateralAsset, debtAsset, ...u256Felts(maxLtvE18)]),
    position: userView((context, user) => {
      const { collateral, debt } = positionOf(context, user);
      return [...u256Felts(collateral), ...u256Felts(debt)];
    }),
    nominal_debt: userView((context, user) => u256Felts(positionOf(context, user).nominalE18)),
    /** Returns the user's debt as an amount of collateral at the oracle's prices, rounded up. */
    debt_in_collateral: userView((context, user) => {
      const { debt } = positionOf(context, user);
      if (debt === 0n) return u256Felts(0n);
      const owed = valueE18(context, debt, debtAsset, DEBT_PAIR) * COLLATERAL_UNIT;
      const unit = valueE18(context, COLLATERAL_UNIT, collateralAsset, COLLATERAL_PAIR);
      return u256Felts((owed + unit - 1n) / unit);
    }),
    supply: move((context, amount) => {
      const key = positionKeys(context.caller).collateral;
      context.set(key, context.get(key) + amount);
      pull(context, collateralAsset, amount);
    }),
    withdraw: move((context, amount) => {
      const { caller } = context;
      const { collateral } = positionOf(context, caller);
      if (amount > collateral) throw new Revert('Insufficient collateral');
      context.set(positionKeys(caller).collateral, collateral - amount);
      requireCovered(context, caller);
      context.call(collateralAsset, 'transfer', [caller, ...u256Felts(amount)]);
    }),
    borrow: move((context, amount) => {
      const { caller } = context;
      const market = readMarket(context, debtAsset);
      if (amount > market.reserve) throw new Revert('Insufficient liquidity');
      const unit = market.rateAccumulatorE18 * market.scale;
      const nominalE18 = (amount * E18 * E18 + unit - 1n) / unit;
      keepMarket(context, debtAsset, {
        ...market,
        reserve: market.reserve - amount,
        nominalDebtE18: market.nominalDebtE18 + nominalE18,
      });
      const key = positionKeys(caller).nominalDebtE18;
      context.set(key, context.get(key) + nominalE18);
      requireCovered(context, caller);
      context.call(debtAsset, 'transfer', [caller, ...u256Felts(amount)]);
    }),
    /** Repays the amount, but not more than the debt. */
    repay: move((context, amount) => {
      const { caller } = context;
      const market = readMarket(context, debtAsset);
      const { nominalE18: owed, debt } = positionOf(context, caller);
      if (debt === 0n) throw new Revert('No debt');
      const paid = smaller(amount, debt);
      const unit = market.rateAccumulatorE18 * market.scale;
      const nominalE18 = paid === debt ? owed : smaller(owed, (paid * E18 * E18) / unit);
      context.set(positionKeys(caller).nominalDebtE18, owed - nominalE18);
      keepMarket(context, debtAsset, {
        ...market,
        reserve: market.reserve + paid,
        nominalDebtE18: market.nominalDebtE18 - smaller(market.nominalDebtE18, nominalE18),
      });
      pull(context, debtAsset, paid);
    }),
  };
}

/** Creates a view whose only argument is a user's address. */
function userView(read: (context: CallContext, user: bigint) => bigint[]): Entrypoint {
  return (context, calldata) => read(context, onlyAddress(calldata));
}

/** Creates an entry point whose only argument is an amount that it moves for the caller. */
function move(run: (context: CallContext, amount: bigint) => void): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const amount = args.u256();
    args.end();
    context.useL2Gas(MOVE_L2_GAS);
    if (amount === 0n) throw new Revert('Zero amount');
    run(context, amount);
    return [];
  };
}

function pull(context: CallContext, token: bigint, amount: bigint): void {
  context.call(token, 'transferFrom', [context.caller, context.self, ...u256Felts(amount)]);
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function positionKeys(user: bigint): Record<'collateral' | 'nominalDebtE18', string> {
  const id = user.toString(16);
  return { collateral: `collateral:${id}`, nominalDebtE18: `position_debt:${id}` };
}

const assetConfig: Entrypoint = (context, calldata) => {
  const market = readMarket(context, onlyAddress(calldata));
  // The real contract also returns zeros for an unknown asset.
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
  const market = readMarket(context, onlyAddress(calldata));
  const debt = debtOf(market);
  return u256Felts(debt === 0n ? 0n : (debt * E18) / (market.reserve + debt));
};

/**
 * Creates the view of the interest rate. Like the real contract, the view uses its arguments rather
 * than the pool's state. If `lastUpdated` is earlier than the block's time, the view computes the
 * change of the rate at full utilization since then. If `lastUpdated` is later, the view reverts.
 * If {@link setLendingInterest} has set a rate, the view returns this rate and ignores the curve.
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
    const seconds = secondsSince(lastUpdated, context.block);
    const setRate = context.get(interestKeys(asset).rateE18);
    if (setRate !== 0n) return u256Felts(setRate);
    const fullRate = fullUtilizationRate(curve, used, seconds, lastFullRate);
    return u256Felts(rateAt(curve, used, fullRate));
  };
}

function secondsSince(lastUpdated: bigint, { timestampSeconds }: BlockContext): bigint {
  const seconds = BigInt(timestampSeconds) - lastUpdated;
  if (seconds < 0n) throw new Revert('u64_sub Overflow');
  return seconds;
}

/**
 * Returns the rate at a utilization. The curve consists of two straight lines that meet at the
 * target.
 */
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
 * Returns the rate at full utilization after `seconds`. The rate falls while the utilization is
 * below the target range, and rises while it is above the range, between a minimum and a maximum.
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

function debtOf(market: LendingMarket): bigint {
  return amountOf(market.nominalDebtE18, market);
}

function amountOf(
  nominalDebtE18: bigint,
  { rateAccumulatorE18, scale }: Pick<LendingMarket, 'rateAccumulatorE18' | 'scale'>,
): bigint {
  return (nominalDebtE18 * rateAccumulatorE18 * scale) / (E18 * E18);
}

function onlyAddress(calldata: readonly bigint[]): bigint {
  const args = new Arguments(calldata);
  const address = args.address();
  args.end();
  return address;
}

/** Returns the market of an asset at the current block. */
function readMarket(context: CallContext, asset: bigint): LendingMarket {
  context.useL2Gas(READ_L2_GAS);
  return grown(context, asset, BigInt(context.block.timestampSeconds));
}

/** Stores the market of an asset. @param market state at the current block */
function keepMarket(context: CallContext, asset: bigint, market: LendingMarket): void {
  setLendingMarket(context, asset, market);
  context.set(interestKeys(asset).sinceSeconds, BigInt(context.block.timestampSeconds));
}

/** Returns the market of an asset, with interest accrued up to a given time. */
function grown(
  storage: Pick<ContractStorage, 'get'>,
  asset: bigint,
  nowSeconds: bigint,
): LendingMarket {
  const [keys, interest] = [marketKeys(asset), interestKeys(asset)];
  const accumulatorE18 = storage.get(keys.rateAccumulatorE18);
  const sinceSeconds = storage.get(interest.sinceSeconds);
  const seconds = nowSeconds > sinceSeconds ? nowSeconds - sinceSeconds : 0n;
  const shareE18 = storage.get(interest.rateE18) * seconds;
  return {
    reserve: storage.get(keys.reserve),
    nominalDebtE18: storage.get(keys.nominalDebtE18),
    rateAccumulatorE18: accumulatorE18 + (accumulatorE18 * shareE18) / E18,
    fullUtilizationRateE18: storage.get(keys.fullUtilizationRateE18),
    scale: storage.get(keys.scale),
  };
}

function interestKeys(asset: bigint): Record<'rateE18' | 'sinceSeconds', string> {
  const id = asset.toString(16);
  return { rateE18: `interest_rate:${id}`, sinceSeconds: `interest_since:${id}` };
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
