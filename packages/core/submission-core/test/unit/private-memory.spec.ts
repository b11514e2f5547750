import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AttemptCache } from '../../src/application/lane/attempt-cache.js';
import { InMemoryInstanceBus } from '../../src/testing/index.js';
import { LANE, World, flush, inMemory } from './world.js';

/** Long enough for a redaction, too short for a lease to be renewed or a submission to expire. */
const WIPE = { wipeIntervalMs: 2_000 };
const ONE_AT_A_TIME = { maxInFlightPerLane: 1 };

const worlds: World[] = [];
function opened(...given: ConstructorParameters<typeof World>): World {
  const world = new World(...given);
  worlds.push(world);
  return world;
}
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(worlds.splice(0).map((world) => world.engine.stop()));
});

/** Counts reads of the calldata of attempts from now on. */
function countReads({ ledger }: World): () => number {
  const spy = jest.spyOn(ledger, 'calldata');
  return () => spy.mock.calls.length;
}

/** Lets the first submission use the only slot; the second one waits with its call in memory. */
async function withOneWaiting(world: World): Promise<void> {
  await world.engine.start();
  await world.submit();
  await flush();
  expect(world.chain.sent).toHaveLength(1);
  await world.submit({ key: 'waits' });
}

async function untilItIsSent(world: World): Promise<void> {
  world.chain.includeAll();
  for (let round = 0; round < 4 && world.chain.sent.length < 2; round += 1) await world.round(500);
  expect(world.chain.sent).toHaveLength(2);
}

describe('private calls in memory', () => {
  it('are kept if a lane waits for them', async () => {
    const world = opened(ONE_AT_A_TIME);
    const reads = countReads(world);
    await withOneWaiting(world);
    await untilItIsSent(world);
    expect(reads()).toBe(0);
  });

  it('are not kept by an instance that holds no lane for them', async () => {
    const world = opened();
    const reads = countReads(world);
    await inMemory(world.ledger).registerLane(LANE, 'relay');
    const held = await world.ledger.lease(LANE, 'another', 15_000);
    await world.engine.start();
    await world.submit();
    await world.ledger.unlease(LANE, 'another', held?.fence ?? -1n);
    await world.round();
    expect(world.chain.sent).toHaveLength(1);
    expect(reads()).toBe(1);
  });

  it('are dropped with each redaction, independent of the instance that ended the attempt', async () => {
    const world = opened({ ...ONE_AT_A_TIME, ...WIPE });
    const reads = countReads(world);
    await withOneWaiting(world);
    for (let ms = 0; ms <= WIPE.wipeIntervalMs; ms += 500) await world.round(500);
    await untilItIsSent(world);
    expect(reads()).toBe(1);
  });

  it('are dropped with the lease', async () => {
    const world = opened(ONE_AT_A_TIME);
    const reads = countReads(world);
    await withOneWaiting(world);
    await world.ledger.unlease(LANE, 'one', 1n);
    const held = await world.ledger.lease(LANE, 'another', 15_000);
    for (let ms = 0; ms <= 5_000; ms += 500) await world.round(500);
    expect(world.engine.status().lanes).toMatchObject([{ state: 'held_elsewhere' }]);
    await world.ledger.unlease(LANE, 'another', held?.fence ?? -1n);
    await world.round();
    await untilItIsSent(world);
    expect(reads()).toBe(1);
  });

  it('are dropped when another instance has changed the attempt, and at the end', async () => {
    const bus = new InMemoryInstanceBus();
    const world = opened(ONE_AT_A_TIME, undefined, bus.instance());
    const [forgetOne, forgetAll] = [
      jest.spyOn(AttemptCache.prototype, 'forgetCall'),
      jest.spyOn(AttemptCache.prototype, 'forgetCalls'),
    ];
    await withOneWaiting(world);
    bus.instance().tell({ kind: 'changed', id: 'of another' });
    await flush();
    expect(forgetOne.mock.calls).toContainEqual(['of another']);
    const before = forgetAll.mock.calls.length;
    await world.engine.stop();
    expect(forgetAll.mock.calls.length).toBe(before + 1);
  });
});
