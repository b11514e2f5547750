import { BUDGET_WINDOW_MS, sum, type CallOutcome, type MoneyEntry } from './money.js';
import { revertCause } from '../../relay/domain/revert-cause.js';

/** What reverts that users bring about may cost, and what follows. */
export interface LossLimits {
  /**
   * Most that they may cost a pool within an hour, in fri. Beyond it one request per caller is on
   * its way at a time.
   */
  readonly hourlyLossPerPoolFri: bigint;
  /** What part of it one caller may use up, in percent. */
  readonly callerLossPercent: number;
  /** Whether the pool takes nothing beyond it. */
  readonly lossBudgetCloses: boolean;
  /**
   * So many of one note's swaps within {@link NOTE_WINDOW_MS}; then none until the first of them is
   * older.
   */
  readonly swapRevertsPerNote: number;
}

export const NOTE_WINDOW_MS = 24 * 3_600_000;

const isSwap = ({ role }: Pick<CallOutcome, 'role'>): boolean => role === 'swap_owner';

/** Caller-made reverts of withdrawals within an hour after which a pool counts as attacked. */
const REVERTS_OF_AN_ATTACK = 2;

/** True if callers made several withdrawals from a pool revert. @param losses of the last hour */
export function isAttacked(losses: readonly CallOutcome[]): boolean {
  return losses.filter((loss) => !isSwap(loss)).length >= REVERTS_OF_AN_ATTACK;
}

/** A revert that its user, or a market, brought about: it says nothing of the pool. */
export function isUserMade(outcome: CallOutcome): boolean {
  return (
    outcome.state === 'reverted' && revertCause(outcome.revertReason, isSwap(outcome)) === 'user'
  );
}

/**
 * Until when a note is not swapped; null while it may be.
 * @param outcomes of the note, of {@link NOTE_WINDOW_MS} at least, in any order
 */
export function swapsSuspendedUntil(
  outcomes: readonly CallOutcome[],
  nowMs: number,
  { swapRevertsPerNote }: LossLimits,
): number | null {
  const reverts = outcomes.filter(
    (outcome) =>
      outcome.endedAtMs > nowMs - NOTE_WINDOW_MS && isSwap(outcome) && isUserMade(outcome),
  );
  const endedAtMs = reverts.map((revert) => revert.endedAtMs).toSorted((a, b) => a - b);
  const first = endedAtMs.at(-swapRevertsPerNote);
  return first === undefined ? null : first + NOTE_WINDOW_MS;
}

/** How long to wait when only what is on its way stands in the way: about as long as that takes. */
export const LIVE_MS = 30_000;

/**
 * When so much of these losses has left the window that less than the budget is used up; null while
 * it is not used up now.
 * @param losses of the window, oldest first
 * @param further what counts beside them
 */
export function lossesFreeAt(
  losses: readonly MoneyEntry[],
  budgetFri: bigint,
  nowMs: number,
  further = 0n,
): number | null {
  let left = sum(losses.map(({ gasPaidFri }) => gasPaidFri)) + further;
  if (left < budgetFri) return null;
  for (const { gasPaidFri, endedAtMs } of losses) {
    left -= gasPaidFri;
    if (left < budgetFri) return endedAtMs + BUDGET_WINDOW_MS;
  }
  return nowMs + LIVE_MS;
}
