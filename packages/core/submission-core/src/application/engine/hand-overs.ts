import { runIsolated, type Felt } from '@sotto/kernel';
import type { MachineDependencies } from '../dependencies.js';
import type { FairLanes } from '../lane/fair-lanes.js';
import { handOver } from '../lane/hand-over.js';
import type { LaneWorker } from '../lane/lane-worker.js';
import type { LedgerJudge } from '../ledger/ledger-judge.js';

/** Minimum time between two tries to hand over the same lane, in ms. */
const DISTANCE_MS = 5_000;

export interface HandOversParts {
  readonly deps: Pick<MachineDependencies, 'clock' | 'logger'>;
  readonly shares: Pick<FairLanes, 'handOvers' | 'handedOver'>;
  readonly judge: Pick<LedgerJudge, 'waitsForNode'>;
  readonly workers: () => readonly LaneWorker[];
}

/** Hands lanes over to other instances, as the shares of the lanes require. */
export class HandOvers {
  readonly #underway = new Map<Felt, Promise<unknown>>();
  /** Time before which no further hand-over of a lane is tried, in ms. */
  readonly #nextMs = new Map<Felt, number>();

  constructor(private readonly parts: HandOversParts) {}

  /** Begins the hand-overs that are due. Polls do not wait for them. */
  begin(): void {
    const { deps, shares, judge, workers } = this.parts;
    const nowMs = deps.clock.monotonicMs();
    for (const due of shares.handOvers()) {
      const { address, to } = due;
      const lane = workers().find((worker) => worker.lane.address === address)?.lane;
      if (lane?.isHeld !== true || this.#underway.has(address)) continue;
      if (nowMs < (this.#nextMs.get(address) ?? 0)) continue;
      this.#nextMs.set(address, nowMs + DISTANCE_MS);
      const what = 'handing a lane over';
      const underway = runIsolated(
        deps.logger,
        'submission work',
        { what, lane: address },
        async () => {
          if (await handOver(lane, to)) shares.handedOver(due, judge);
        },
      ).finally(() => this.#underway.delete(address));
      this.#underway.set(address, underway);
    }
  }

  /** Resolves when no hand-over runs. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#underway.values());
  }
}
