/** 100 % of a rate or a loan-to-value. */
export const ONE_E18 = 10n ** 18n;
/** The lending protocol's year, of 360 days. */
export const SECONDS_PER_YEAR = 360n * 86_400n;

/** What a vault has supplied and borrowed, and what its lending pool allows: of one block. */
export interface LeveragePosition {
  /** Supplied by the vault, in the smallest unit of the collateral's token. */
  readonly collateral: bigint;
  /** Owed by the vault with interest, in the smallest unit of the debt's token. */
  readonly debt: bigint;
  /**
   * The debt as the vault's rounds name it. Where the lending pool counts debt so that interest
   * leaves it as it is, only a loan or a repayment changes it; else it is the debt.
   */
  readonly nominalDebt: bigint;
  /** What lies in the vault itself of the debt's token: what was sent there, or left over. */
  readonly held: bigint;
  /** What the lending pool can lend at once, in the smallest unit of the debt's token. */
  readonly freeLiquidity: bigint;
  /** What borrowing the debt's token costs for a year without compounding; 1e18 is 100 %. */
  readonly borrowRateE18: bigint;
  /** What supplying the collateral's token brings for a year without compounding. */
  readonly supplyRateE18: bigint;
  /** Highest loan-to-value that the lending pool accepts for the pair; 1e18 is 100 %. */
  readonly maxLtvE18: bigint;
}
