import type { BridgeAsset } from './catalogue.js';

/** Exclusive maximum of amounts: contracts of all supported chains use at most 256 bits. */
const AMOUNT_LIMIT = 2n ** 256n;
const MAX_DIGITS = 78;
const DECIMAL = /^([0-9]{1,78})(?:\.([0-9]{1,78}))?$/;

/**
 * Parses a positive amount in smallest units from decimal digits. Returns undefined for any other
 * text.
 */
export function parseAmount(text: string): bigint | undefined {
  if (text.length > MAX_DIGITS || !/^[0-9]+$/.test(text)) return undefined;
  const amount = BigInt(text);
  return amount > 0n && amount < AMOUNT_LIMIT ? amount : undefined;
}

/**
 * Formats an amount of smallest units as whole tokens, exactly and without trailing zeros:
 * 120,000,000,000,000,000 with 18 decimals is `0.12`.
 */
export function formatAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Formats an amount with the token's symbol, as the bridge protocol does: `0.12 ETH`. */
export function formatAmountOf(
  amount: bigint,
  { symbol, decimals }: Pick<BridgeAsset, 'symbol' | 'decimals'>,
): string {
  return `${formatAmount(amount, decimals)} ${symbol}`;
}

/**
 * Converts a text in whole tokens to smallest units. Digits below the smallest unit are dropped.
 * Returns undefined if the text is not an amount.
 */
export function parseTokens(text: string, decimals: number): bigint | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  const amount = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return amount < AMOUNT_LIMIT ? amount : undefined;
}
