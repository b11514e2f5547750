import { beforeEach, describe, expect, it } from '@jest/globals';
import { NotifySubmission } from '../../src/index.js';
import { PAGER, SHOP, World, executed } from '../support/world.js';

describe('an endpoint in a request', () => {
  let world: World;
  let notify: NotifySubmission;
  beforeEach(() => {
    world = new World();
    const others = ['a', 'b'].map((name) => ({ ...SHOP, name }));
    notify = new NotifySubmission(world.book, [SHOP, PAGER, ...others], {
      undelivered: 3,
      rows: 5,
    });
  });

  it.each(['nowhere', 'pager', 'https://shop.example/hook', '__proto__'])(
    'is refused when it is not registered for submissions: %s',
    async (name) => {
      await expect(notify.check(name)).rejects.toMatchObject({ code: 'WEBHOOK_UNKNOWN' });
    },
  );

  it('is refused before anything is done while its queue is full', async () => {
    for (const id of ['s1', 's2', 's3']) {
      await notify.check('shop');
      await notify.add(id, 'shop');
    }
    await expect(notify.check('shop')).rejects.toMatchObject({
      code: 'WEBHOOK_QUEUE_FULL',
      retryAfterSeconds: 60,
    });
    await notify.check('a');
  });

  it('is taken while its receiver confirms messages, though final ones are hours away', async () => {
    for (const id of ['s1', 's2', 's3']) {
      await notify.add(id, 'shop');
      await world.becomes(executed('ACCEPTED_ON_L2'), id);
    }
    expect(world.states()).toEqual(['succeeded', 'succeeded', 'succeeded']);
    await notify.check('shop');
  });

  it('is refused while its receiver is away and as many submissions wait for it as may', async () => {
    await notify.add('s1', 'shop');
    await world.becomes(executed('ACCEPTED_ON_L2'));
    world.sender.result = { ok: false, failure: 'UNREACHABLE', retryAfterMs: null };
    for (const id of ['s2', 's3', 's4']) {
      await notify.check('shop');
      await notify.add(id, 'shop');
      await world.becomes(executed('ACCEPTED_ON_L2'), id);
    }
    await expect(notify.check('shop')).rejects.toMatchObject({ code: 'WEBHOOK_QUEUE_FULL' });
  });

  it('is refused while it has as many rows as may be, whatever its receiver confirms', async () => {
    for (const id of ['s1', 's2', 's3', 's4', 's5']) {
      await notify.check('shop');
      await notify.add(id, 'shop');
      await world.becomes(executed('ACCEPTED_ON_L2'), id);
    }
    await expect(notify.check('shop')).rejects.toMatchObject({ code: 'WEBHOOK_QUEUE_FULL' });
  });

  it('is kept once for a submission, beside one other', async () => {
    for (const name of ['shop', 'shop', 'a', 'shop', 'a']) await notify.add('s1', name);
    await expect(notify.add('s1', 'b')).rejects.toMatchObject({ code: 'WEBHOOK_LIST_FULL' });
    expect(await world.book.count('shop')).toBe(1);
    await notify.add('s2', 'b');
  });
});
