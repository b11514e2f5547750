import type { LaneClaim, SignedTransaction } from '../events.js';
import { refOf, type Attempt, type AttemptRef, type NonceRow, type TransactionRow } from '../rows.js';
import type { Decision, StoodBack, View, Writes } from '../view.js';

export const write = (writes: Writes): Decision => ({ written: true, writes });
export const standBack = (because: StoodBack): Decision => ({ written: false, because });

/** The part of a guard that every write to a lane shares: the fence is current and the nonce is open. */
export function openNonce(event: LaneClaim, view: View): { readonly row: NonceRow } | { readonly refused: Decision } {
  if (view.lane === null || view.lane.fence !== event.fence) return { refused: standBack('stale_fence') };
  if (view.nonce === null) return { refused: standBack('unknown_row') };
  if (view.nonce.state === 'settled') return { refused: standBack('nonce_settled') };
  return { row: view.nonce };
}

/** S(n): what stands under the nonce and could land. */
export function landable(view: View): readonly TransactionRow[] {
  return view.transactions.filter((transaction) => !transaction.dead);
}

/** Free: open, held by nobody, and nothing under it can land. */
export function isFree(row: NonceRow, view: View): boolean {
  return row.state === 'open' && row.owner === null && landable(view).length === 0;
}

/** The row of a transaction that has just been signed; the same bytes signed again take their old row and its step. */
export function storedRow(
  { lane, nonce, fence }: LaneClaim,
  view: View,
  signed: SignedTransaction,
  carries: { readonly attempt: AttemptRef | null; readonly claimedAtMs: number | null },
): TransactionRow {
  const before = view.transactions.find(({ hash }) => hash === signed.hash);
  const nextStep = view.transactions.reduce((highest, { priceStep }) => Math.max(highest, priceStep), -1) + 1;
  const claimed = carries.claimedAtMs !== null;
  return {
    hash: signed.hash,
    lane,
    nonce,
    kind: carries.attempt === null ? 'noop' : 'call',
    attempt: carries.attempt === null ? null : refOf(carries.attempt),
    priceStep: before?.priceStep ?? nextStep,
    bounds: signed.bounds,
    claims: claimed ? 1 : 0,
    claimFence: claimed ? fence : null,
    claimedAtMs: carries.claimedAtMs,
    dead: false,
    refusalCode: null,
    seen: null,
  };
}

/** The attempt without its nonce, waiting for another one; admission runs again before it gets it. */
export function backToAccepted(attempt: Attempt): Attempt {
  return { ...attempt, state: 'accepted', lane: null, nonce: null, readmit: true };
}

/** The attempt's end without a receipt. */
export function endWithout(attempt: Attempt, state: 'refused' | 'expired', code: string, atMs: number): Attempt {
  return { ...attempt, state, lane: null, nonce: null, refusalCode: code, endedAtMs: atMs };
}
