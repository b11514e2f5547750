import type { Felt, Logger } from '@sotto/kernel';
import type { LaneStatus } from './lane-status.js';

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
