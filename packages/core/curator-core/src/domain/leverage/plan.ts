import { divideUp } from '@sotto/kernel';
import type { LeverageCall, LeverageLayout } from './layout.js';
import { ONE_E18, SECONDS_PER_YEAR, type LeveragePosition } from './position.js';

/** Exact price of one unit of the collateral in units of the debt. */
export interface LeveragePrice {
  readonly numerator: bigint;
  /** Denominator of the price; always positive. */
  readonly denominator: bigint;
}

export interface LeverageLimits {
  /**
   * Distance of the usable loan-to-value below the pool's own limit; 1e18 is 100 %. Suggested
   * value: 5e16. If the price of the collateral falls by this share, every planned position can
   * still be unwound.
   */
  readonly safetyDistanceE18: bigint;
  /**
   * Minimum health factor after a round. A position with a lower health factor is deleveraged. The
   * pool liquidates at 1e18. Suggested value: 1.05e18.
   */
  readonly healthFloorE18: bigint;
  /**
   * Maximum loss of a swap against the fair value, in millionths: maximum price impact plus
   * slippage. Suggested value: 20,000.
   */
  readonly swapCostPpm: bigint;
  /** Maximum number of rounds from no debt to a target. Suggested value: 12. */
  readonly maxRounds: number;
  /**
   * Minimum amount of a round up, in the debt token's smallest unit. A smaller round is not worth
   * its gas. Suggested value: 100e6 of USDC.
   */
  readonly minRoundDebt: bigint;
  /**
   * Maximum amount of a round, in the debt token's smallest unit. Suggested value: 100,000e6 of
   * USDC.
   */
  readonly maxRoundDebt: bigint;
  /**
   * Tolerated distance of a position from its target, in hundredths of a percent of the target.
   * Suggested value: 200.
   */
  readonly toleranceBps: bigint;
  /**
   * Dust limit, in the debt token's smallest unit. No round down is started for a debt up to this
   * limit. Suggested value: 1e6 of USDC.
   */
  readonly dustDebt: bigint;
  /**
   * Maximum time between the block from which a round is planned and the block that executes the
   * round, in seconds. The debt accrues interest in this time. Suggested value: 600.
   */
  readonly accrualSeconds: bigint;
}

/** Collateral and debt of a vault, in the smallest units. */
export type Holding = Pick<LeveragePosition, 'collateral' | 'debt'>;

export interface PlannedRound extends Pick<LeverageCall, 'direction' | 'amount' | 'minimumOut'> {
  readonly before: Holding;
  /**
   * Maximum output that is needed from the swap of a round that repays the whole debt: the debt and
   * its interest until execution, less the repayment from the vault's own balance. If the quote is
   * better than the worst price, {@link trimToNeeded} sells less. Null for other rounds, and for
   * amounts up to the smallest round.
   */
  readonly needed: bigint | null;
  /**
   * Collateral and debt after the round if its swap brings only the minimum output. A round whose
   * amount is 0 is a round down that only repays from the vault's own balance.
   */
  readonly after: Holding;
  /** Health factor after the round; the pool liquidates at 1e18. Null if the vault has no debt. */
  readonly healthE18: bigint | null;
}

export type LeveragePlan =
  | { readonly kind: 'at_target' }
  /** The limits allow `limitBps` at most. */
  | { readonly kind: 'unreachable'; readonly limitBps: number }
  /** No collateral can be withdrawn. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'liquidity_missing' }
  | {
      readonly kind: 'rounds';
      /** Planned rounds, at least one; all rounds have the same direction. */
      readonly rounds: readonly [PlannedRound, ...PlannedRound[]];
      /**
       * True if the rounds reach the target. False if missing liquidity, too little collateral or a
       * limit ends the rounds earlier.
       */
      readonly isComplete: boolean;
    };

export interface LeverageQuestion {
  readonly position: Omit<LeveragePosition, 'nominalDebt' | 'held'>;
  readonly price: LeveragePrice;
  /**
   * Target leverage: collateral divided by equity, in hundredths of a percent. 10,000 means no
   * debt.
   */
  readonly targetBps: number;
  readonly form: LeverageLayout['form'];
  /**
   * Balance of the debt's ERC-20 token in the vault that a round down uses for its repayment.
   * @default 0n
   */
  readonly repaysWith?: bigint;
}

/** Leverage without debt: 1×, in hundredths of a percent. */
export const UNLEVERAGED_BPS = 10_000;
const BPS = 10_000n;
const PPM = 1_000_000n;
/** Maximum number of planned rounds down. */
const MOST_ROUNDS_BACK = 1_000;

/**
 * Plans the rounds that move a position to a target, up or down. The plan assumes that each swap
 * brings only its minimum output. The function is pure: the same position, price and limits give
 * the same rounds.
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
 * Returns the amount and minimum output of a round for the quote of its planned amount. If the
 * quoted output is more than `needed`, the round sells proportionally less.
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
 * Returns the highest loan-to-value that rounds up may reach; 1e18 is 100 %. The safety distance
 * and the health floor keep this value below the pool's limit. In addition, the position must be
 * such that swaps at the worst price can unwind it after the price has fallen by the safety
 * distance.
 */
export function usableLtvE18(
  maxLtvE18: bigint,
  { safetyDistanceE18: safety, healthFloorE18, swapCostPpm }: LeverageLimits,
): bigint {
  const worstLtvE18 = ((PPM - swapCostPpm) * (ONE_E18 - safety)) / PPM - safety;
  return least(maxLtvE18 - safety, (maxLtvE18 * ONE_E18) / healthFloorE18, worstLtvE18);
}

/**
 * Returns the highest leverage that the limits allow from a position without debt, in hundredths of
 * a percent, rounded down. With the usable loan-to-value v and the swap cost c, each round adds q =
 * v(1 − c) times the previous round's amount. So n rounds give (1 − q^(n+1)) / (1 − q), and a flash
 * loan gives 1 / (1 − q).
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
 * Returns the amount that must be repaid with funds other than the vault's collateral to lower the
 * position to the usable loan-to-value, in the debt's smallest unit. Returns 0 if the position is
 * not above the usable loan-to-value.
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

/**
 * Returns the leverage: collateral divided by equity, in hundredths of a percent, rounded down.
 * Null if the position has debt but no equity.
 */
export function leverageBps({ collateral, debt }: Holding, price: LeveragePrice): number | null {
  const value = collateral * price.numerator;
  const equity = value - debt * price.denominator;
  if (equity <= 0n) return collateral === 0n && debt === 0n ? UNLEVERAGED_BPS : null;
  return Number((BPS * value) / equity);
}

/** Returns the health factor; the pool liquidates at 1e18. Null if the position has no debt. */
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
  // The rounds repay the debt to the last unit. The dust limit applies only to the check before the
  // planning.
  while (rounds.length < MOST_ROUNDS_BACK && isAbove(holding, price, target, 0n, 0n)) {
    if (rounds.length > 0 && !isAbove(holding, price, target, limits.toleranceBps, 0n)) break;
    const free =
      form === 'lever' ? holding.collateral : withdrawable(holding, price, position, limits);
    const growth = growthOf(holding.debt, position, limits);
    const owed = holding.debt + growth;
    const missing = owed > held ? owed - held : 0n;
    const wanted = sellFor({ ...holding, debt: missing }, price, target, limits.swapCostPpm);
    // True if the vault's own balance covers the repayment. An uncovered amount that is too small
    // for a swap is ignored.
    const suffices = held > 0n && sold(wanted, price, 0n) <= limits.dustDebt;
    const most = divideUp(limits.maxRoundDebt * price.denominator, price.numerator);
    const amount = suffices ? 0n : least(wanted, free, most);
    const minimumOut = sold(amount, price, limits.swapCostPpm);
    const collateral = holding.collateral - amount;
    const repaid = least(minimumOut + held, holding.debt);
    const after = { collateral, debt: holding.debt - repaid };
    // Judge the swap without the vault's own balance. Any other account can raise this balance by a
    // transfer, and so make a useless swap seem useful.
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

/**
 * Returns the amount to borrow so that the position reaches the target exactly if the swap has its
 * maximum loss. The position never exceeds the target.
 */
function borrowFor(holding: Holding, price: LeveragePrice, target: bigint, cost: bigint): bigint {
  const { value, equity } = valued(holding, price);
  return (
    ((target * equity - BPS * value) * PPM) /
    (price.denominator * (BPS * (PPM - cost) + target * cost))
  );
}

/**
 * Returns the maximum amount that may be borrowed. The borrowed amount must be covered by
 * collateral: in a round already before the swap, with a flash loan only after the swap. For a
 * flash loan, the fractions of a unit lost to rounding are subtracted.
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

/** Returns the interest that a debt accrues until a round planned now is executed, rounded up. */
function growthOf(
  debt: bigint,
  { borrowRateE18 }: LeverageQuestion['position'],
  { accrualSeconds }: LeverageLimits,
): bigint {
  return divideUp(debt * borrowRateE18 * accrualSeconds, ONE_E18 * SECONDS_PER_YEAR);
}

/**
 * Returns the amount of collateral to sell. For a full repayment, the output must suffice even if
 * the swap has its maximum loss. For any other target no loss is assumed, so the leverage stays
 * slightly above the target.
 */
function sellFor(holding: Holding, price: LeveragePrice, target: bigint, cost: bigint): bigint {
  if (target === BPS)
    return divideUp(holding.debt * price.denominator * PPM, price.numerator * (PPM - cost));
  const { value, equity } = valued(holding, price);
  return divideUp(BPS * value - target * equity, BPS * price.numerator);
}

/**
 * Returns the collateral that can be withdrawn before the debt is repaid. The withdrawal may raise
 * the loan-to-value to the usable one, or by three quarters of the distance to the pool's own
 * limit, whichever is higher. The remaining quarter is a margin, because the pool's prices may
 * differ a little.
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

/** Returns the minimum collateral that a swap of this debt amount buys. */
function bought(debt: bigint, { numerator, denominator }: LeveragePrice, cost: bigint): bigint {
  return (debt * denominator * (PPM - cost)) / (numerator * PPM);
}

/** Returns the minimum amount of the debt token that a swap of this much collateral brings. */
function sold(collateral: bigint, price: LeveragePrice, cost: bigint): bigint {
  return (collateral * price.numerator * (PPM - cost)) / (price.denominator * PPM);
}

/** Returns value and equity of a holding, both in the same unit. */
function valued({ collateral, debt }: Holding, { numerator, denominator }: LeveragePrice) {
  const value = collateral * numerator;
  return { value, equity: value - debt * denominator };
}

/**
 * Returns true if the leverage exceeds the target by more than the tolerance, and by more than the
 * dust limit of the debt. The tolerance is not applied to a target of 1×.
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

/** Returns true if `after` has a lower loan-to-value than `before`. */
function isSafer(after: Holding, before: Holding): boolean {
  return after.debt * before.collateral < before.debt * after.collateral || after.debt === 0n;
}

function least(...values: readonly [bigint, ...bigint[]]): bigint {
  return values.reduce((smallest, each) => (each < smallest ? each : smallest));
}
