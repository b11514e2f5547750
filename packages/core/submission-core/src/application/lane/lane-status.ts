import type { Felt, Logger } from '@sotto/kernel';
import type { Lane, Quarantine } from '../../domain/rows.js';
import type { AccountProblem } from '../../ports/chain.port.js';
import type { LaneIdentity } from '../settings.js';

/**
 * State of a lane that determines whether it accepts work. `resting`, `quarantined`, `paused` and
 * `unknown` have a reason.
 */
export type LaneState =
  | 'ready'
  | 'full'
  | 'short_of_funds'
  | 'held_elsewhere'
  | 'resting'
  | 'quarantined'
  | 'paused'
  | 'retiring'
  | 'unknown';

/** Result of a lane's last offer of capacity. */
export type LaneFill = Extract<LaneState, 'ready' | 'full' | 'short_of_funds' | 'unknown'>;

export interface LaneStatus extends LaneIdentity {
  readonly state: LaneState;
  /**
   * Reason why the lane accepts no work, or why its sends are rejected; null if there is no such
   * reason.
   */
  readonly reason: string | null;
  /** Number of undecided nonces of the lane at its last poll. */
  readonly openNonces: number;
  /**
   * False for a lane that is in the ledger but not in the settings. The lane is followed, but can't
   * sign.
   */
  readonly isConfigured: boolean;
}

/** Facts that determine a lane's state. */
export interface LaneFacts extends Pick<LaneStatus, 'isConfigured' | 'isRetiring'> {
  readonly isHeld: boolean;
  /**
   * Reason in the last poll of the chain why the lane may accept no work; null if there is no such
   * reason.
   */
  readonly obstacle: string | null;
  readonly problem: AccountProblem | null;
  /** Stored row of the lane; null before it was read. */
  readonly row: Pick<Lane, 'quarantine' | 'pausedFor'> | null;
  /** Code with which the node rejected the last send; null if the last send was not rejected. */
  readonly rejection: string | null;
  readonly fill: LaneFill;
}

const REASONS: Readonly<Record<Quarantine['cause'], string>> = {
  behind: 'LEDGER_BEHIND_CHAIN',
  introduced: 'INTRODUCED',
};

/**
 * Returns the state of a lane, with the reason for this state; null if the state needs no reason.
 */
export function stateOf({
  obstacle,
  problem,
  row,
  ...facts
}: LaneFacts): readonly [LaneState, string | null] {
  if (!facts.isHeld) return ['held_elsewhere', null];
  if (!facts.isConfigured) return ['retiring', 'NOT_IN_SETTINGS'];
  if (obstacle === 'ACCOUNT_NONCE_BELOW_LEDGER') return ['resting', obstacle];
  if (problem !== null) return ['resting', problem];
  const { quarantine = null, pausedFor = null } = row ?? {};
  if (quarantine !== null) return ['quarantined', REASONS[quarantine.cause]];
  if (obstacle !== null) return [obstacle === 'NOT_LOOKED_AT' ? 'unknown' : 'resting', obstacle];
  if (pausedFor !== null) return ['paused', pausedFor];
  if (facts.isRetiring === true) return ['retiring', null];
  // The lane still accepts work, because only its next send can show that the fault has ended.
  if (facts.rejection !== null && facts.fill !== 'short_of_funds')
    return ['resting', facts.rejection];
  return [facts.fill, null];
}

/** Logs each change of a lane's state or reason once. */
export class LaneStateLog {
  readonly #states = new Map<Felt, string>();

  constructor(private readonly logger: Logger) {}

  note(lanes: readonly LaneStatus[]): void {
    for (const { address, role, state, reason } of lanes) {
      // A full lane works correctly as well, so do not log changes between `full` and `ready`.
      const now = [state === 'full' ? 'ready' : state, reason ?? ''].join(' ').trim();
      const before = this.#states.get(address);
      if (now === before) continue;
      this.#states.set(address, now);
      const fields = { lane: address, role, before, now };
      if (WORKS.has(state)) this.logger.info(fields, 'a lane can accept work');
      // Every start begins in this state. The readiness verdict warns if it lasts.
      else if (before === undefined && state === 'unknown')
        this.logger.info(fields, 'a lane has not been read yet');
      else this.logger.warn(fields, 'a lane accepts no work');
    }
  }
}

const WORKS: ReadonlySet<LaneStatus['state']> = new Set(['ready', 'full']);

/** Numbers of events that should never happen, for the operator. */
export interface Alarms {
  /** Number of transactions of our accounts that no ledger of ours can have sent. */
  foreign: number;
  /** Number of settled nonces that a rollback has opened again. */
  reopened: number;
  /** Number of settled nonces that a rollback has opened again although they were final. */
  reopenedFinal: number;
  /**
   * Number of refusals that were recorded as conclusive although their transaction landed later.
   */
  disprovedRefusals: number;
  /** Number of leases that another process with the same name got before they expired. */
  sharedInstanceIds: number;
}
