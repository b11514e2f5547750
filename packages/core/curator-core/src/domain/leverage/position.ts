/** 100 % of a rate or a loan-to-value. */
export const ONE_E18 = 10n ** 18n;
/** The lending protocol's year, of 360 days. */
export const SECONDS_PER_YEAR = 360n * 86_400n;

/** Position of a vault and the limits of its lending pool, all of one block. */
export interface LeveragePosition {
  /** Supplied by the vault, in the smallest unit of the collateral's token. */
  readonly collateral: bigint;
  /** Owed by the vault with interest, in the smallest unit of the debt's token. */
  readonly debt: bigint;
  /**
   * Debt in the unit that the vault's rounds name. If the lending pool counts debt in units that
   * interest does not change, only a loan or a repayment changes it; otherwise it equals the debt.
   */
  readonly nominalDebt: bigint;
  /** Balance of the debt's token in the vault itself: transfers to it, or remainders. */
  readonly held: bigint;
  /**
   * Amount that can be borrowed at once under the pool's reserve and the pair's debt cap, in the
   * smallest unit of the debt's token.
   */
  readonly freeLiquidity: bigint;
  /** Yearly rate for borrowing the debt's token, without compounding; 1e18 is 100 %. */
  readonly borrowRateE18: bigint;
  /** Yearly rate for supplying the collateral's token, without compounding; 1e18 is 100 %. */
  readonly supplyRateE18: bigint;
  /** Highest loan-to-value that the lending pool accepts for the pair; 1e18 is 100 %. */
  readonly maxLtvE18: bigint;
}
