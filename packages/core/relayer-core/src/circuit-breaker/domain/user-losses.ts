import {
  BUDGET_WINDOW_MS,
  sum,
  type CallOutcome,
  type CallerLoss,
  type NoteRevert,
} from './money.js';
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
   * Most reverts of one note's swaps within {@link NOTE_WINDOW_MS} after which a proof that has
   * reverted is sent again, and most different proofs of the note that may revert within it.
   */
  readonly swapRevertsPerNote: number;
}

export const NOTE_WINDOW_MS = 24 * 3_600_000;

const isSwap = ({ role }: Pick<CallOutcome, 'role'>): boolean => role === 'swap_owner';

/** Caller-made reverts of withdrawals within an hour after which a pool counts as attacked. */
const REVERTS_OF_AN_ATTACK = 2;

/** True if callers made several withdrawals from a pool revert. @param ends of the last hour */
export function isAttacked(ends: readonly CallOutcome[]): boolean {
  return ends.filter((end) => !isSwap(end) && isUserMade(end)).length >= REVERTS_OF_AN_ATTACK;
}

/** A revert that its user, or a market, brought about: it says nothing of the pool. */
export function isUserMade(outcome: CallOutcome): boolean {
  return (
    outcome.state === 'reverted' && revertCause(outcome.revertReason, isSwap(outcome)) === 'user'
  );
}

/** Suspension of a note's swaps. */
export interface SwapSuspension {
  /** `proof`: another proof of the note may be swapped. `note`: no proof of the note may be. */
  readonly scope: 'proof' | 'note';
  readonly untilMs: number;
}

/**
 * Returns the suspension of a swap; null if the swap may be sent. Anybody can repeat a proof that
 * has reverted, because it is public. Such repeats count against repeats only. A proof that has
 * not reverted yet can come from the owner alone, so it is counted by the first reverts of the
 * owner's proofs. Within {@link NOTE_WINDOW_MS} at most twice the limit revert.
 * @param all every revert of the note, in any order
 * @param effect of the swap
 */
export function swapSuspension(
  all: readonly NoteRevert[],
  effect: string,
  nowMs: number,
  { swapRevertsPerNote }: LossLimits,
): SwapSuspension | null {
  const reverts = all
    .filter((revert) => isSwap(revert) && isUserMade(revert))
    .toSorted((a, b) => a.endedAtMs - b.endedAtMs);
  const isRepeat = reverts.some((revert) => revert.effect === effect);
  const firsts = reverts.filter(
    (revert, index) => reverts.findIndex((other) => other.effect === revert.effect) === index,
  );
  const limited = (counted: readonly NoteRevert[]): number | null => {
    const oldest = counted.at(-swapRevertsPerNote);
    const untilMs = (oldest?.endedAtMs ?? 0) + NOTE_WINDOW_MS;
    return oldest === undefined || untilMs <= nowMs ? null : untilMs;
  };
  const noteUntilMs = limited(firsts);
  if (noteUntilMs !== null) return { scope: 'note', untilMs: noteUntilMs };
  const untilMs = isRepeat ? limited(reverts) : null;
  return untilMs === null ? null : { scope: 'proof', untilMs };
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
  losses: readonly CallerLoss[],
  budgetFri: bigint,
  nowMs: number,
  further = 0n,
): number | null {
  let left = sum(losses.map(({ lossFri }) => lossFri)) + further;
  if (left < budgetFri) return null;
  for (const { lossFri, endedAtMs } of losses) {
    left -= lossFri;
    if (left < budgetFri) return endedAtMs + BUDGET_WINDOW_MS;
  }
  return nowMs + LIVE_MS;
}
