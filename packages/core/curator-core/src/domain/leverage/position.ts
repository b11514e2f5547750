/** Value that represents 100 % in rates and loan-to-values. */
export const ONE_E18 = 10n ** 18n;
/** Seconds in a year of the lending protocol, which has 360 days. */
export const SECONDS_PER_YEAR = 360n * 86_400n;

/** Position of a vault and the limits of its lending pool, all read at one block. */
export interface LeveragePosition {
  /** Amount that the vault supplies, in the smallest unit of the collateral's ERC-20 token. */
  readonly collateral: bigint;
  /**
   * Amount that the vault owes, including interest, in the smallest unit of the debt's ERC-20
   * token.
   */
  readonly debt: bigint;
  /**
   * Debt in the unit that the calls of the vault's rounds use. Some lending pools store debt in
   * units that interest does not change; then only a loan or a repayment changes this value. The
   * value equals the debt if the pool has no such unit.
   */
  readonly nominalDebt: bigint;
  /**
   * Balance of the debt's ERC-20 token in the vault itself: transfers to the vault, or remainders.
   */
  readonly held: bigint;
  /**
   * Amount that can be borrowed now under the pool's reserve and the pair's debt cap, in the
   * smallest unit of the debt's ERC-20 token.
   */
  readonly freeLiquidity: bigint;
  /** Yearly rate for borrowing the debt's ERC-20 token, without compounding; 1e18 is 100 %. */
  readonly borrowRateE18: bigint;
  /**
   * Yearly rate for supplying the collateral's ERC-20 token, without compounding; 1e18 is 100 %.
   */
  readonly supplyRateE18: bigint;
  /** Highest loan-to-value that the lending pool accepts for the pair; 1e18 is 100 %. */
  readonly maxLtvE18: bigint;
}
