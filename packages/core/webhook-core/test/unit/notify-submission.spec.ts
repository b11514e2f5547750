import { beforeEach, describe, expect, it } from '@jest/globals';
import { UNNAMED_CALLER, type Caller } from '@sotto/kernel';
import { NotifySubmission } from '../../src/index.js';
import { PAGER, SHOP, World, executed } from '../support/world.js';

const callerOf = (name: string): Caller => ({ name, networks: [] });
const OWNER = callerOf('192.0.2.1');
const STRANGER = callerOf('198.51.100.7');

describe('NotifySubmission', () => {
  let world: World;
  let notify: NotifySubmission;
  beforeEach(() => {
    world = new World();
    const others = ['a', 'b'].map((name) => ({ ...SHOP, name }));
    notify = new NotifySubmission(world.store, [SHOP, PAGER, ...others], {
      undelivered: 3,
      rows: 5,
    });
  });

  it.each(['nowhere', 'pager', 'https://shop.example/hook', '__proto__'])(
    'rejects an endpoint name that is not registered for submissions: %s',
    async (name) => {
      await expect(notify.check(name)).rejects.toMatchObject({ code: 'WEBHOOK_UNKNOWN' });
    },
  );

  it('rejects an endpoint with a full queue before the request has any effect', async () => {
    for (const id of ['s1', 's2', 's3']) {
      await notify.check('shop');
      await notify.add(id, 'shop', OWNER);
    }
    await expect(notify.check('shop')).rejects.toMatchObject({
      code: 'WEBHOOK_QUEUE_FULL',
      retryAfterSeconds: 60,
    });
    await notify.check('a');
  });

  it('an endpoint is accepted if its submissions only wait for finality', async () => {
    for (const id of ['s1', 's2', 's3']) {
      await notify.add(id, 'shop', OWNER);
      await world.becomes(executed('ACCEPTED_ON_L2'), id);
    }
    expect(world.states()).toEqual(['succeeded', 'succeeded', 'succeeded']);
    await notify.check('shop');
  });

  it('rejects an endpoint for which the maximum number of undelivered messages is stored', async () => {
    await notify.add('s1', 'shop', OWNER);
    await world.becomes(executed('ACCEPTED_ON_L2'));
    world.sender.result = { ok: false, failure: 'UNREACHABLE', retryAfterMs: null };
    for (const id of ['s2', 's3', 's4']) {
      await notify.check('shop');
      await notify.add(id, 'shop', OWNER);
      await world.becomes(executed('ACCEPTED_ON_L2'), id);
    }
    await expect(notify.check('shop')).rejects.toMatchObject({ code: 'WEBHOOK_QUEUE_FULL' });
  });

  it('rejects an endpoint with the maximum number of delivery rows, even if messages were delivered', async () => {
    for (const id of ['s1', 's2', 's3', 's4', 's5']) {
      await notify.check('shop');
      await notify.add(id, 'shop', OWNER);
      await world.becomes(executed('ACCEPTED_ON_L2'), id);
    }
    await expect(notify.check('shop')).rejects.toMatchObject({ code: 'WEBHOOK_QUEUE_FULL' });
  });

  it('adds the same endpoint only once to a submission, and accepts one more endpoint but no third', async () => {
    notify.begun('s1', OWNER);
    for (const name of ['shop', 'shop', 'a', 'shop', 'a']) await notify.add('s1', name, OWNER);
    await expect(notify.add('s1', 'b', OWNER)).rejects.toMatchObject({ code: 'WEBHOOK_LIST_FULL' });
    expect(await world.store.count('shop')).toBe(1);
    await notify.add('s2', 'b', OWNER);
  });

  it('other callers who repeat the proof can’t use the endpoint slot of the submission’s first caller', async () => {
    notify.begun('s1', OWNER);
    await notify.add('s1', 'a', STRANGER);
    for (const stranger of [STRANGER, callerOf('203.0.113.9'), UNNAMED_CALLER])
      await expect(notify.add('s1', 'b', stranger)).rejects.toMatchObject({
        code: 'WEBHOOK_LIST_FULL',
      });
    await notify.add('s1', 'shop', OWNER);
    expect(await world.store.count('shop')).toBe(1);
  });

  it('a request without a valid proof is accepted only from the caller that created the submission', () => {
    notify.begun('s1', OWNER);
    for (const [submission, caller] of [
      ['s1', STRANGER],
      ['forgotten', OWNER],
    ] as const) {
      let code: unknown;
      try {
        notify.checkBeginner(submission, caller);
      } catch (error) {
        code = Object(error).code;
      }
      expect(code).toBe('WEBHOOK_LIST_FULL');
    }
    expect(() => notify.checkBeginner('s1', OWNER)).not.toThrow();
  });

  it('an endpoint of a second caller is accepted after the first caller has registered an endpoint', async () => {
    notify.begun('s1', OWNER);
    await notify.add('s1', 'shop', OWNER);
    await notify.add('s1', 'a', STRANGER);
    expect(await world.store.count('a')).toBe(1);
  });

  it('only one endpoint is accepted if the submission’s first caller is no longer known', async () => {
    await notify.add('s1', 'a', STRANGER);
    await expect(notify.add('s1', 'b', OWNER)).rejects.toMatchObject({
      code: 'WEBHOOK_LIST_FULL',
    });
  });

  it('rejects an unregistered webhook endpoint for a submission', async () => {
    await expect(notify.add('s1', 'nowhere', OWNER)).rejects.toMatchObject({
      code: 'WEBHOOK_UNKNOWN',
    });
  });
});
