import type { CallPurpose, LaneRole, Terms } from '@sotto/submission-core';
import { isDeposit } from '../../pools/domain/deposit.js';
import { spendsNote } from '../../pools/domain/withdrawal.js';
import { PRIVATE_ACTION_KIND } from '../../pools/domain/private-action-key.js';

/** Window of all budgets, in milliseconds: one hour. */
export const BUDGET_WINDOW_MS = 3_600_000;

/** Outcome of an attempt, from the ledger's rows. Redaction does not delete these values. */
export interface CallOutcome {
  readonly state: 'succeeded' | 'reverted' | 'refused' | 'expired';
  /** Role of the lanes that sent the call. */
  readonly role: LaneRole;
  /**
   * Revert reason of the contract, without numbers of the call. Null if the call did not revert or
   * returned no reason.
   */
  readonly revertReason: string | null;
  readonly endedAtMs: number;
}

/** Revert of a call that would have spent a note. */
export interface NoteRevert extends CallOutcome {
  /**
   * Effect of the reverted attempt. Two proofs of a note have the same effect unless their
   * recipient or fee differs. A caller that repeats a public proof can change neither recipient nor
   * fee.
   */
  readonly effect: string;
}

/** Income and cost of one attempt that has ended. */
export interface MoneyEntry extends CallOutcome, Pick<CallPurpose, 'kind' | 'subject'> {
  readonly id: string;
  readonly key: string;
  /** Fee and prices at admission; null for calls that earn no fee, such as batches. */
  readonly terms: Terms | null;
  /**
   * Gas paid for the attempt's transaction and for no-ops that consumed its nonces instead, in fri.
   */
  readonly gasPaidFri: bigint;
  readonly acceptedAtMs: number;
}

/** Attempt that has not ended, with its estimated cost. */
export interface LiveEntry extends Pick<CallPurpose, 'kind' | 'subject'> {
  readonly key: string;
  /** Role of the lanes that send the call. */
  readonly role: LaneRole;
  /** True while the attempt is queued because no account has signed its call yet. */
  readonly isWaiting: boolean;
  readonly acceptedAtMs: number;
  /** Expected cost in fri; null if the attempt was accepted without terms. */
  readonly costFri: bigint | null;
}

/** Kinds of attempts within a pool. Each kind is judged separately. */
export type AttemptKind = 'relay' | 'batch' | 'deposit';

/**
 * Kind under which an entry is counted. `adopted` is a withdrawal or swap that was read from the
 * chain, because the ledger lacked it. The terms of its admission are lost. So an adopted entry is
 * counted as a cost, but neither as gain nor as loss, and its times are the times of the adoption.
 */
export type EntryKind = AttemptKind | 'adopted';

/**
 * Returns the kind of an entry. Withdrawals and swaps are recognised by their terms. Other calls
 * and adopted attempts have no terms.
 */
export function kindOf({ kind, terms }: Pick<MoneyEntry, 'kind' | 'terms'>): EntryKind {
  if (terms !== null) return 'relay';
  if (isDeposit({ kind })) return 'deposit';
  return spendsNote({ kind }) || kind === PRIVATE_ACTION_KIND ? 'adopted' : 'batch';
}

const FRI_PER_STRK = 10n ** 18n;

/**
 * Converts an amount of the fee token to fri at these prices. The result is rounded down, so that
 * income is never overstated.
 */
export function feeTokenToFri(
  amount: bigint,
  { strkUsdE8, feeTokenUsdE8 }: Pick<Terms, 'strkUsdE8' | 'feeTokenUsdE8'>,
  decimals: number,
): bigint {
  return (amount * feeTokenUsdE8 * FRI_PER_STRK) / (strkUsdE8 * 10n ** BigInt(decimals));
}

/** Returns the income of an attempt. Only a successful attempt earns its fee. */
export function earned(
  { state, terms }: MoneyEntry,
  decimals: number,
): { readonly feeToken: bigint; readonly fri: bigint } {
  if (state !== 'succeeded' || terms === null) return { feeToken: 0n, fri: 0n };
  return { feeToken: terms.feeAmount, fri: feeTokenToFri(terms.feeAmount, terms, decimals) };
}

const SPONSORED = 'sponsor=';

/** Returns the text by which the terms of an attempt name its sponsor. */
export function sponsoredBounds(sponsor: string): string {
  return `${SPONSORED}${sponsor}`;
}

/** True if a sponsor pays for the attempt with these terms. */
function isSponsored({ bounds }: Terms): boolean {
  return bounds?.startsWith(SPONSORED) === true;
}

/**
 * Returns the part of the cost that the fee does not cover, in fri. Returns 0 for calls that never
 * earn a fee, and for successes that a sponsor pays: the sponsor's own budget limits these.
 */
export function lossFri(entry: MoneyEntry, decimals: number): bigint {
  if (entry.terms === null) return 0n;
  if (entry.state === 'succeeded' && isSponsored(entry.terms)) return 0n;
  const loss = entry.gasPaidFri - earned(entry, decimals).fri;
  return loss > 0n ? loss : 0n;
}

/**
 * Returns true if the attempt lost at least half of its cost. A smaller loss does not indicate a
 * broken pool, because a caller can cause it with the exact fee while the gas price rises by one
 * percent.
 */
export function isLoss(entry: MoneyEntry, decimals: number): boolean {
  const loss = lossFri(entry, decimals);
  return loss > 0n && 2n * loss >= entry.gasPaidFri;
}

/** Loss of an attempt, which is charged to the attempt's caller. */
export interface CallerLoss extends Pick<MoneyEntry, 'id' | 'endedAtMs'> {
  readonly lossFri: bigint;
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
