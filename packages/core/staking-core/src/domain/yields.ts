import { MAX_INTEREST_RATE_E18, type LendingPoolState } from './lending-pool.js';

/**
 * Fractions are integers with 36 decimals inside: exact enough that a reply's number is rounded
 * once, at the very end.
 */
export const ONE_E36 = 10n ** 36n;

const E18 = 10n ** 18n;
/** The lending protocol's year has 360 days: only so do its published yields come out. */
const YEAR_SECONDS = 360n * 86_400n;
/** Powers are computed with 60 decimals. */
const ONE_E60 = 10n ** 60n;

/** What borrowers owe, in the asset's smallest unit, rounded down as the contract rounds it. */
export function totalDebt({
  totalNominalDebtE18,
  rateAccumulatorE18,
  scale,
}: LendingPoolState): bigint {
  return (totalNominalDebtE18 * rateAccumulatorE18 * scale) / ONE_E36;
}

/** What suppliers own, lent out or not, in the asset's smallest unit. */
export function totalSupplied(state: LendingPoolState): bigint {
  return state.reserve + totalDebt(state);
}

/** Share of the supply that is lent out, 1e36 being all of it; 0 when nothing is supplied. */
export function utilizationE36(state: LendingPoolState): bigint {
  const supplied = totalSupplied(state);
  return supplied === 0n ? 0n : (totalDebt(state) * ONE_E36) / supplied;
}

/** What borrowers pay in a year without compounding, 1e36 being 100 %. Exact. */
export function borrowAprE36({ interestRateE18 }: LendingPoolState): bigint {
  return checkedRate(interestRateE18) * YEAR_SECONDS * E18;
}

/**
 * What borrowers pay in a year, compounded each second, spread over all that is supplied; 1e36
 * being 100 %. The protocol's own share is not taken off, as it is not in what the protocol
 * publishes.
 */
export function supplyApyE36(state: LendingPoolState): bigint {
  const supplied = totalSupplied(state);
  if (supplied === 0n) return 0n;
  const interestE60 = growthE60(state.interestRateE18, YEAR_SECONDS) - ONE_E60;
  return (interestE60 * totalDebt(state)) / (supplied * (ONE_E60 / ONE_E36));
}

/**
 * (1 + rate)^seconds by squaring, 1e60 being 1.
 *
 * Each of the at most 50 products is cut off below 1e-60, and a cut grows with the powers after it:
 * the result is too small by less than 2 · seconds · result · 1e-60. For a year at the highest
 * rate, whose result is 3.2e13, that is 2e-39; at usual rates 1e-52.
 * @throws RangeError for a rate below 0 or above {@link MAX_INTEREST_RATE_E18}
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
