import {
  BUDGET_WINDOW_MS,
  sum,
  type CallOutcome,
  type CallerLoss,
  type NoteRevert,
} from './money.js';
import { PRIVATE_ACTION_KIND } from '../../pools/domain/private-action-key.js';
import { revertCause } from '../../relay/domain/revert-cause.js';

/** Limits of losses that users cause. */
export interface LossLimits {
  /**
   * Loss budget: maximum loss that users may cause in a pool per hour, in fri. While it is
   * exceeded, each caller may have only one request in flight.
   */
  readonly hourlyLossPerPoolFri: bigint;
  /** Share of the pool's loss budget that one caller may use, in percent. */
  readonly callerLossPercent: number;
  /** True if the pool rejects all requests of users while its loss budget is used up. */
  readonly lossBudgetCloses: boolean;
  /**
   * Limit for reverts of one note's swaps within {@link NOTE_WINDOW_MS}. After this many reverts, a
   * proof that has already reverted is not sent again. After this many different proofs have
   * reverted, no proof of the note is sent.
   */
  readonly swapRevertsPerNote: number;
}

export const NOTE_WINDOW_MS = 24 * 3_600_000;

const isSwap = ({ role }: Pick<CallOutcome, 'role'>): boolean => role === 'swap_owner';

/**
 * True for private actions. Private actions move tokens and invoke contracts that the caller chose,
 * so the caller can cause any revert, with any reason.
 */
export const isPrivateAction = ({ kind }: { readonly kind?: string }): boolean =>
  kind === PRIVATE_ACTION_KIND;

/**
 * Number of reverted withdrawals per hour, caused by callers, from which a pool is treated as
 * attacked.
 */
const REVERTS_OF_AN_ATTACK = 2;

/**
 * Returns true if callers caused several withdrawals from a pool to revert. @param ends outcomes of
 * the pool's attempts in the last hour
 */
export function isAttacked(ends: readonly CallOutcome[]): boolean {
  return ends.filter((end) => !isSwap(end) && isUserMade(end)).length >= REVERTS_OF_AN_ATTACK;
}

/**
 * Returns true for a failure that was caused by the call's user or by the market. Such a failure
 * does not indicate a broken pool. The failures are reverts, and refused private actions: a
 * simulation does not check the proof, so the node refuses a false proof when the transaction is
 * sent. The nonce of the transaction may then need a no-op.
 */
export function isUserMade(outcome: CallOutcome & { readonly kind?: string }): boolean {
  if (isPrivateAction(outcome)) return outcome.state === 'reverted' || outcome.state === 'refused';
  return (
    outcome.state === 'reverted' && revertCause(outcome.revertReason, isSwap(outcome)) === 'user'
  );
}

/** Suspension of a note's swaps. */
export interface SwapSuspension {
  /**
   * Scope of the suspension. `proof`: only this proof is suspended. `note`: all proofs of the note
   * are suspended.
   */
  readonly scope: 'proof' | 'note';
  readonly untilMs: number;
}

/**
 * Returns the suspension of a swap; null if the swap may be sent.
 *
 * A reverted proof is public, so any caller can repeat it. Reverts of repeated proofs are counted
 * only for the decision whether a reverted proof may be repeated once more. A proof that has not
 * reverted yet must come from the owner. So for such a proof, only the first revert of each
 * different proof is counted. The number of reverts within {@link NOTE_WINDOW_MS} is at most twice
 * the limit.
 *
 * @param all every revert of the note, in any order
 * @param effect effect of the requested swap
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

/**
 * Wait in milliseconds if the budget is used up only because of attempts in flight. Such attempts
 * usually end within this time.
 */
export const LIVE_MS = 30_000;

/**
 * Returns the time at which the budget is free again, because enough of these losses have left the
 * window, in Unix milliseconds. Returns null if the budget is not used up.
 * @param losses losses in the window, oldest first
 * @param further amount to add to the losses, in fri
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
