/** Pattern of a non-negative number as written in JSON. */
const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,2}))?$/;
const MAX_TEXT = 64;
const USD_DECIMALS = 8;
/** Maximum price: a trillion dollars for one token, in 1e-8 USD. */
const MAX_USD_E8 = 10n ** 20n;

/**
 * Parses a price in 1e-8 USD from the digits of a JSON number. The price is rounded down, and no
 * float is used: `0.1` is exactly 10,000,000. Returns 0 for prices above zero but below 1e-8 USD.
 * Returns undefined for zero, negative numbers and texts that are not a number.
 */
export function toUsdE8(text: string): bigint | undefined {
  const match = text.length > MAX_TEXT ? null : DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + USD_DECIMALS;
  const usdE8 = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return digits === 0n || usdE8 > MAX_USD_E8 ? undefined : usdE8;
}
