import { beforeEach, describe, expect, it } from '@jest/globals';
import { World } from '../support/world.js';

const ALERT = { code: 'HEAD_TOO_OLD', component: 'node' };

describe('alerts', () => {
  let world: World;
  let startMs: number;
  beforeEach(() => {
    world = new World();
    startMs = world.clock.nowMs();
  });

  /** One instance or more look every five seconds, and what is due is delivered. */
  const go = async (seconds: number, watches = [world.watch()]): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 5) {
      for (const watch of watches) await watch.run();
      await world.pass(5_000);
    }
  };
  const at = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString();

  it('says code, component, state and time, once raised and once resolved', async () => {
    const watch = [world.watch()];
    world.source.standing = [ALERT];
    await go(120, watch);
    world.source.standing = [];
    await go(120, watch);
    expect(world.sender.bodies()).toEqual([
      { ...ALERT, state: 'raised', at: at(0) },
      { ...ALERT, state: 'resolved', at: at(115) },
    ]);
    expect(world.sender.sent.map(({ endpoint }) => endpoint)).toEqual(['pager', 'pager']);
    expect(await world.book.count('pager')).toBe(0);
  });

  it('says nothing of what does not last', async () => {
    world.source.standing = [ALERT];
    await go(25);
    world.source.standing = [];
    await go(300);
    expect(world.sender.sent).toEqual([]);
    expect(await world.book.count('pager')).toBe(0);
  });

  it('makes one message of an alert that flaps', async () => {
    const watch = [world.watch()];
    for (let round = 0; round < 20; round += 1) {
      world.source.standing = [ALERT];
      await go(20, watch);
      world.source.standing = [];
      await go(30, watch);
    }
    expect(world.states()).toEqual(['raised']);
  });

  it('makes a message of its own when it is raised again', async () => {
    const watch = [world.watch()];
    for (let round = 0; round < 2; round += 1) {
      world.source.standing = [ALERT];
      await go(120, watch);
      world.source.standing = [];
      await go(120, watch);
    }
    expect(world.states()).toEqual(['raised', 'resolved', 'raised', 'resolved']);
    expect(new Set(world.ids()).size).toBe(4);
  });

  it('makes one message of what several instances see, and resolves it when none does', async () => {
    world.source.standing = [ALERT];
    await go(120, [world.watch('a'), world.watch('b')]);
    const alone = [world.watch('b')];
    await go(120, alone);
    expect(world.states()).toEqual(['raised']);
    world.source.standing = [];
    await go(120, alone);
    expect(world.states()).toEqual(['raised', 'resolved']);
  });

  it('does not resolve what can not be read', async () => {
    const watch = [world.watch()];
    world.source.standing = [ALERT];
    await go(60, watch);
    world.source.failure = new Error('the verdict is not known');
    await go(300, watch);
    expect(world.states()).toEqual(['raised']);
  });
});
