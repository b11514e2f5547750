import { describe, expect, it } from '@jest/globals';
import { QueueFull } from '../../src/index.js';
import { World, flush, submission } from './world.js';

const { key } = submission();

/** Full by what waits, of which the last attempt has ended; nothing runs. */
async function full(end: 'succeeded' | 'refused'): Promise<World> {
  const world = new World({}, undefined, undefined, { maxWaitingPerRole: 1 });
  const last = world.ledger.lastAttempt.bind(world.ledger);
  await world.submit();
  world.ledger.lastAttempt = async (of) => {
    const attempt = await last(of);
    return attempt === null ? null : { ...attempt, state: end };
  };
  return world;
}

describe('a full queue', () => {
  it('turns away who asks again for what has ended without success', async () => {
    await expect((await full('refused')).submit()).rejects.toThrow(QueueFull);
  });

  it('tells what has succeeded to whoever asks', async () => {
    expect(await (await full('succeeded')).submit()).toMatchObject({ kind: 'same' });
  });
});

describe('the service', () => {
  it('tells the last attempt under a key', async () => {
    const world = new World();
    expect(await world.service.last(key)).toBeNull();
    const { attempt } = await world.submit();
    expect(await world.service.last(key)).toEqual(attempt);
  });

  it('takes no request for accepted of which the ledger wrote nothing', async () => {
    const world = new World();
    world.ledger.record = async () => ({ written: false, because: 'already_live', attempt: null });
    await expect(world.submit()).rejects.toThrow('without an attempt');
  });
});

describe('who waits', () => {
  it('for nothing that exists hears so', async () => {
    await expect(new World().service.waitFor('nobody', 0)).rejects.toThrow('does not exist');
  });

  it('for no time at all is answered at once', async () => {
    const world = new World();
    const { attempt } = await world.submit();
    expect(await world.service.waitFor(attempt.id, 0)).toMatchObject({ kind: 'undecided' });
    expect(world.clock.sleeping).toBe(0);
  });

  it('waits on while nobody has called it off', async () => {
    const world = new World();
    const { attempt } = await world.submit();
    let isOver = false;
    const wait = async (): Promise<void> => {
      await world.service.waitFor(attempt.id, 2_000, new AbortController().signal);
      isOver = true;
    };
    const waiting = wait();
    await flush();
    expect(isOver).toBe(false);
    for (let second = 0; second < 2; second += 1) {
      world.clock.advance(1_000);
      await flush();
    }
    await waiting;
    expect(isOver).toBe(true);
  });

  it('sleeps once, however often something has changed', async () => {
    const world = new World();
    const { attempt } = await world.submit();
    const waiting = world.service.waitFor(attempt.id, 500);
    for (let change = 0; change < 3; change += 1) {
      await flush();
      world.changes.changed(attempt.id);
    }
    await flush();
    expect(world.clock.sleeping).toBe(1);
    world.clock.advance(500);
    await waiting;
  });
});
