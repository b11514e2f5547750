import type {
  LendingPool,
  LendingPoolReader,
  LendingPoolState,
  LendingSnapshot,
} from '../ports/lending-pool-reader.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';
import { ScriptedSource } from './scripted-sources.js';

/** A chain of numbered blocks with lending pools whose markets a test sets. */
export class InMemoryLendingPools extends ScriptedSource implements LendingPoolReader {
  readonly #states = new Map<string, LendingPoolState>();
  #block = { blockNumber: 1, timestampSeconds: 1_800_000_000 };

  set(market: LendingPool, state: LendingPoolState): void {
    this.#states.set(nameOf(market), state);
  }

  /** The next block, made at this time. */
  mine(timestampSeconds: number): void {
    this.#block = { blockNumber: this.#block.blockNumber + 1, timestampSeconds };
  }

  async readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot> {
    return this.read(() => ({
      ...this.#block,
      pools: pools.map((market) => this.#stateOf(market)),
    }));
  }

  #stateOf(market: LendingPool): LendingPoolState {
    const state = this.#states.get(nameOf(market));
    if (state === undefined) throw new FakeUpstreamDown('the pool does not have this asset');
    return state;
  }
}

function nameOf({ pool, asset }: LendingPool): string {
  return `${pool}|${asset}`;
}
