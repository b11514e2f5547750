import type { FeeEstimate, Pool, PoolStatus, Read, Reading } from './service.js';

/** Colour of a text about a state. The text must be understandable without the colour. */
type Tone = 'good' | 'care' | 'bad';

export interface State {
  readonly tone: Tone;
  readonly text: string;
}

/**
 * Formats an amount in the ERC-20 token's smallest unit as whole tokens: `20000` with 8 decimals
 * becomes `0.0002`.
 */
export function inTokens(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const SATS_DECIMALS = 8;

/** Formats a small amount in the unit that is usual for its token: `15 sats`, `0.0139 USDC`. */
export function smallAmount(
  amount: string,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): string {
  return symbol.endsWith('BTC') && decimals === SATS_DECIMALS
    ? counted(Number(amount), 'sat')
    : `${inTokens(amount, decimals)} ${symbol}`;
}

/** Formats an amount of US dollars. Amounts below ten dollars have up to four decimals. */
export const usd = (amount: number): string =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: amount < 10 ? 4 : 2 })}`;

/**
 * Formats the value of a token amount in US dollars. Null if the price of the token is unknown.
 * A dollar token counts as one dollar.
 * @param amount amount in the token's smallest unit
 */
export function inUsd(
  amount: string,
  { symbol, decimals }: Pool['token'],
  { btcUsd, strkUsd }: FeeEstimate['prices'],
): string | null {
  const prices: Readonly<Record<string, number>> = { STRK: strkUsd, USDC: 1, USDT: 1 };
  const price = symbol.endsWith('BTC') ? btcUsd : prices[symbol];
  return price === undefined ? null : usd((Number(amount) / 10 ** decimals) * price);
}

/**
 * Returns the name of a pool for users, such as `0.0002 WBTC`. Adds the key if another pool has the
 * same name, or if the size of a deposit is unknown.
 */
export function poolName(pool: Pool, pools: readonly Pool[]): string {
  const name = plainName(pool);
  if (name === null) return `${pool.token.symbol} (${pool.key})`;
  const isUnique = pools.filter((other) => plainName(other) === name).length < 2;
  return isUnique ? name : `${name} (${pool.key})`;
}

function plainName({ denominationAmount, token: { symbol, decimals }, kind }: Pool): string | null {
  if (denominationAmount === null) return null;
  const size = `${inTokens(denominationAmount, decimals)} ${symbol}`;
  return kind === 'swap_input' ? `${size} for swaps` : size;
}

const SIGNATURE_PROBLEMS: Readonly<Record<string, string>> = {
  SIGNATURE_FORGED: 'The owner of this key has not signed the status. Do not trust it.',
  STATUS_OUTDATED: 'The owner of this key has signed the status, but it is too old.',
  SIGNER_KEY_MALFORMED: 'This is not a public key of Starknet.',
};

/**
 * Returns a text about the check of the status' signature.
 * @param error error of the check; null if the signature is valid
 */
export function signatureWords(error: unknown): State {
  if (error === null)
    return {
      tone: 'good',
      text: 'Checked in this browser: the owner of this key has signed the status.',
    };
  const code = String(Object(error).code);
  return { tone: 'bad', text: SIGNATURE_PROBLEMS[code] ?? 'The signature can’t be checked.' };
}

/** Formats the share of a part in a whole, such as `0.83 %`. Null if the whole is zero. */
export function percentOf(part: string, whole: string): string | null {
  const total = BigInt(whole);
  if (total === 0n) return null;
  const hundredths = Number((BigInt(part) * 10_000n + total / 2n) / total);
  return hundredths === 0 ? 'less than 0.01 %' : `${String(hundredths / 100)} %`;
}

/** Joins alternatives in a text: `3, 5 or 7`. */
export function either(values: readonly (number | string)[]): string {
  const last = values.at(-1);
  if (last === undefined) return 'none';
  const others = values.slice(0, -1);
  return others.length === 0 ? String(last) : `${others.join(', ')} or ${last}`;
}

/** Formats a number with its noun: `1 sat`, `2 sats`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const deposits = (count: number): string =>
  count === 0 ? 'none' : counted(count, 'deposit');

/**
 * Returns a text about the anonymity set of a withdrawal, which is the batch that the proof states.
 */
export function crowdWords({ activeDeposits, crowd }: PoolStatus): string {
  const least = crowd?.smallestBatchSize ?? null;
  if (least !== null) return `${deposits(least)} or more`;
  return activeDeposits === 0 ? 'no batch yet' : 'not known';
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Formats a duration in its two largest units: `1 hour 30 minutes`. */
export function duration(seconds: number): string {
  const first = UNITS.findIndex(([size]) => seconds >= size);
  if (first === -1) return 'less than a second';
  let left = seconds;
  const parts: string[] = [];
  for (const [size, name] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(counted(count, name));
  }
  return parts.join(' ');
}

/** Returns the name that a chain's id encodes, or the id itself. */
export function chainName(chainId: string): string {
  const bytes = chainId.replace(/^0x/, '').match(/../g) ?? [];
  const name = bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');
  return /^[A-Z0-9_]+$/.test(name) ? name : chainId;
}

const PAUSED: Readonly<Record<NonNullable<Pool['pausedFor']>, string>> = {
  operator: 'paused by the operator',
  configuration: 'paused in the settings',
  reverts: 'paused: too many withdrawals failed on chain',
  losses: 'paused: withdrawals cost more than they earn',
  upstream: 'paused: something that the pool depends on fails',
  budget: 'paused: its hourly budget is used up',
};

/**
 * Returns a text about the state of a pool: that it accepts withdrawals, or why it does not.
 * @param crowd status of the pool that was read last; the list of pools may be older than a failure
 *   of the node
 */
export function poolState(
  {
    accepting,
    pausedFor,
    reason,
    denominationAmount,
  }: Pick<Pool, 'accepting' | 'pausedFor' | 'reason' | 'denominationAmount'>,
  crowd: Read<PoolStatus> | undefined,
): State {
  if (pausedFor !== null)
    return { tone: 'bad', text: `${PAUSED[pausedFor]}${reason === null ? '' : ` (${reason})`}` };
  if (accepting === false) return { tone: 'bad', text: 'takes no withdrawals' };
  // The pool accepts withdrawals, but a withdrawal needs values that can't be read now.
  if (accepting === null || denominationAmount === null || !isRead(crowd))
    return { tone: 'care', text: 'not known now' };
  return { tone: 'good', text: 'accepts withdrawals' };
}

const isRead = (crowd: Read<PoolStatus> | undefined): boolean =>
  crowd !== undefined && 'value' in crowd;

/** Returns a text about the state of the service, from its signed status and the readable pools. */
export function serviceState({
  status,
  pools: list,
  crowds,
}: Pick<Reading, 'status' | 'pools' | 'crowds'>): State {
  if ('failure' in status)
    return { tone: 'bad', text: 'It is not known now whether the service accepts withdrawals.' };
  const { pools, capacity } = status.value.status;
  if (!capacity.value)
    return {
      tone: 'bad',
      text: 'The service accepts no withdrawals now: none of its accounts can pay for one.',
    };
  const isBlind = ({ address, denominationAmount }: Pool): boolean =>
    denominationAmount === null || !isRead(crowds.get(address));
  const listed = 'value' in list ? list.value.pools : [];
  const blind = listed.filter(isBlind).length;
  if (blind > 0 && blind === listed.length)
    return { tone: 'care', text: 'It can’t read the chain now, so withdrawals may fail to begin.' };
  const open = pools.filter(({ accepting }) => accepting.value === true).length;
  const unknown = pools.filter(({ accepting }) => accepting.value === null).length;
  if (unknown === pools.length && unknown > 0)
    return { tone: 'care', text: 'It is not known which pools accept withdrawals: see below.' };
  if (open === 0)
    return { tone: 'bad', text: 'The service accepts no withdrawals now: see why below.' };
  if (blind > 0)
    return { tone: 'care', text: `It can’t read ${counted(blind, 'pool')} now: see below.` };
  return open === pools.length
    ? { tone: 'good', text: 'The service accepts withdrawals from every pool.' }
    : {
        tone: 'care',
        text: `The service accepts withdrawals from ${open} of ${counted(pools.length, 'pool')}.`,
      };
}

/** Returns a text about the time until inclusion. Null if there were too few withdrawals. */
export function inclusionWords({
  p50Seconds,
  p95Seconds,
}: {
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
}): string | null {
  return p50Seconds === null || p95Seconds === null
    ? null
    : `half within ${duration(p50Seconds)}, 95 of 100 within ${duration(p95Seconds)}`;
}

/** Returns the changes since the previous read, for screen readers. */
export function changesSince(before: Reading, after: Reading): readonly string[] {
  const changes: string[] = [];
  const state = serviceState(after).text;
  if (serviceState(before).text !== state) changes.push(state);
  if ('failure' in after.pools) {
    if (!('failure' in before.pools)) changes.push('The pools can’t be read now.');
    return changes;
  }
  for (const pool of after.pools.value.pools) {
    const now = countsOf(after.crowds.get(pool.address));
    if (now !== null && now !== countsOf(before.crowds.get(pool.address)))
      changes.push(`${poolName(pool, after.pools.value.pools)}: ${now}.`);
  }
  return changes;
}

function countsOf(read: Read<PoolStatus> | undefined): string | null {
  if (read === undefined || 'failure' in read) return null;
  const { activeDeposits, undeployedCount } = read.value;
  return `${counted(activeDeposits, 'active deposit')}, ${undeployedCount} waiting`;
}
