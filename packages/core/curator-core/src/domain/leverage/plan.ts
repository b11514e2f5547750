import { divideUp } from '@sotto/kernel';
import type { LeverageCall, LeverageLayout } from './layout.js';
import { ONE_E18, SECONDS_PER_YEAR, type LeveragePosition } from './position.js';

/** What one unit of the collateral is worth in units of the debt, as an exact fraction. */
export interface LeveragePrice {
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

export interface LeverageLimits {
  /**
   * How far the loan-to-value stays below the pool's own limit; 1e18 is 100 %, 5e16 serves. Also
   * the fall of the collateral's price, as a share, that a way back survives.
   */
  readonly safetyDistanceE18: bigint;
  /**
   * No round leaves a health factor below this, and one that fell below it is led back; 1e18 is the
   * factor at which the pool liquidates, 1.05e18 serves.
   */
  readonly healthFloorE18: bigint;
  /**
   * The most that a swap may lose against the fair value, in millionths: largest price impact and
   * slippage together; 20,000 serves.
   */
  readonly swapCostPpm: bigint;
  /** Most rounds from no debt to a target; 12 serves. */
  readonly maxRounds: number;
  /** Smaller rounds up are not worth their gas, in the debt token's unit; 100e6 of USDC serves. */
  readonly minRoundDebt: bigint;
  /** No round swaps more, in the debt token's unit; 100,000e6 of USDC serves. */
  readonly maxRoundDebt: bigint;
  /** How far from its target a position may be, in hundredths of a percent of it; 200 serves. */
  readonly toleranceBps: bigint;
  /** So little debt starts no round back, in the debt token's unit; 1e6 of USDC serves. */
  readonly dustDebt: bigint;
  /**
   * How long a debt may grow between the block that a round is planned from and the one that
   * executes it, in seconds; 600 serves.
   */
  readonly accrualSeconds: bigint;
}

/** What a vault has supplied and owes, in the smallest units. */
export type Holding = Pick<LeveragePosition, 'collateral' | 'debt'>;

export interface PlannedRound extends Pick<LeverageCall, 'direction' | 'amount' | 'minimumOut'> {
  readonly before: Holding;
  /**
   * The most that the swap of a round to no debt has to bring: the debt and what it grows by
   * meanwhile, less what the vault repays with beside it. Where the amount brings more, as its
   * price is not the worst, {@link trimToNeeded} sells less. Null for other rounds, and where the
   * difference is not worth it.
   */
  readonly needed: bigint | null;
  /**
   * After the round, when its swap brings no more than the minimum. An amount of 0 is a round back
   * that only repays with what the vault holds.
   */
  readonly after: Holding;
  /** Health factor after it; 1e18 is liquidation. Null without debt. */
  readonly healthE18: bigint | null;
}

export type LeveragePlan =
  | { readonly kind: 'at_target' }
  /** The vault's limits reach `limitBps` at most. */
  | { readonly kind: 'unreachable'; readonly limitBps: number }
  /** No collateral can be withdrawn. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'liquidity_missing' }
  | {
      readonly kind: 'rounds';
      /** At least one, all in one direction. */
      readonly rounds: readonly [PlannedRound, ...PlannedRound[]];
      /** Whether they end at the target: liquidity and the largest round may end them before. */
      readonly isComplete: boolean;
    };

export interface LeverageQuestion {
  readonly position: Omit<LeveragePosition, 'nominalDebt' | 'held'>;
  readonly price: LeveragePrice;
  /** Collateral over equity in hundredths of a percent: 10,000 is no debt. */
  readonly targetBps: number;
  readonly form: LeverageLayout['form'];
  /**
   * What the vault holds of the debt's token, where a round back repays with that as well.
   * @default 0n
   */
  readonly repaysWith?: bigint;
}

/** 1× in hundredths of a percent. */
export const UNLEVERAGED_BPS = 10_000;
const BPS = 10_000n;
const PPM = 1_000_000n;
/** Rounds of a way back that are planned ahead. */
const MOST_ROUNDS_BACK = 1_000;

/**
 * The rounds that lead a position to a target, up or back, each counted with the least that its
 * swap may bring. Pure: the same position, price and limits give the same rounds.
 */
export function planLeverage(question: LeverageQuestion, limits: LeverageLimits): LeveragePlan {
  const { position, price, form } = question;
  const limitBps = leverageLimitBps(position.maxLtvE18, form, limits);
  const isUnsafe = exceedsLtv(position, price, usableLtvE18(position.maxLtvE18, limits));
  const isReachable = question.targetBps <= limitBps;
  if (!isReachable && !isUnsafe) return { kind: 'unreachable', limitBps };
  const target = BigInt(isReachable ? question.targetBps : limitBps);
  const { toleranceBps, dustDebt } = limits;
  if (isAbove(position, price, target, isUnsafe ? 0n : toleranceBps, dustDebt))
    return roundsDown(question, target, limits);
  return isBelow(position, price, target, toleranceBps)
    ? roundsUp(question, target, limits, limitBps)
    : { kind: 'at_target' };
}

/**
 * The amount of a round, and the least that its swap may bring, once a quote says what all of the
 * planned amount brings: no more is sold than is needed at that price.
 */
export function trimToNeeded(
  { amount, minimumOut, needed }: Pick<PlannedRound, 'amount' | 'minimumOut' | 'needed'>,
  quoted: bigint,
): Pick<PlannedRound, 'amount' | 'minimumOut'> {
  if (needed === null || quoted <= needed) return { amount, minimumOut };
  const trimmed = divideUp(amount * needed, quoted);
  return { amount: trimmed, minimumOut: (minimumOut * trimmed) / amount };
}

/**
 * The loan-to-value that rounds go up to: so far below the pool's limit as the safety distance and
 * the health floor ask for, and so low that swaps at their worst still lead back at a price that
 * has fallen by the safety distance. 1e18 is 100 %.
 */
export function usableLtvE18(
  maxLtvE18: bigint,
  { safetyDistanceE18: safety, healthFloorE18, swapCostPpm }: LeverageLimits,
): bigint {
  const worstLtvE18 = ((PPM - swapCostPpm) * (ONE_E18 - safety)) / PPM - safety;
  return least(maxLtvE18 - safety, (maxLtvE18 * ONE_E18) / healthFloorE18, worstLtvE18);
}

/**
 * The highest leverage that the limits reach from a position without debt: with the usable
 * loan-to-value v and the swap cost c each round multiplies by q = v(1 − c), so that n rounds give
 * (1 − q^(n+1)) / (1 − q) and a flash loan 1 / (1 − q). In hundredths of a percent, rounded down.
 */
export function leverageLimitBps(
  maxLtvE18: bigint,
  form: LeverageLayout['form'],
  limits: LeverageLimits,
): number {
  const ltvE18 = usableLtvE18(maxLtvE18, limits);
  if (ltvE18 <= 0n) return UNLEVERAGED_BPS;
  const [q, whole] = [ltvE18 * (PPM - limits.swapCostPpm), ONE_E18 * PPM];
  if (form === 'lever') return Number((BPS * whole) / (whole - q));
  const rounds = BigInt(limits.maxRounds);
  return Number(
    (BPS * (whole ** (rounds + 1n) - q ** (rounds + 1n))) / (whole ** rounds * (whole - q)),
  );
}

/**
 * What has to be repaid from outside so that the position is at the usable loan-to-value, in the
 * debt's smallest unit; 0 when it is.
 */
export function missingRepayment(
  { collateral, debt, maxLtvE18 }: LeverageQuestion['position'],
  { numerator, denominator }: LeveragePrice,
  limits: LeverageLimits,
): bigint {
  const ltvE18 = usableLtvE18(maxLtvE18, limits);
  const allowed = ltvE18 <= 0n ? 0n : (collateral * numerator * ltvE18) / (denominator * ONE_E18);
  return debt > allowed ? debt - allowed : 0n;
}

/** Collateral over equity in hundredths of a percent, rounded down; null without equity. */
export function leverageBps({ collateral, debt }: Holding, price: LeveragePrice): number | null {
  const value = collateral * price.numerator;
  const equity = value - debt * price.denominator;
  if (equity <= 0n) return collateral === 0n && debt === 0n ? UNLEVERAGED_BPS : null;
  return Number((BPS * value) / equity);
}

/** How often the collateral covers what would be liquidated; 1e18 is liquidation. */
export function healthE18(
  { collateral, debt }: Holding,
  { numerator, denominator }: LeveragePrice,
  maxLtvE18: bigint,
): bigint | null {
  return debt === 0n ? null : (collateral * numerator * maxLtvE18) / (debt * denominator);
}

function roundsUp(
  { position, price, form }: LeverageQuestion,
  target: bigint,
  limits: LeverageLimits,
  limitBps: number,
): LeveragePlan {
  const rounds: PlannedRound[] = [];
  let holding: Holding = position;
  let { freeLiquidity } = position;
  const ltvE18 = usableLtvE18(position.maxLtvE18, limits);
  const planned = (isComplete: boolean, otherwise: LeveragePlan): LeveragePlan => {
    const [first, ...others] = rounds;
    return first === undefined
      ? otherwise
      : { kind: 'rounds', rounds: [first, ...others], isComplete };
  };
  while (rounds.length < limits.maxRounds) {
    if (!isBelow(holding, price, target, limits.toleranceBps)) break;
    const wanted = borrowFor(holding, price, target, limits.swapCostPpm);
    if (wanted < limits.minRoundDebt) break;
    const covered = borrowCovered(holding, price, ltvE18, form, limits.swapCostPpm);
    if (covered < limits.minRoundDebt) return planned(false, { kind: 'unreachable', limitBps });
    if (freeLiquidity < limits.minRoundDebt) return planned(false, { kind: 'liquidity_missing' });
    const amount = least(wanted, covered, freeLiquidity, limits.maxRoundDebt);
    const minimumOut = bought(amount, price, limits.swapCostPpm);
    if (minimumOut === 0n) return planned(false, { kind: 'at_target' });
    const after = { collateral: holding.collateral + minimumOut, debt: holding.debt + amount };
    rounds.push({
      direction: 'up',
      amount,
      minimumOut,
      needed: null,
      before: holding,
      after,
      healthE18: healthE18(after, price, position.maxLtvE18),
    });
    freeLiquidity -= amount;
    holding = after;
  }
  return planned(!isBelow(holding, price, target, limits.toleranceBps), { kind: 'at_target' });
}

function roundsDown(
  { position, price, form, repaysWith = 0n }: LeverageQuestion,
  target: bigint,
  limits: LeverageLimits,
): LeveragePlan {
  const rounds: PlannedRound[] = [];
  let holding: Holding = position;
  let held = repaysWith;
  let isBlocked = false;
  // What is planned ahead ends the debt to the last unit; dust is left by the look that finds it.
  while (rounds.length < MOST_ROUNDS_BACK && isAbove(holding, price, target, 0n, 0n)) {
    if (rounds.length > 0 && !isAbove(holding, price, target, limits.toleranceBps, 0n)) break;
    const free =
      form === 'lever' ? holding.collateral : withdrawable(holding, price, position, limits);
    const growth = growthOf(holding.debt, position, limits);
    const owed = holding.debt + growth;
    const missing = owed > held ? owed - held : 0n;
    const wanted = sellFor({ ...holding, debt: missing }, price, target, limits.swapCostPpm);
    // What is held suffices, but for what no swap is worth.
    const suffices = held > 0n && sold(wanted, price, 0n) <= limits.dustDebt;
    const most = divideUp(limits.maxRoundDebt * price.denominator, price.numerator);
    const amount = suffices ? 0n : least(wanted, free, most);
    const minimumOut = sold(amount, price, limits.swapCostPpm);
    const collateral = holding.collateral - amount;
    const repaid = least(minimumOut + held, holding.debt);
    const after = { collateral, debt: holding.debt - repaid };
    // By its own: what is held, or sent by anybody, makes no round worth it that is not.
    const bySwap = { collateral, debt: holding.debt - least(minimumOut, holding.debt) };
    const isGain = minimumOut > growth && isSafer(bySwap, holding);
    isBlocked = !suffices && (amount <= 0n || !(isGain || after.debt === 0n));
    if (isBlocked) break;
    rounds.push({
      direction: 'down',
      amount,
      minimumOut,
      needed: target === BPS && missing > limits.minRoundDebt ? missing : null,
      before: holding,
      after,
      healthE18: healthE18(after, price, position.maxLtvE18),
    });
    held += minimumOut - repaid;
    holding = after;
  }
  const [first, ...others] = rounds;
  if (first === undefined) return { kind: 'blocked' };
  const isComplete = !isAbove(holding, price, target, limits.toleranceBps, 0n);
  return { kind: 'rounds', rounds: [first, ...others], isComplete };
}

/** What is borrowed to reach the target if the swap loses its most: never beyond it. */
function borrowFor(holding: Holding, price: LeveragePrice, target: bigint, cost: bigint): bigint {
  const { value, equity } = valued(holding, price);
  return (
    ((target * equity - BPS * value) * PPM) /
    (price.denominator * (BPS * (PPM - cost) + target * cost))
  );
}

/**
 * What may be borrowed. By rounds it has to be covered before the swap; with a flash loan only
 * after it, where the fractions of a unit that a swap rounds away are left out.
 */
function borrowCovered(
  holding: Holding,
  price: LeveragePrice,
  ltvE18: bigint,
  form: LeverageLayout['form'],
  cost: bigint,
): bigint {
  const { numerator, denominator } = price;
  const room = (ltvE18 * holding.collateral * numerator) / (ONE_E18 * denominator) - holding.debt;
  if (form === 'rounds') return room;
  const whole = ONE_E18 * PPM;
  const lost = divideUp(numerator, denominator) + 1n;
  return ((room - lost) * whole) / (whole - ltvE18 * (PPM - cost));
}

/** What a debt grows by until a round that is planned now is executed, rounded up. */
function growthOf(
  debt: bigint,
  { borrowRateE18 }: LeverageQuestion['position'],
  { accrualSeconds }: LeverageLimits,
): bigint {
  return divideUp(debt * borrowRateE18 * accrualSeconds, ONE_E18 * SECONDS_PER_YEAR);
}

/**
 * What is sold to reach the target. To be free of debt the swap has to bring all of it even if it
 * loses its most; otherwise it is counted without loss, which leaves a little above the target.
 */
function sellFor(holding: Holding, price: LeveragePrice, target: bigint, cost: bigint): bigint {
  if (target === BPS)
    return divideUp(holding.debt * price.denominator * PPM, price.numerator * (PPM - cost));
  const { value, equity } = valued(holding, price);
  return divideUp(BPS * value - target * equity, BPS * price.numerator);
}

/**
 * Collateral that can be withdrawn before the debt is repaid: down to the usable loan-to-value, or
 * over three quarters of the way to the pool's own limit, whose prices may differ a little.
 */
function withdrawable(
  holding: Holding,
  { numerator, denominator }: LeveragePrice,
  { maxLtvE18 }: LeverageQuestion['position'],
  limits: LeverageLimits,
): bigint {
  const value = holding.collateral * numerator;
  if (value === 0n) return 0n;
  const ltvE18 = divideUp(holding.debt * denominator * ONE_E18, value);
  if (ltvE18 >= maxLtvE18) return 0n;
  const nearE18 = (ltvE18 + 3n * maxLtvE18) / 4n;
  const usableE18 = usableLtvE18(maxLtvE18, limits);
  const upToE18 = usableE18 > nearE18 ? usableE18 : nearE18;
  return holding.collateral - divideUp(holding.debt * denominator * ONE_E18, upToE18 * numerator);
}

/** Collateral that so much debt token buys at least. */
function bought(debt: bigint, { numerator, denominator }: LeveragePrice, cost: bigint): bigint {
  return (debt * denominator * (PPM - cost)) / (numerator * PPM);
}

/** Debt token that so much collateral brings at least. */
function sold(collateral: bigint, price: LeveragePrice, cost: bigint): bigint {
  return (collateral * price.numerator * (PPM - cost)) / (price.denominator * PPM);
}

/** Both in the same unit: value of the collateral, and of what is left after the debt. */
function valued({ collateral, debt }: Holding, { numerator, denominator }: LeveragePrice) {
  const value = collateral * numerator;
  return { value, equity: value - debt * denominator };
}

/**
 * Above the target by more than the tolerance, and by more than so much debt; at 1× there is no
 * tolerance.
 */
function isAbove(
  holding: Holding,
  price: LeveragePrice,
  target: bigint,
  toleranceBps: bigint,
  dustDebt: bigint,
): boolean {
  const { value, equity } = valued(holding, price);
  const isDust = BPS * value - target * equity <= BPS * dustDebt * price.denominator;
  if (isDust || target === BPS) return !isDust;
  return value * BPS * BPS > target * (BPS + toleranceBps) * equity;
}

function isBelow(
  holding: Holding,
  price: LeveragePrice,
  target: bigint,
  toleranceBps: bigint,
): boolean {
  if (target === BPS) return false;
  const { value, equity } = valued(holding, price);
  return value * BPS * BPS < target * (BPS - toleranceBps) * equity;
}

function exceedsLtv(
  { collateral, debt }: Holding,
  { numerator, denominator }: LeveragePrice,
  ltvE18: bigint,
): boolean {
  return debt * denominator * ONE_E18 > ltvE18 * collateral * numerator;
}

/** Whether the loan-to-value of the first is the lower one. */
function isSafer(after: Holding, before: Holding): boolean {
  return after.debt * before.collateral < before.debt * after.collateral || after.debt === 0n;
}

function least(...values: readonly [bigint, ...bigint[]]): bigint {
  return values.reduce((smallest, each) => (each < smallest ? each : smallest));
}
