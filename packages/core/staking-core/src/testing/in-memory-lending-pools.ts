import type {
  LendingPool,
  LendingPoolReader,
  LendingPoolState,
  LendingSnapshot,
} from '../ports/lending-pool-reader.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';
import { ScriptedSource } from './scripted-sources.js';

/** Chain of numbered blocks with lending pools. A test sets the markets of the pools. */
export class InMemoryLendingPools extends ScriptedSource implements LendingPoolReader {
  readonly #states = new Map<string, LendingPoolState | null>();
  #block = { blockNumber: 1, timestampSeconds: 1_800_000_000 };

  /** @param state null for an unreadable pool */
  set(market: LendingPool, state: LendingPoolState | null): void {
    this.#states.set(nameOf(market), state);
  }

  /** Makes a block with this timestamp, in Unix seconds. */
  mine(timestampSeconds: number): void {
    this.#block = { blockNumber: this.#block.blockNumber + 1, timestampSeconds };
  }

  async readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot> {
    return this.read(() => {
      const states = pools.map((market) => this.#states.get(nameOf(market)) ?? null);
      if (states.length > 0 && states.every((state) => state === null))
        throw new FakeUpstreamDown('no pool has this asset');
      return { ...this.#block, pools: states };
    });
  }
}

function nameOf({ pool, asset }: LendingPool): string {
  return `${pool}|${asset}`;
}
