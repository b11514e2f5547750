import type { SubmissionCommand } from '../events.js';
import type { Lane } from '../rows.js';
import type { Decision, MachineState } from '../machine-state.js';
import { heldLane, openRow, reject, write } from './common.js';

type Event<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

/**
 * Writes an open row for the lane's next nonce, which the chain has consumed but this ledger has
 * never assigned. A range of such nonces is written as one settled row. Also writes an open row for
 * a nonce below the lane's first nonce, if a rollback has reopened that nonce.
 */
export function importNonce(event: Event<'import'>, view: MachineState): Decision {
  const held = heldLane(event, view);
  if ('refused' in held) return held.refused;
  const { nextNonce } = held.lane;
  if (
    nextNonce === null ||
    view.nonce !== null ||
    event.nonce > nextNonce ||
    event.through < event.nonce
  )
    return reject('nonce_taken');
  if (event.nonce < nextNonce) return write({ nonces: [openRow(event.lane, event.nonce)] });
  const open = { ...openRow(event.lane, event.nonce), through: event.through };
  const isRange = event.through > event.nonce;
  return write({
    nonces: [
      isRange
        ? { ...open, state: 'settled', settlement: { ...BY_UNKNOWN, atMs: view.nowMs } }
        : open,
    ],
    lanes: [{ ...held.lane, nextNonce: event.through + 1n }],
  });
}

export const BY_UNKNOWN = {
  hash: null,
  isForeign: true,
  execution: null,
  block: null,
  feeFri: null,
  disprovesRejection: false,
  isFinal: true,
} as const;

/**
 * Introduces a lane to the ledger at its nonce on chain.
 *
 * The lane gets a quarantine for the nonces that a lost ledger may have used, unless an operator
 * has stated that no transaction is in flight. If the ledger knows no lane at all, the ledger is
 * empty and may be behind its chain.
 */
export function introduce(event: Event<'introduce'>, view: MachineState): Decision {
  const held = heldLane(event, view);
  if ('refused' in held) return held.refused;
  if (held.lane.nextNonce !== null) return reject('known_already');
  const hasKnown = view.lanes.some((lane) => lane.nextNonce !== null && lane.quarantine === null);
  const inQuestion = {
    cause: hasKnown && !event.hasSentCalls ? 'introduced' : 'behind',
    until: event.accountNonce + event.window,
    sinceMs: view.nowMs,
    isAged: false,
  } as const;
  return write({
    lanes: [
      {
        ...held.lane,
        nextNonce: event.accountNonce,
        quarantine: event.isAccepted ? null : inQuestion,
      },
    ],
  });
}

/**
 * Puts the lane into quarantine because the ledger is behind its chain. The command is repeated
 * with `isAged` once no lost transaction can remain in a mempool. The end of the quarantine never
 * decreases.
 */
export function quarantine(event: Event<'quarantine'>, view: MachineState): Decision {
  const held = heldLane(event, view);
  if ('refused' in held) return held.refused;
  const { quarantine: before, nextNonce } = held.lane;
  if (nextNonce === null) return reject('unknown_row');
  const isNews = event.isAged ? before !== null && !before.isAged : before?.cause !== 'behind';
  if (!isNews) return reject('known_already');
  const until = before !== null && before.until > event.until ? before.until : event.until;
  const next: Lane['quarantine'] = {
    cause: event.isAged && before !== null ? before.cause : 'behind',
    until,
    sinceMs: before?.sinceMs ?? view.nowMs,
    isAged: event.isAged,
  };
  return write({ lanes: [{ ...held.lane, quarantine: next }] });
}

/**
 * Ends the quarantine of lanes when every nonce of the quarantine is consumed. All lanes that are
 * behind end their quarantine together, because any key may have been sent from any of these lanes
 * with the lost ledger.
 */
export function endQuarantine(
  event: Event<'end_quarantine'>,
  { lanes, unconsumed }: MachineState,
): Decision {
  const ending = lanes.filter(({ address }) => event.lanes.includes(address));
  if (ending.length !== event.lanes.length) return reject('unknown_row');
  const isBehindHere = ending.some(({ quarantine: its }) => its?.cause === 'behind');
  const isLeftOut = lanes.some(
    ({ address, quarantine: its }) => its?.cause === 'behind' && !event.lanes.includes(address),
  );
  if (isBehindHere && isLeftOut) return reject('lane_quarantined');
  const isConsumed = ({ address, nextNonce, quarantine: its }: Lane): boolean =>
    its !== null &&
    its.isAged &&
    nextNonce !== null &&
    nextNonce >= its.until &&
    !unconsumed.includes(address);
  if (!ending.every(isConsumed)) return reject('lane_quarantined');
  return write({ lanes: ending.map((lane) => ({ ...lane, quarantine: null })) });
}
