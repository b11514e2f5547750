import type { Step } from './timeline.js';

/** An amount in the token's smallest unit, in whole tokens. */
export function inTokens(
  amount: bigint,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${symbol}`;
}

const AMOUNT = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/** Whole tokens as people write them, in the smallest unit; null for what is no such amount. */
export function amountOf(text: string, { decimals }: { readonly decimals: number }): bigint | null {
  const [, whole = '', fraction = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === '' || fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** How a note stands, as far as this page knows. */
export type NoteState =
  'depositing' | 'waiting' | 'active' | 'withdrawing' | 'swapping' | 'spent' | 'failed';

export const STATES: Readonly<
  Record<NoteState, { readonly text: string; readonly tone: Step['tone'] }>
> = {
  depositing: { text: 'being deposited', tone: 'care' },
  waiting: { text: 'waits for its batch', tone: 'care' },
  active: { text: 'can be withdrawn', tone: 'good' },
  withdrawing: { text: 'being withdrawn', tone: 'care' },
  swapping: { text: 'being swapped', tone: 'care' },
  spent: { text: 'withdrawn', tone: 'good' },
  failed: { text: 'not deposited', tone: 'bad' },
};

/** What a timeline says aloud: its last step. */
export function lastWords(steps: readonly Step[]): string {
  const last = steps.at(-1);
  return last === undefined ? '' : last.text;
}

const ADDRESS = /^0x[0-9a-fA-F]{1,64}$/;

export const isAddress = (text: string): boolean => ADDRESS.test(text) && BigInt(text) > 0n;

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
