import { beforeEach, describe, expect, it } from '@jest/globals';
import { Deferred, HASH, PENDING, World, executed, rejected } from '../support/world.js';

const FAILED = { ok: false, failure: 'STATUS_REFUSED', retryAfterMs: null } as const;
const HOUR_MS = 3_600_000;

describe('DeliverToEndpoint', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.notify();
  });

  it('sends no message before the rows contain an outcome', async () => {
    await world.becomes(PENDING);
    expect(world.sender.sent).toEqual([]);
  });

  it('sends only id, state, transaction hash and progress', async () => {
    await world.becomes(executed('PRE_CONFIRMED'));
    expect(world.sender.bodies()).toEqual([
      { id: 's1', state: 'preconfirmed_succeeded', hash: HASH, progress: 'preconfirmed' },
    ]);
    expect(world.sender.sent[0]?.endpoint).toBe('shop');
  });

  it('sends each state once under a separate message id, and removes the row after the last state', async () => {
    for (const finality of ['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1'] as const) {
      await world.becomes(executed(finality, 'REVERTED'));
      await world.pass(10 * 60_000);
    }
    expect(world.states()).toEqual(['preconfirmed_reverted', 'reverted', 'final_reverted']);
    expect(new Set(world.ids()).size).toBe(3);
    expect(await world.store.count('shop')).toBe(0);
  });

  it('reports an undone outcome, and the later outcome', async () => {
    await world.becomes(executed('ACCEPTED_ON_L2'));
    await world.becomes(PENDING);
    await world.becomes(executed('ACCEPTED_ON_L2', 'REVERTED'));
    expect(world.states()).toEqual(['succeeded', 'undone', 'reverted']);
    expect(world.sender.bodies()[1]).toEqual({
      id: 's1',
      state: 'undone',
      hash: null,
      progress: 'received',
    });
  });

  it.each(['refused', 'expired'] as const)(
    'reports %s without a hash, and still reports an outcome after a rollback',
    async (state) => {
      await world.becomes(rejected(state, world.clock.nowMs()));
      expect(world.sender.bodies()).toEqual([{ id: 's1', state, hash: null, progress: 'settled' }]);
      await world.becomes(executed('ACCEPTED_ON_L2'));
      expect(world.states()).toEqual([state, 'succeeded']);
    },
  );

  it('T5: corrects a delivered expiry with the outcome that a restored ledger has read from the chain', async () => {
    await world.becomes(rejected('expired', world.clock.nowMs()));
    await world.becomes(executed('ACCEPTED_ON_L1'));
    expect(world.sender.bodies()).toEqual([
      { id: 's1', state: 'expired', hash: null, progress: 'settled' },
      { id: 's1', state: 'final_succeeded', hash: HASH, progress: 'settled' },
    ]);
    expect(new Set(world.ids()).size).toBe(2);
    expect(await world.store.count('shop')).toBe(0);
  });

  it('removes the row of a rejected submission after a day', async () => {
    await world.becomes(rejected('expired', world.clock.nowMs()));
    expect(await world.store.count('shop')).toBe(1);
    await world.pass(25 * HOUR_MS);
    expect(await world.store.count('shop')).toBe(0);
    expect(world.states()).toEqual(['expired']);
  });

  it('removes the row of a submission that no longer exists', async () => {
    world.answers.delete('s1');
    await world.run();
    expect(await world.store.count('shop')).toBe(0);
  });

  it('O11: delivers messages claimed by a killed process at once after a restart', async () => {
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.store.claim('shop', { limit: 1, leaseMs: HOUR_MS });
    await world.instance().run(new AbortController().signal);
    expect(world.states()).toEqual(['succeeded']);
  });

  it('O11: delivers messages in back-off at once after a restart', async () => {
    world.sender.result = FAILED;
    await world.becomes(executed('ACCEPTED_ON_L2'));
    for (let i = 0; i < 5; i += 1) await world.pass(10 * 60_000);
    const tries = world.sender.sent.length;
    world.sender.result = { ok: true };
    await world.run();
    expect(world.sender.sent.length).toBe(tries);
    await world.instance().run(new AbortController().signal);
    expect(world.sender.sent.length).toBe(tries + 1);
    expect(new Set(world.ids()).size).toBe(1);
  });

  it('O11: tries only a few messages after a restart if the receiver is still unavailable', async () => {
    for (let i = 2; i <= 20; i += 1) {
      await world.notify(`s${i}`);
      world.answers.set(`s${i}`, executed('ACCEPTED_ON_L2'));
    }
    world.sender.result = FAILED;
    await world.becomes(executed('ACCEPTED_ON_L2'));
    const before = world.sender.sent.length;
    const restarted = world.instance();
    for (let i = 0; i < 5; i += 1) await restarted.run(new AbortController().signal);
    expect(world.sender.sent.length - before).toBe(4);
  });

  it('repeats a message under its id at growing intervals until the receiver confirms it', async () => {
    world.sender.result = FAILED;
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.run();
    await world.pass(4_999);
    expect(world.sender.sent).toHaveLength(1);
    await world.pass(1);
    await world.pass(9_999);
    expect(world.sender.sent).toHaveLength(2);
    world.sender.result = { ok: true };
    await world.pass(1);
    await world.pass(HOUR_MS);
    expect(world.states()).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(new Set(world.ids()).size).toBe(1);
    expect(world.count('STATUS_REFUSED')).toBe(2);
    expect(world.count('DELIVERED')).toBe(1);
  });

  it('waits for the time that the receiver requests, but at most an hour', async () => {
    world.sender.result = { ...FAILED, retryAfterMs: 120_000 };
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.run();
    await world.pass(119_999);
    expect(world.sender.sent).toHaveLength(1);
    world.sender.result = { ...FAILED, retryAfterMs: 100 * HOUR_MS };
    await world.pass(1);
    await world.pass(HOUR_MS - 1);
    expect(world.sender.sent).toHaveLength(2);
    await world.pass(1);
    expect(world.sender.sent).toHaveLength(3);
  });

  it('drops a message after 24 hours, counts it as dropped, and continues with the next state', async () => {
    world.sender.result = FAILED;
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    for (let hours = 0; hours < 24; hours += 1) await world.pass(HOUR_MS);
    expect(world.count('DROPPED')).toBe(0);
    await world.pass(HOUR_MS);
    expect(world.count('DROPPED')).toBe(1);
    const tries = world.sender.sent.length;
    await world.pass(HOUR_MS);
    expect(world.sender.sent).toHaveLength(tries);
    expect(world.count('DROPPED')).toBe(1);
    world.sender.result = { ok: true };
    await world.pass(HOUR_MS);
    await world.becomes(executed('ACCEPTED_ON_L1'));
    expect(world.states().at(-1)).toBe('final_succeeded');
  });

  it('tries a message older than 24 hours once more if no instance ran since or a clock was changed', async () => {
    world.sender.result = FAILED;
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.run();
    world.sender.result = { ok: true };
    await world.pass(30 * HOUR_MS);
    expect([world.count('DELIVERED'), world.count('DROPPED')]).toEqual([1, 0]);
    expect(new Set(world.ids()).size).toBe(1);
  });

  it('drops a message older than 24 hours if its last attempt fails', async () => {
    world.sender.result = FAILED;
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.run();
    await world.pass(30 * HOUR_MS);
    expect([world.count('STATUS_REFUSED'), world.count('DROPPED')]).toEqual([2, 1]);
    await world.pass(HOUR_MS);
    expect(world.sender.sent).toHaveLength(2);
  });

  it('does not deliver a state that has changed before its delivery', async () => {
    world.sender.result = FAILED;
    await world.becomes(executed('PRE_CONFIRMED'));
    world.sender.result = { ok: true };
    await world.becomes(executed('ACCEPTED_ON_L1'));
    expect(world.states()).toEqual(['preconfirmed_succeeded', 'final_succeeded']);
  });

  it('sends the delivered state again after a failed message of another state, which may have arrived', async () => {
    await world.becomes(executed('ACCEPTED_ON_L2'));
    world.sender.result = { ok: false, failure: 'TIMED_OUT', retryAfterMs: null };
    await world.becomes(PENDING);
    world.sender.result = { ok: true };
    await world.becomes(executed('ACCEPTED_ON_L2'));
    expect(world.states()).toEqual(['succeeded', 'undone', 'succeeded']);
    expect(new Set(world.ids()).size).toBe(3);
  });

  it('reports an outcome as undone if a message about the outcome may have arrived', async () => {
    world.sender.result = { ok: false, failure: 'TIMED_OUT', retryAfterMs: null };
    await world.becomes(executed('PRE_CONFIRMED'));
    world.sender.result = { ok: true };
    await world.becomes(PENDING);
    expect(world.states()).toEqual(['preconfirmed_succeeded', 'undone']);
  });

  it('delivers each message only once with two concurrent instances', async () => {
    for (let i = 2; i < 20; i += 1) {
      world.answers.set(`s${i}`, executed('ACCEPTED_ON_L1'));
      await world.notify(`s${i}`);
    }
    const { signal } = new AbortController();
    await Promise.all([world.instance().run(signal), world.instance().run(signal)]);
    expect(new Set(world.ids()).size).toBe(18);
    expect(world.sender.sent).toHaveLength(18);
  });

  it('repeats a message under the same id after a restart during an attempt', async () => {
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    const stopping = new AbortController();
    world.sender.result = { ok: false, failure: 'UNREACHABLE', retryAfterMs: null };
    world.sender.onSend = async () => stopping.abort();
    await world.instance().run(stopping.signal);
    world.sender.onSend = async () => {};
    world.sender.result = { ok: true };
    await world.instance().run(new AbortController().signal);
    expect(world.sender.sent).toHaveLength(2);
    expect(new Set(world.ids()).size).toBe(1);
    expect(world.count('UNREACHABLE')).toBe(0);
  });

  it('repeats the message of a killed process after the lease of its row has expired', async () => {
    world.answers.delete('s1');
    await world.run();
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.notify();
    const [delivery] = await world.store.claim('shop', { limit: 1, leaseMs: 60_000 });
    if (delivery === undefined) throw new Error('no row was due');
    const killed = await world.store.want(delivery, 'succeeded', 60_000);
    await world.pass(59_999);
    expect(world.sender.sent).toEqual([]);
    await world.pass(1);
    expect(world.ids()).toEqual([`msg_${killed?.id}.1`]);
  });

  it('sends at most four concurrent messages to an endpoint', async () => {
    let underWay = 0;
    let most = 0;
    const gate = new Deferred();
    world.sender.onSend = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 4) gate.open();
      await gate.opened;
      underWay -= 1;
    };
    for (let i = 2; i < 20; i += 1) {
      world.answers.set(`s${i}`, executed('ACCEPTED_ON_L1'));
      await world.notify(`s${i}`);
    }
    world.answers.set('s1', executed('ACCEPTED_ON_L1'));
    await world.run();
    expect(most).toBe(4);
    expect(world.sender.sent).toHaveLength(19);
  });

  it('pauses deliveries to an endpoint that does not answer, then tries a single message first', async () => {
    for (let i = 2; i < 20; i += 1) {
      world.answers.set(`s${i}`, executed('ACCEPTED_ON_L1'));
      await world.notify(`s${i}`);
    }
    world.sender.result = { ok: false, failure: 'UNREACHABLE', retryAfterMs: null };
    world.answers.set('s1', executed('ACCEPTED_ON_L1'));
    await world.run();
    expect(world.sender.sent).toHaveLength(4);
    await world.run();
    expect(world.sender.sent).toHaveLength(4);
    await world.pass(60_000);
    expect(world.sender.sent).toHaveLength(5);
    world.sender.result = { ok: true };
    await world.pass(300_000);
    expect(await world.store.count('shop')).toBe(0);
  });

  it('tries a receiver that responds with "gone" again after an hour', async () => {
    world.sender.result = { ok: false, failure: 'GONE', retryAfterMs: null };
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.run();
    await world.pass(HOUR_MS - 1);
    expect(world.sender.sent).toHaveLength(1);
    await world.pass(1);
    expect(world.sender.sent).toHaveLength(2);
  });

  it('rejects while the store is unavailable, and continues afterwards', async () => {
    world.answers.set('s1', executed('ACCEPTED_ON_L1'));
    world.store.fail();
    await expect(world.run()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
    world.store.fail(null);
    await world.run();
    expect(world.states()).toEqual(['final_succeeded']);
  });
});
