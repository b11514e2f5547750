import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AttemptCache } from '../../src/application/lane/attempt-cache.js';
import { InMemoryInstanceBus } from '../../src/testing/index.js';
import { LANE, World, flush, inMemory } from './world.js';

/**
 * Settings with a redaction interval that is shorter than the time until a lease is renewed or a
 * submission expires.
 */
const WIPE = { redactionIntervalMs: 2_000 };
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

/** Counts all following reads of attempts' calldata. */
function countReads({ ledger }: World): () => number {
  const spy = jest.spyOn(ledger, 'calldata');
  return () => spy.mock.calls.length;
}

/**
 * Submits two calls. The first call uses the only slot. The second call waits, with its calldata in
 * memory.
 */
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
  it('a call remains in memory while its attempt waits for a lane of this instance', async () => {
    const world = opened(ONE_AT_A_TIME);
    const reads = countReads(world);
    await withOneWaiting(world);
    await untilItIsSent(world);
    expect(reads()).toBe(0);
  });

  it('a call is not stored in memory if this instance holds no lane of its role', async () => {
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

  it('every redaction drops the calls in memory, whichever instance has ended the attempt', async () => {
    const world = opened({ ...ONE_AT_A_TIME, ...WIPE });
    const reads = countReads(world);
    await withOneWaiting(world);
    for (let ms = 0; ms <= WIPE.redactionIntervalMs; ms += 500) await world.round(500);
    await untilItIsSent(world);
    expect(reads()).toBe(1);
  });

  it('the calls of a lane are dropped from memory when this instance loses the lane’s lease', async () => {
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

  it('a call is dropped from memory when another instance has changed its attempt', async () => {
    const bus = new InMemoryInstanceBus();
    const world = opened(ONE_AT_A_TIME, undefined, bus.instance());
    const [forgetOne, forgetAll] = [
      jest.spyOn(AttemptCache.prototype, 'forgetCall'),
      jest.spyOn(AttemptCache.prototype, 'forgetCalls'),
    ];
    await withOneWaiting(world);
    bus.instance().report({ kind: 'changed', id: 'of another' });
    await flush();
    expect(forgetOne.mock.calls).toContainEqual(['of another']);
    const before = forgetAll.mock.calls.length;
    await world.engine.stop();
    expect(forgetAll.mock.calls.length).toBe(before + 1);
  });
});
