import { beforeEach, describe, expect, it } from '@jest/globals';
import { NotifySubmission } from '../../src/index.js';
import { PAGER, SHOP, World } from '../support/world.js';

describe('an endpoint in a request', () => {
  let world: World;
  let notify: NotifySubmission;
  beforeEach(() => {
    world = new World();
    const others = ['a', 'b'].map((name) => ({ ...SHOP, name }));
    notify = new NotifySubmission(world.book, [SHOP, PAGER, ...others], 3);
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

  it('is kept once for a submission, beside one other', async () => {
    for (const name of ['shop', 'shop', 'a', 'shop', 'a']) await notify.add('s1', name);
    await expect(notify.add('s1', 'b')).rejects.toMatchObject({ code: 'WEBHOOK_LIST_FULL' });
    expect(await world.book.count('shop')).toBe(1);
    await notify.add('s2', 'b');
  });
});
