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

  it('sends no message before the ledger contains an outcome of the submission', async () => {
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

  it('sends one message with its own id for each state of a submission', async () => {
    for (const finality of ['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1'] as const) {
      await world.becomes(executed(finality, 'REVERTED'));
      await world.pass(10 * 60_000);
    }
    expect(world.states()).toEqual(['preconfirmed_reverted', 'reverted', 'final_reverted']);
    expect(new Set(world.ids()).size).toBe(3);
    expect(await world.store.count('shop')).toBe(0);
  });

  it('reports that the outcome of a submission was undone', async () => {
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
    'reports the state %s without a transaction hash',
    async (state) => {
      await world.becomes(rejected(state, world.clock.nowMs()));
      expect(world.sender.bodies()).toEqual([{ id: 's1', state, hash: null, progress: 'settled' }]);
      await world.becomes(executed('ACCEPTED_ON_L2'));
      expect(world.states()).toEqual([state, 'succeeded']);
    },
  );

  it('T5: corrects the delivered state `expired` if a restored ledger later reads another outcome from the chain', async () => {
    await world.becomes(rejected('expired', world.clock.nowMs()));
    await world.becomes(executed('ACCEPTED_ON_L1'));
    expect(world.sender.bodies()).toEqual([
      { id: 's1', state: 'expired', hash: null, progress: 'settled' },
      { id: 's1', state: 'final_succeeded', hash: HASH, progress: 'settled' },
    ]);
    expect(new Set(world.ids()).size).toBe(2);
    expect(await world.store.count('shop')).toBe(0);
  });

  it('removes the delivery row of a rejected submission after a day', async () => {
    await world.becomes(rejected('expired', world.clock.nowMs()));
    expect(await world.store.count('shop')).toBe(1);
    await world.pass(25 * HOUR_MS);
    expect(await world.store.count('shop')).toBe(0);
    expect(world.states()).toEqual(['expired']);
  });

  it('removes the delivery row of a submission that no longer exists', async () => {
    world.answers.delete('s1');
    await world.run();
    expect(await world.store.count('shop')).toBe(0);
  });

  it('O11: after a restart, delivers at once the messages that a killed process had claimed', async () => {
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.store.claim('shop', { limit: 1, leaseMs: HOUR_MS });
    await world.instance().run(new AbortController().signal);
    expect(world.states()).toEqual(['succeeded']);
  });

  it('O11: after a restart, delivers at once the messages that were in back-off', async () => {
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

  it('O11: only four messages are tried after a restart if the receiver is still unavailable', async () => {
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

  it('repeats a message with the same id at growing intervals until the receiver confirms it', async () => {
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

  it('waits for the time in the receiver’s Retry-After before the next attempt, but at most an hour', async () => {
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

  it('a message that was undelivered for 24 hours is dropped', async () => {
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

  it('a message that is older than 24 hours is tried once more', async () => {
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

  it('only the new state is delivered if the submission’s state changes before the delivery', async () => {
    world.sender.result = FAILED;
    await world.becomes(executed('PRE_CONFIRMED'));
    world.sender.result = { ok: true };
    await world.becomes(executed('ACCEPTED_ON_L1'));
    expect(world.states()).toEqual(['preconfirmed_succeeded', 'final_succeeded']);
  });

  it('a delivered state is sent again if a message about a different state may have arrived since then', async () => {
    await world.becomes(executed('ACCEPTED_ON_L2'));
    world.sender.result = { ok: false, failure: 'TIMED_OUT', retryAfterMs: null };
    await world.becomes(PENDING);
    world.sender.result = { ok: true };
    await world.becomes(executed('ACCEPTED_ON_L2'));
    expect(world.states()).toEqual(['succeeded', 'undone', 'succeeded']);
    expect(new Set(world.ids()).size).toBe(3);
  });

  it('an outcome is reported as undone if a message about it may have arrived', async () => {
    world.sender.result = { ok: false, failure: 'TIMED_OUT', retryAfterMs: null };
    await world.becomes(executed('PRE_CONFIRMED'));
    world.sender.result = { ok: true };
    await world.becomes(PENDING);
    expect(world.states()).toEqual(['preconfirmed_succeeded', 'undone']);
  });

  it('two concurrent instances deliver each message only once', async () => {
    for (let i = 2; i < 20; i += 1) {
      world.answers.set(`s${i}`, executed('ACCEPTED_ON_L1'));
      await world.notify(`s${i}`);
    }
    const { signal } = new AbortController();
    await Promise.all([world.instance().run(signal), world.instance().run(signal)]);
    expect(new Set(world.ids()).size).toBe(18);
    expect(world.sender.sent).toHaveLength(18);
  });

  it('a message that was interrupted by a stop of the process is repeated with the same id', async () => {
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

  it('another process sends a killed process’s message after the lease of the delivery row has expired', async () => {
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

  it('a single message is tried first after a pause for an unreachable endpoint', async () => {
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

  it('messages are sent to a receiver again an hour after the receiver responded with "gone"', async () => {
    world.sender.result = { ok: false, failure: 'GONE', retryAfterMs: null };
    world.answers.set('s1', executed('ACCEPTED_ON_L2'));
    await world.run();
    await world.pass(HOUR_MS - 1);
    expect(world.sender.sent).toHaveLength(1);
    await world.pass(1);
    expect(world.sender.sent).toHaveLength(2);
  });

  it('a delivery run rejects while the store is unavailable, and a later run continues', async () => {
    world.answers.set('s1', executed('ACCEPTED_ON_L1'));
    world.store.fail();
    await expect(world.run()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
    world.store.fail(null);
    await world.run();
    expect(world.states()).toEqual(['final_succeeded']);
  });
});
