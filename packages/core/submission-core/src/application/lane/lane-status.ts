import type { Felt, Logger } from '@sotto/kernel';
import type { Lane, Quarantine } from '../../domain/rows.js';
import type { AccountProblem } from '../../ports/chain.port.js';
import type { LaneIdentity } from '../settings.js';

/** What a lane can do now. `resting`, `quarantined`, `paused` and `unknown` have a reason. */
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

/** What it last had to give away. */
export type LaneFill = Extract<LaneState, 'ready' | 'full' | 'short_of_funds' | 'unknown'>;

export interface LaneStatus extends LaneIdentity {
  readonly state: LaneState;
  /** Reason why it takes nothing, or why its sends are refused; null if neither is so. */
  readonly reason: string | null;
  /** Nonces that are undecided, as its last look showed them. */
  readonly openNonces: number;
  /** False for a lane of the ledger that is not in the settings: it is followed, and can't sign. */
  readonly isConfigured: boolean;
}

/** What a lane's state follows from. */
export interface LaneFacts extends Pick<LaneStatus, 'isConfigured' | 'isRetiring'> {
  readonly isHeld: boolean;
  /** Why the chain, as the last look showed it, allows nothing. */
  readonly obstacle: string | null;
  readonly problem: AccountProblem | null;
  /** Its row; null before it was read. */
  readonly row: Pick<Lane, 'quarantine' | 'pausedFor'> | null;
  /** Code for which the node refused the last send; null if it did not. */
  readonly refusal: string | null;
  readonly fill: LaneFill;
}

const REASONS: Readonly<Record<Quarantine['cause'], string>> = {
  behind: 'LEDGER_BEHIND_CHAIN',
  introduced: 'INTRODUCED',
};

/** The state, and the reason of one in which nothing is taken. */
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
  // It still takes work, since only the next send can show that the fault is over.
  if (facts.refusal !== null && facts.fill !== 'short_of_funds') return ['resting', facts.refusal];
  return [facts.fill, null];
}

/** Logs what a lane can do when that has changed, once, whatever the reason. */
export class LaneStateLog {
  readonly #states = new Map<Felt, string>();

  constructor(private readonly logger: Logger) {}

  note(lanes: readonly LaneStatus[]): void {
    for (const { address, role, state, reason } of lanes) {
      // A full lane is one that works.
      const now = [state === 'full' ? 'ready' : state, reason ?? ''].join(' ').trim();
      const before = this.#states.get(address);
      if (now === before) continue;
      this.#states.set(address, now);
      const fields = { lane: address, role, before, now };
      if (WORKS.has(state)) this.logger.info(fields, 'a lane can take work');
      // Every start begins so; the verdict warns of what stays.
      else if (before === undefined && state === 'unknown')
        this.logger.info(fields, 'a lane has not been read yet');
      else this.logger.warn(fields, 'a lane takes nothing');
    }
  }
}

const WORKS: ReadonlySet<LaneStatus['state']> = new Set(['ready', 'full']);

/** Things that should never happen, counted for the operator. */
export interface Alarms {
  /** Transactions of our accounts that no ledger of ours can have sent. */
  foreign: number;
  /** Settled nonces that a rollback opened again. */
  reopened: number;
  /** Settled nonces that were final, and that a rollback opened again all the same. */
  reopenedFinal: number;
  /** Refusals recorded as conclusive whose transaction landed. */
  disprovedRefusals: number;
  /** Leases that were lost to another process of the same name, before they had run out. */
  sharedInstanceIds: number;
}
