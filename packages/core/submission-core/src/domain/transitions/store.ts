import type { SubmissionCommand } from '../events.js';
import { outbid } from '../resource-bounds.js';
import { envelopeOf } from '../signed-envelope.js';
import { isLandable, refOf, sameRef, type Lane, type NonceRow } from '../rows.js';
import { isBehind, type Decision, type MachineState, type RowChanges } from '../machine-state.js';
import { heldLane, landable, openRow, raised, reject, storedRow, write } from './common.js';

type Store = Extract<SubmissionCommand, { type: 'store' }>;
type HeldLane = MachineState & { readonly lane: Lane };

/**
 * Stores signed bytes under a nonce with the claim to their first send (row St of the transition
 * table). The version in the command guarantees that the row is unchanged since signing. The row
 * decides the effect: a free nonce is assigned or filled, and a held nonce gets a replacement or a
 * no-op.
 */
export function store(event: Store, view: MachineState): Decision {
  const held = heldLane(event, view);
  if ('refused' in held) return held.refused;
  if ((view.nonce?.version ?? 0) !== event.version) return reject('stale_version');
  if (view.nonce === null && event.nonce !== held.lane.nextNonce) return reject('nonce_taken');
  if (view.nonce?.state === 'settled') return reject('nonce_settled');
  const row = view.nonce ?? { ...openRow(event.lane, event.nonce), version: 0 };
  const isUnused = row.owner === null && !view.transactions.some(isLandable);
  const now = { ...view, lane: held.lane };
  if (event.attempt === null) return isUnused ? fill(event, now, row) : withNoop(event, now, row);
  return isUnused ? giveAway(event, now, row) : replaceCall(event, now, row);
}

/** Assigns the nonce to a waiting attempt (row St-P of the transition table). */
function giveAway(event: Store, view: HeldLane, row: NonceRow): Decision {
  const { lane, lastAttempt: attempt } = view;
  if (isBehind(view.lanes)) return reject('ledger_behind');
  if (lane.quarantine !== null) return reject('lane_quarantined');
  if (lane.pausedFor !== null) return reject('lane_paused');
  if (attempt === null || !sameRef(refOf(attempt), event.attempt) || attempt.state !== 'accepted')
    return reject('attempt_moved_on');
  // The attempt got a newer call after this transaction was signed.
  if (attempt.fingerprint !== event.fingerprint) return reject('attempt_moved_on');
  if (!attempt.replayProtected && view.lastAttemptIsUnfinal) return reject('not_final');
  // The recovery assumes that all transactions of a lost ledger are within the nonce window. So no
  // nonce may ever exceed the window.
  if (event.nonce >= event.nonceLimit) return reject('nonce_beyond_window');
  return write({
    ...withRow(event, view, { ...row, owner: refOf(attempt) }),
    attempts: [
      { ...attempt, state: 'broadcast', lane: event.lane, nonce: event.nonce, readmit: false },
    ],
  });
}

/**
 * Stores the call of the nonce's owner again at a higher price (row St-R of the transition table).
 */
function replaceCall(event: Store, view: HeldLane, row: NonceRow): Decision {
  if (!sameRef(row.owner, event.attempt)) return reject('nonce_taken');
  // The same call may be in flight under another nonce that this ledger does not know.
  if (isBehind(view.lanes) || view.lane.quarantine !== null) return reject('ledger_behind');
  return outbidsAll(event, view) ? write(withRow(event, view, row)) : reject('price_too_low');
}

/**
 * Stores a no-op against a call, or a no-op at a higher price (rows St-N and St-R of the transition
 * table). The first no-op against a call may have the ceiling price without outbidding the call: a
 * node that rejects the call has no transaction to outbid. Each further no-op must outbid the
 * earlier no-ops.
 */
function withNoop(event: Store, view: HeldLane, row: NonceRow): Decision {
  const { bounds } = event.transaction;
  const atCeiling = bounds.l2Gas.maxPriceFri === event.ceilingL2PriceFri;
  const outbidsNoops = landable(view).every(
    (rival) => rival.kind === 'call' || outbid(rival.bounds, bounds),
  );
  return (atCeiling && outbidsNoops) || outbidsAll(event, view)
    ? write(withRow(event, view, row))
    : reject('price_too_low');
}

/**
 * Stores a no-op for a free nonce below a transaction that could land, or for a nonce that an
 * unknown transaction may use (rows St-H and Q1 of the transition table).
 */
function fill(event: Store, view: HeldLane, row: NonceRow): Decision {
  const { quarantine } = view.lane;
  const isInQuestion = quarantine !== null && quarantine.isAged && event.nonce < quarantine.until;
  if (!isInQuestion && !(view.nonce !== null && view.liveAbove)) return reject('no_gap');
  return write(withRow(event, view, row));
}

function outbidsAll(
  { transaction: { bounds }, ceilingL2PriceFri }: Store,
  view: MachineState,
): boolean {
  return (
    bounds.l2Gas.maxPriceFri <= ceilingL2PriceFri &&
    landable(view).every((rival) => outbid(rival.bounds, bounds))
  );
}

function withRow(event: Store, view: HeldLane, row: NonceRow): RowChanges {
  return {
    nonces: [raised(row)],
    transactions: [storedRow(event, view, event.transaction, event.attempt)],
    signed: { hash: event.transaction.hash, envelope: envelopeOf(event.transaction) },
    ...(view.nonce === null ? { lanes: [{ ...view.lane, nextNonce: event.nonce + 1n }] } : {}),
  };
}
