import { MAX_INTEREST_RATE_E18, type LendingPoolState } from './lending-pool.js';

/**
 * Number that represents 1 in fractions with 36 decimals. With this precision, each number of the
 * reply is rounded only once, at the end of its computation.
 */
export const ONE_E36 = 10n ** 36n;

const E18 = 10n ** 18n;
/** Seconds in a year of 360 days. The lending protocol publishes its yields for such a year. */
const YEAR_SECONDS = 360n * 86_400n;
/** Number that represents 1 in powers, which are computed with 60 decimals. */
const ONE_E60 = 10n ** 60n;

/**
 * Returns the debt of all borrowers in the asset's smallest unit, rounded down as in the contract.
 */
export function totalDebt({
  totalNominalDebtE18,
  rateAccumulatorE18,
  scale,
}: LendingPoolState): bigint {
  return (totalNominalDebtE18 * rateAccumulatorE18 * scale) / ONE_E36;
}

/** Returns the total supply, including the lent amount, in the asset's smallest unit. */
export function totalSupplied(state: LendingPoolState): bigint {
  return state.reserve + totalDebt(state);
}

/**
 * Returns the part of the supply that is lent out; 1e36 is all of it. Returns 0 if nothing is
 * supplied.
 */
export function utilizationE36(state: LendingPoolState): bigint {
  const supplied = totalSupplied(state);
  return supplied === 0n ? 0n : (totalDebt(state) * ONE_E36) / supplied;
}

/**
 * Returns the yearly interest rate of borrowers without compounding; 1e36 is 100 %. The result is
 * exact.
 */
export function borrowAprE36({ interestRateE18 }: LendingPoolState): bigint {
  return checkedRate(interestRateE18) * YEAR_SECONDS * E18;
}

/**
 * Returns the yearly payments of borrowers, compounded each second, divided by the whole supply;
 * 1e36 is 100 %. The protocol's own share is not subtracted, because the protocol does not subtract
 * it from its published yields either.
 */
export function supplyApyE36(state: LendingPoolState): bigint {
  const supplied = totalSupplied(state);
  if (supplied === 0n) return 0n;
  const interestE60 = growthE60(state.interestRateE18, YEAR_SECONDS) - ONE_E60;
  return (interestE60 * totalDebt(state)) / (supplied * (ONE_E60 / ONE_E36));
}

/**
 * Computes (1 + rate)^seconds by squaring; 1e60 is 1.
 *
 * Each of the at most 50 products is truncated by less than 1e-60, and a truncation error grows
 * with the later powers. The result is too small by less than 2 · seconds · result · 1e-60. For a
 * year at the highest rate, the result is 3.2e13 and this bound is 2e-39; at usual rates the bound
 * is 1e-52.
 * @throws RangeError if the rate is below 0 or above {@link MAX_INTEREST_RATE_E18}
 */
export function growthE60(rateE18: bigint, seconds: bigint): bigint {
  let result = ONE_E60;
  let power = (E18 + checkedRate(rateE18)) * (ONE_E60 / E18);
  for (let left = seconds; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * power) / ONE_E60;
    if (left > 1n) power = (power * power) / ONE_E60;
  }
  return result;
}

function checkedRate(rateE18: bigint): bigint {
  if (rateE18 < 0n || rateE18 > MAX_INTEREST_RATE_E18)
    throw new RangeError(`an interest rate is between 0 and ${MAX_INTEREST_RATE_E18}`);
  return rateE18;
}
