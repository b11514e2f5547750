import type { CallPurpose, LaneRole, Terms } from '@sotto/submission-core';
import { isDeposit } from '../../pools/domain/deposit.js';
import { spendsNote } from '../../pools/domain/withdrawal.js';

/** Budgets are of the last hour. */
export const BUDGET_WINDOW_MS = 3_600_000;

/** How an attempt ended, from the ledger's rows: they outlive everything private. */
export interface CallOutcome {
  readonly state: 'succeeded' | 'reverted' | 'refused' | 'expired';
  /** Whose accounts carried it. */
  readonly role: LaneRole;
  /**
   * The contract's own words, without numbers of the call; null for what did not revert, or gave
   * none.
   */
  readonly revertReason: string | null;
  readonly endedAtMs: number;
}

/** A revert of a call that spends a note. */
export interface NoteRevert extends CallOutcome {
  /**
   * Effect of its attempt. Two proofs of a note have the same effect unless their recipient or fee
   * differs: who repeats a public proof can change neither.
   */
  readonly effect: string;
}

/** What one attempt that has ended brought and cost. */
export interface MoneyEntry extends CallOutcome, Pick<CallPurpose, 'kind' | 'subject'> {
  readonly id: string;
  readonly key: string;
  /** Fee and prices of its admission; null for what earns no fee, such as a batch. */
  readonly terms: Terms | null;
  /** What its own transaction was charged, and the no-ops that took its nonces in its place. */
  readonly gasPaidFri: bigint;
  readonly acceptedAtMs: number;
}

/** An attempt that has not ended: what it will cost is expected, not known. */
export interface LiveEntry extends Pick<CallPurpose, 'kind' | 'subject'> {
  readonly key: string;
  /** Whose accounts carry it. */
  readonly role: LaneRole;
  /** It has a place in the queue: no account has signed its call. */
  readonly isWaiting: boolean;
  readonly acceptedAtMs: number;
  /** Null for what was accepted without terms. */
  readonly costFri: bigint | null;
}

/** What one kind of attempts of a pool is judged by apart from the other. */
export type AttemptKind = 'relay' | 'batch' | 'deposit';

/**
 * What an entry is counted as. `adopted`: a withdrawal or swap that was read back from the chain
 * for a ledger that did not know it. The terms of its admission are lost, so it has cost something
 * and proves neither a gain nor a loss, and its times are those of its reading.
 */
export type EntryKind = AttemptKind | 'adopted';

/**
 * Withdrawals and swaps carry the terms of their fee, unless they were adopted; nothing else does.
 */
export function kindOf({ kind, terms }: Pick<MoneyEntry, 'kind' | 'terms'>): EntryKind {
  if (terms !== null) return 'relay';
  if (isDeposit({ kind })) return 'deposit';
  return spendsNote({ kind }) ? 'adopted' : 'batch';
}

const FRI_PER_STRK = 10n ** 18n;

/**
 * An amount of the fee token in fri at these prices, rounded down: what is earned is never
 * overstated.
 */
export function feeTokenToFri(
  amount: bigint,
  { strkUsdE8, feeTokenUsdE8 }: Pick<Terms, 'strkUsdE8' | 'feeTokenUsdE8'>,
  decimals: number,
): bigint {
  return (amount * feeTokenUsdE8 * FRI_PER_STRK) / (strkUsdE8 * 10n ** BigInt(decimals));
}

/** What an attempt earned: only a success brings its fee. */
export function earned(
  { state, terms }: MoneyEntry,
  decimals: number,
): { readonly feeToken: bigint; readonly fri: bigint } {
  if (state !== 'succeeded' || terms === null) return { feeToken: 0n, fri: 0n };
  return { feeToken: terms.feeAmount, fri: feeTokenToFri(terms.feeAmount, terms, decimals) };
}

/** Cost that the fee does not cover. What earns no fee by its nature is no loss. */
export function lossFri(entry: MoneyEntry, decimals: number): bigint {
  if (entry.terms === null) return 0n;
  const loss = entry.gasPaidFri - earned(entry, decimals).fri;
  return loss > 0n ? loss : 0n;
}

/**
 * True if the attempt lost at least half of its cost. A smaller loss says nothing of the pool: a
 * caller brings it about with the exact fee and a gas price that rises by a percent.
 */
export function isLoss(entry: MoneyEntry, decimals: number): boolean {
  const loss = lossFri(entry, decimals);
  return loss > 0n && 2n * loss >= entry.gasPaidFri;
}

/** Loss that the caller of an attempt brought about. */
export interface CallerLoss extends Pick<MoneyEntry, 'id' | 'endedAtMs'> {
  readonly lossFri: bigint;
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
