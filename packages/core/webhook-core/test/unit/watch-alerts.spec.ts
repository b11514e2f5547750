import { beforeEach, describe, expect, it } from '@jest/globals';
import { AlertMemory, type WatchAlerts } from '../../src/index.js';
import { HOLDS, SOON, World } from '../support/world.js';

const ALERT = { code: 'HEAD_TOO_OLD', component: 'node' };

/** Advances the clock while the store is unavailable, and expects every run to reject. */
async function awayIn(world: World, seconds: number, watch: WatchAlerts): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    await expect(watch.run()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
    await expect(world.pass(5_000)).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
  }
}

describe('WatchAlerts', () => {
  let world: World;
  let startMs: number;
  beforeEach(() => {
    world = new World();
    startMs = world.clock.nowMs();
  });

  /**
   * Repeats for this many seconds: runs the given alert watchers every five seconds, and delivers
   * due messages.
   */
  const go = async (seconds: number, watches = [world.watch()]): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 5) {
      for (const watch of watches) await watch.run();
      await world.pass(5_000);
    }
  };
  const away = (seconds: number, watch: WatchAlerts) => awayIn(world, seconds, watch);
  const at = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString();

  it('sends one message when an alert is raised and one message when the alert is resolved', async () => {
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
    expect(await world.store.count('pager')).toBe(0);
  });

  it('sends nothing about an alert that ends before its minimum duration', async () => {
    world.source.standing = [ALERT];
    await go(25);
    world.source.standing = [];
    await go(300);
    expect(world.sender.sent).toEqual([]);
    expect(await world.store.count('pager')).toBe(0);
  });

  it.each([
    { what: 'the short hold', alert: SOON, holdMs: 5_000 },
    { what: 'the long hold', alert: ALERT, holdMs: 30_000 },
  ])(
    'sends an alert only after the end of the alert’s minimum duration: $what',
    async ({ alert, holdMs }) => {
      const watch = world.watch();
      world.source.standing = [alert];
      await watch.run();
      world.clock.advance(holdMs - 1);
      await watch.run();
      await world.run();
      expect(world.sender.sent).toEqual([]);
      world.clock.advance(1);
      await watch.run();
      // Deliveries start one second after the first check at the earliest.
      await world.pass(999);
      expect(world.sender.bodies()).toEqual([{ ...alert, state: 'raised', at: at(0) }]);
    },
  );

  it('sends one message for an alert with a short minimum duration that repeatedly ends and returns', async () => {
    const watch = [world.watch()];
    for (let round = 0; round < 20; round += 1) {
      world.source.standing = [SOON];
      await go(5, watch);
      world.source.standing = [];
      await go(30, watch);
    }
    await go(120, watch);
    expect(world.states()).toEqual(['raised', 'resolved']);
  });

  it('sends nothing about a repeated alert that always ends before its minimum duration', async () => {
    const watch = world.watch();
    for (let round = 0; round < 5; round += 1) {
      world.source.standing = [SOON];
      await watch.run();
      await world.pass(4_999);
      await watch.run();
      world.source.standing = [];
      await go(120, [watch]);
    }
    expect(world.sender.sent).toEqual([]);
  });

  it('sends one message for an alert with a long minimum duration that repeatedly ends and returns', async () => {
    const watch = [world.watch()];
    for (let round = 0; round < 20; round += 1) {
      world.source.standing = [ALERT];
      await go(20, watch);
      world.source.standing = [];
      await go(30, watch);
    }
    expect(world.states()).toEqual(['raised']);
  });

  it('sends a separate message when a resolved alert is raised again', async () => {
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

  it('resolves an alert only when no instance reports the alert any more', async () => {
    world.source.standing = [ALERT];
    await go(120, [world.watch('a'), world.watch('b')]);
    const alone = [world.watch('b')];
    await go(120, alone);
    expect(world.states()).toEqual(['raised']);
    world.source.standing = [];
    await go(120, alone);
    expect(world.states()).toEqual(['raised', 'resolved']);
  });

  it('does not resolve an alert while the current alerts can’t be read', async () => {
    const watch = [world.watch()];
    world.source.standing = [ALERT];
    await go(60, watch);
    world.source.failure = new Error('the verdict is not known');
    await go(300, watch);
    expect(world.states()).toEqual(['raised']);
  });

  it('stores an alert once if two checks of one component report it', async () => {
    const noted: unknown[] = [];
    world.alerts.note = async (_instance, alerts) => void noted.push(alerts);
    world.source.standing = [ALERT, ALERT];
    await world.watch().run();
    expect(noted).toEqual([[{ ...ALERT, standsMs: 0 }]]);
  });

  it('reads the delivery rows of all alerts in one call, and adds missing rows', async () => {
    const { store } = world;
    const requested: string[] = [];
    const [read, add] = [store.ofKind.bind(store), store.add.bind(store)];
    store.ofKind = (kind) => (requested.push(kind), read(kind));
    store.add = (...row) => (requested.push('add'), add(...row));
    const watch = world.watch();
    await watch.run();
    expect(requested.splice(0)).toEqual([]);
    world.source.standing = [ALERT, { ...ALERT, component: 'another' }];
    await watch.run();
    expect(requested.splice(0)).toEqual(['alert', 'add', 'add', 'alert']);
    await watch.run();
    expect(requested).toEqual(['alert']);
  });

  it('an active alert is not resolved if deliveries resume after a store outage earlier than the alert checks', async () => {
    const watch = world.watch();
    world.source.standing = [ALERT];
    await go(60, [watch]);
    world.setStoreAway(true);
    await away(300, watch);
    world.setStoreAway(false);
    await world.run();
    await go(300, [watch]);
    expect(world.states()).toEqual(['raised']);
  });

  it('an alert is not resolved after a store outage if another instance reaches the store later and still reports it', async () => {
    const [one, other] = [world.watch('a'), world.watch('b', new AlertMemory(world.clock, HOLDS))];
    world.source.standing = [ALERT];
    await go(60, [other]);
    world.setStoreAway(true);
    world.source.standing = [];
    await away(120, one);
    world.setStoreAway(false);
    await go(30, [one]);
    world.source.standing = [ALERT];
    await go(120, [other]);
    expect(world.states()).toEqual(['raised']);
  });

  it('an active alert is not resolved because the process was paused for a long time', async () => {
    world.source.standing = [ALERT];
    await go(60);
    await world.pass(120_000);
    await go(120);
    expect(world.states()).toEqual(['raised']);
  });
});

const STORE = { code: 'STORE_NOT_WRITABLE', component: 'store' };

describe('alerts while the store is unavailable', () => {
  let world: World;
  let watch: WatchAlerts;
  beforeEach(() => {
    world = new World();
    watch = world.watch();
  });

  const back = async (seconds: number): Promise<void> => {
    world.setStoreAway(false);
    for (let passed = 0; passed < seconds; passed += 5) {
      await watch.run();
      await world.pass(5_000);
    }
  };
  const breaks = async (seconds: number, standing = [STORE]): Promise<void> => {
    world.setStoreAway(true);
    world.source.standing = standing;
    await awayIn(world, seconds, watch);
  };

  it('alerts are sent from memory during a store outage, and are resolved by the stored row afterwards', async () => {
    await back(60);
    await breaks(120);
    expect(world.sender.bodies()).toMatchObject([{ ...STORE, state: 'raised' }]);
    world.source.standing = [];
    await back(120);
    expect(world.states()).toEqual(['raised', 'resolved']);
    const [raised = '', resolved] = world.ids();
    expect(resolved).toBe(raised.replace(/\.1$/, '.2'));
    await back(300);
    expect(world.sender.sent).toHaveLength(2);
    expect(await world.store.count('pager')).toBe(0);
  });

  it('an alert has the same message id each time if the store fails repeatedly', async () => {
    await back(60);
    for (let round = 0; round < 5; round += 1) {
      await breaks(60);
      await back(20);
    }
    expect(new Set(world.ids()).size).toBe(1);
    expect(new Set(world.states())).toEqual(new Set(['raised']));
  });

  it('an undelivered alert is retried from memory at growing intervals during a store outage', async () => {
    await back(60);
    world.sender.result = { ok: false, failure: 'UNREACHABLE', retryAfterMs: null };
    await breaks(60);
    expect(world.sender.sent.length).toBeGreaterThan(1);
    world.sender.result = { ok: true };
    await back(60);
    expect(new Set(world.ids()).size).toBe(1);
    expect(world.count('DELIVERED', 'pager')).toBe(1);
  });

  it('an alert that was delivered just before a store outage is not sent again', async () => {
    world.source.standing = [ALERT];
    await back(35);
    // The delivery happens in this second, and no check follows that could read the delivery from
    // the store.
    await world.pass(1_000);
    expect(world.states()).toEqual(['raised']);
    await breaks(120, [ALERT]);
    await back(120);
    expect(new Set(world.ids()).size).toBe(1);
  });

  it('an alert is not resolved from memory during a store outage, because other instances may still report it', async () => {
    world.source.standing = [ALERT];
    await back(60);
    await breaks(60, [ALERT]);
    await breaks(300, []);
    expect(world.states()).toEqual(['raised']);
    await back(180);
    expect(world.states()).toEqual(['raised', 'resolved']);
  });

  it('a process that has not reached the store since its start also sends alerts', async () => {
    await breaks(60);
    expect(world.states()).toEqual(['raised']);
  });

  it('the memory for store outages stores at most 200 alert rows per endpoint', async () => {
    const many = Array.from({ length: 5_000 }, (_, i) => ({ code: 'X', component: `c${i}` }));
    await breaks(60, many);
    expect(await world.memory.store.count('pager')).toBe(200);
  });
});
