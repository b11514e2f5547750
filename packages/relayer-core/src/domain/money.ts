import { toFelt, type Felt } from '@sotto/kernel';
import type { Terms } from '@sotto/submission-core';
import type { ServedPool } from './pool.js';

/** What one attempt that has ended brought and cost, as the ledger's rows tell it: they outlive everything private. */
export interface MoneyEntry {
  readonly id: string;
  /** The ledger's key: its second part is the contract that the attempt is about. */
  readonly key: string;
  readonly state: 'succeeded' | 'reverted' | 'refused' | 'expired';
  /** Fee and prices of its admission; null for what earns no fee, such as a batch. */
  readonly terms: Terms | null;
  /** What its own transaction was charged, and the no-ops that took its nonces in its place. */
  readonly gasPaidFri: bigint;
  readonly acceptedAtMs: number;
  readonly endedAtMs: number;
}

/** An attempt that has not ended: what it will cost is expected, not known. */
export interface LiveEntry {
  readonly key: string;
  readonly acceptedAtMs: number;
  /** Null for what was accepted without terms. */
  readonly costFri: bigint | null;
}

/** What one kind of attempts of a pool is judged by apart from the other. */
export type AttemptKind = 'relay' | 'batch';

/** The contract that a key of the ledger is about, a pool for the most part; null for a key of no known form. */
export function subjectOf(key: string): Felt | null {
  const [, subject = ''] = key.split('|');
  return /^0x[0-9a-f]{1,64}$/.test(subject) ? toFelt(subject) : null;
}

/** Withdrawals and swaps carry the terms of their fee; nothing else does. */
export function kindOf({ terms }: Pick<MoneyEntry, 'terms'>): AttemptKind {
  return terms === null ? 'batch' : 'relay';
}

const FRI_PER_STRK = 10n ** 18n;

/** An amount of the fee token in fri at these prices, rounded down: what is earned is never overstated. */
export function feeTokenToFri(
  amount: bigint,
  { strkUsdE8, feeTokenUsdE8 }: Pick<Terms, 'strkUsdE8' | 'feeTokenUsdE8'>,
  decimals: number,
): bigint {
  return (amount * feeTokenUsdE8 * FRI_PER_STRK) / (strkUsdE8 * 10n ** BigInt(decimals));
}

/** What an attempt earned: only a success brings its fee. */
function earned({ state, terms }: MoneyEntry, decimals: number): { readonly feeToken: bigint; readonly fri: bigint } {
  if (state !== 'succeeded' || terms === null) return { feeToken: 0n, fri: 0n };
  return { feeToken: terms.feeAmount, fri: feeTokenToFri(terms.feeAmount, terms, decimals) };
}

/** True when the attempt cost more than it brought. What earns no fee by its nature is no loss. */
export function isLoss(entry: MoneyEntry, decimals: number): boolean {
  return entry.terms !== null && entry.gasPaidFri > earned(entry, decimals).fri;
}

/** Money of one pool over a time. */
export interface PoolMoney {
  readonly pool: Felt;
  /** In the smallest unit of the pool's token. */
  readonly earnedFeeToken: bigint;
  /** The same in fri, each fee at the prices of its own admission. */
  readonly earnedFri: bigint;
  readonly spentFri: bigint;
  /** What live attempts are expected to cost. */
  readonly reservedFri: bigint;
  readonly succeeded: number;
  readonly reverted: number;
  /** Refused or expired: nothing of them is on chain. */
  readonly unsent: number;
  readonly losses: number;
}

/** Sums of a pool's entries. */
export function moneyOf(pool: ServedPool, entries: readonly MoneyEntry[], live: readonly LiveEntry[]): PoolMoney {
  const own = entries.filter(({ key }) => subjectOf(key) === pool.address);
  const { decimals } = pool.token;
  const brought = own.map((entry) => earned(entry, decimals));
  const count = (...states: readonly MoneyEntry['state'][]): number => own.filter(({ state }) => states.includes(state)).length;
  return {
    pool: pool.address,
    earnedFeeToken: sum(brought.map(({ feeToken }) => feeToken)),
    earnedFri: sum(brought.map(({ fri }) => fri)),
    spentFri: sum(own.map(({ gasPaidFri }) => gasPaidFri)),
    reservedFri: sum(live.filter(({ key }) => subjectOf(key) === pool.address).map(({ costFri }) => costFri ?? 0n)),
    succeeded: count('succeeded'),
    reverted: count('reverted'),
    unsent: count('refused', 'expired'),
    losses: own.filter((entry) => isLoss(entry, decimals)).length,
  };
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
