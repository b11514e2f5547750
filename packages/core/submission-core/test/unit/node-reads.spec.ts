import { afterEach, describe, expect, it } from '@jest/globals';
import type { FakeChain } from '../../src/testing/index.js';
import { World, flush } from './world.js';

const READS = ['head', 'transactionStatuses', 'blockHash', 'confirm', 'consumerOf'] as const;

/** Counts all following reads of the node by method. */
function counting(chain: FakeChain): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of READS) {
    const read: (...given: never[]) => unknown = chain[name].bind(chain);
    Object.assign(chain, {
      [name]: (...given: never[]) => {
        // Do not count reads of the first block, because they happen at intervals and not because
        // of other work.
        if (name !== 'blockHash' || given[0] !== 0) counts[name] = (counts[name] ?? 0) + 1;
        return read(...given);
      },
    });
  }
  return counts;
}

describe('reads of the node for one withdrawal', () => {
  let world: World;
  afterEach(() => world.engine.stop());

  it('a withdrawal needs one read of evidence per new head until it is final', async () => {
    world = new World();
    await world.engine.start();
    await world.round();
    const counts = counting(world.chain);
    const since = async (work: () => unknown): Promise<Record<string, number>> => {
      for (const name of Object.keys(counts)) delete counts[name];
      await work();
      await world.round();
      const { head: _heads, ...others } = counts;
      return others;
    };
    await world.submit();
    await flush();
    const costs = [
      await since(() => undefined),
      await since(() => world.chain.includeAll()),
      await since(() => world.chain.mine()),
      await since(() => undefined),
      await since(() => world.chain.acceptOnL1(1)),
    ];
    expect(costs).toEqual([
      { transactionStatuses: 1 },
      { transactionStatuses: 1, confirm: 1 },
      { confirm: 1 },
      {},
      { confirm: 1 },
    ]);
    expect(await world.last()).toMatchObject({ state: 'succeeded', isFinal: true });
    expect(await since(() => undefined)).toEqual({});
  });
});
