import type { Felt } from '@sotto/kernel';
import type { LaneSlot, SignedTransaction } from '../events.js';
import {
  isLandable,
  refOf,
  type Attempt,
  type AttemptRef,
  type ExecutionStatus,
  type Lane,
  type NonceRow,
  type TransactionRow,
} from '../rows.js';
import type {
  Decision,
  Executed,
  RejectionReason,
  MachineState,
  RowChanges,
} from '../machine-state.js';

export const write = (writes: RowChanges): Decision => ({ applied: true, changes: writes });
export const reject = (because: RejectionReason): Decision => ({ applied: false, because });

/**
 * Returns the lane if its fence equals the fence of the writer's lease; otherwise the rejection.
 */
export function heldLane(
  { fence }: Pick<LaneSlot, 'fence'>,
  { lane }: MachineState,
): { readonly lane: Lane } | { readonly refused: Decision } {
  return lane === null || lane.fence !== fence ? { refused: reject('stale_fence') } : { lane };
}

/** Checks for every write to a nonce that the fence is current and that the nonce is open. */
export function openNonce(
  event: LaneSlot,
  view: MachineState,
): { readonly row: NonceRow } | { readonly refused: Decision } {
  const held = heldLane(event, view);
  if ('refused' in held) return held;
  if (view.nonce === null) return { refused: reject('unknown_row') };
  if (view.nonce.state === 'settled') return { refused: reject('nonce_settled') };
  return { row: view.nonce };
}

/**
 * Returns the transactions under the nonce that could land, called S(n) in the transition table.
 */
export function landable(view: MachineState): readonly TransactionRow[] {
  return view.transactions.filter(isLandable);
}

/** Returns the row after a write that changed its owner or the transactions that could land. */
export function raised(row: NonceRow, change: Partial<NonceRow> = {}): NonceRow {
  return { ...row, ...change, version: row.version + 1 };
}

export function openRow(lane: Felt, nonce: bigint): NonceRow {
  return { lane, nonce, through: nonce, state: 'open', version: 1, owner: null, settlement: null };
}

/**
 * Returns the row of a newly signed transaction with the claim to its first send. If the same bytes
 * are signed again, the existing row and its price step remain.
 */
export function storedRow(
  { lane, nonce, fence, node }: LaneSlot & { readonly node: string },
  view: MachineState,
  signed: SignedTransaction,
  attempt: AttemptRef | null,
): TransactionRow {
  const before = view.transactions.find(({ hash }) => hash === signed.hash);
  const nextStep =
    view.transactions.reduce((highest, { priceStep }) => Math.max(highest, priceStep), -1) + 1;
  return {
    hash: signed.hash,
    lane,
    nonce,
    kind: attempt === null ? 'noop' : 'call',
    attempt: attempt === null ? null : refOf(attempt),
    priceStep: before?.priceStep ?? nextStep,
    bounds: signed.bounds,
    sendCount: 1,
    claimFence: fence,
    claimedAtMs: view.nowMs,
    claimNode: node,
    gone: null,
    rejectionCode: null,
    seen: null,
  };
}

/**
 * Returns the attempt without its nonce. The attempt waits for another nonce, and is revalidated
 * before it gets that nonce.
 */
export function backToAccepted(attempt: Attempt): Attempt {
  return { ...attempt, state: 'accepted', lane: null, nonce: null, readmit: true };
}

/**
 * Ends the attempt without a receipt. Exception: if a transaction of the attempt has a receipt, the
 * attempt ends with the outcome of that receipt.
 */
export function ended(
  attempt: Attempt,
  executedBy: Executed | null,
  state: 'refused' | 'expired',
  code: string,
  atMs: number,
): Attempt {
  if (executedBy !== null) return executedElsewhere(attempt, executedBy, atMs);
  return { ...attempt, state, lane: null, nonce: null, rejectionCode: code, endedAtMs: atMs };
}

/**
 * Returns the attempt as succeeded if one of its transactions succeeded under another nonce;
 * otherwise null.
 */
export function paidElsewhere(
  attempt: Attempt,
  executedBy: Executed | null,
  atMs: number,
): Attempt | null {
  return executedBy?.execution === 'SUCCEEDED'
    ? executedElsewhere(attempt, executedBy, atMs)
    : null;
}

function executedElsewhere(
  attempt: Attempt,
  { lane, nonce, hash, feeFri, execution }: Executed,
  atMs: number,
): Attempt {
  // Settlements do not contain revert reasons, so the reason is unknown here.
  const outcome = {
    transactionHash: hash,
    revertReason: null,
    gasPaidFri: feeFri,
    rejectionCode: null,
  };
  return {
    ...attempt,
    state: endOf(execution),
    lane,
    nonce,
    ...outcome,
    endedAtMs: atMs,
    isFinal: false,
  };
}

/** Returns the end state of an attempt by its receipt. */
export function endOf(execution: ExecutionStatus): 'succeeded' | 'reverted' {
  return execution === 'SUCCEEDED' ? 'succeeded' : 'reverted';
}
