import { crowdStrength, type GuardRefusal } from '@sotto/wallet/advanced';
import type { Step } from './timeline.js';

/** Formats an amount in the ERC-20 token's smallest unit as whole tokens with their symbol. */
export function inTokens(
  amount: bigint,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): string {
  return `${amountText(amount, { decimals })} ${symbol}`;
}

/** Formats an amount without the token's symbol, in the format that {@link amountOf} parses. */
export function amountText(amount: bigint, { decimals }: { readonly decimals: number }): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const AMOUNT = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Parses a typed number of whole tokens. Returns the amount in the smallest unit, or null for
 * invalid text.
 */
export function amountOf(text: string, { decimals }: { readonly decimals: number }): bigint | null {
  const [, whole = '', fraction = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === '' || fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Amounts of a swap, in the output token's smallest unit. */
export interface SwapOffer {
  readonly quoted: bigint;
  /** Fair value according to two independent price sources. */
  readonly fair: bigint;
  /** Minimum output that the form proposes. */
  readonly least: bigint;
  /**
   * Difference between fair value and quote, in percent of the fair value. Negative if the quote
   * exceeds the fair value.
   */
  readonly impactPercent: number;
}

/** Returns a text about the amounts of a swap at the current quote. */
export function offerText(
  { quoted, fair, impactPercent }: SwapOffer,
  token: { readonly symbol: string; readonly decimals: number },
): string {
  const side = impactPercent > 0 ? 'below' : 'above';
  const difference = `${Math.abs(impactPercent).toFixed(2)} % ${side}`;
  return `Quoted now: ${inTokens(quoted, token)}, ${difference} its value of ${inTokens(fair, token)}.`;
}

/** Returns a text about the crowd that hides the withdrawal of a note. */
export function crowdText(size: number): string {
  const deposits = size === 1 ? '1 deposit' : `${size} deposits`;
  return `Crowd: ${crowdStrength(size)} (${deposits} in the batch of this note).`;
}

/** Returns the text of the choice that overrides a refusal by the guard. */
export function overrideText(refusal: GuardRefusal): string {
  switch (refusal.code) {
    case 'CROWD_TOO_SMALL':
      return `Withdraw from a batch of ${refusal.size}, although ${refusal.minimum} are needed to hide it`;
    case 'TOO_SOON':
      return refusal.untilMs === null
        ? 'Withdraw, although the age of the deposit is unknown'
        : `Withdraw before ${new Date(refusal.untilMs).toLocaleTimeString()}, although the deposit is recent`;
    case 'RECIPIENT_IS_DEPOSITOR':
      return 'Pay the account that made the deposit, although this shows who withdraws';
    case 'RECIPIENT_REUSED':
      return 'Pay this address, although another note of this wallet used it';
  }
}

/** Returns the text of the last step, for screen readers. */
export function lastWords(steps: readonly Step[]): string {
  const last = steps.at(-1);
  return last === undefined ? '' : last.text;
}

const ADDRESS = /^0x[0-9a-fA-F]{1,64}$/;
/** Exclusive maximum of Starknet addresses. */
const END_OF_ADDRESSES = 2n ** 251n - 256n;

/** Returns a pasted address without surrounding spaces. Null for any other text. */
export function addressOf(text: string): string | null {
  const address = text.trim();
  if (!ADDRESS.test(address)) return null;
  const value = BigInt(address);
  return value > 0n && value < END_OF_ADDRESSES ? address : null;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
