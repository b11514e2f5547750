import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Hint } from '../../src/index.js';
import { InMemoryInstanceBus } from '../../src/testing/index.js';
import { LANE, World, flush } from './world.js';

describe('two instances of one store', () => {
  const hints = new InMemoryInstanceBus();
  let holder: World;
  let other: World;
  beforeEach(async () => {
    holder = new World({ instance: 'holder' }, undefined, hints.instance());
    await holder.engine.start();
    other = holder.restarted({ instance: 'other' }, hints.instance());
    await other.engine.start();
  });
  afterEach(() => Promise.all([holder.engine.stop(), other.engine.stop()]));

  it('the instance that holds the lane sends an attempt at once if another instance has accepted it', async () => {
    expect(other.engine.status().lanes).toMatchObject([{ state: 'held_elsewhere' }]);
    await other.submit();
    await flush();
    expect(holder.chain.sent).toHaveLength(1);
  });

  it('the instance that holds the lane polls at once when an operator retries an attempt at another instance', async () => {
    const { attempt } = await holder.submit();
    let woken = 0;
    holder.changes.onWork(() => (woken += 1));
    other.engine.retry(attempt.id);
    await flush();
    expect(woken).toBe(1);
    expect(holder.chain.sent).toHaveLength(1);
  });

  it('an instance with the setting isLeftToOthers never leases the lane', async () => {
    await Promise.all([holder.engine.stop(), other.engine.stop()]);
    const third = other.restarted(
      { instance: 'third', lanes: [{ address: LANE, role: 'relay', isLeftToOthers: true }] },
      hints.instance(),
    );
    await third.engine.start();
    try {
      await third.submit();
      await third.round(15_000);
      expect(third.engine.status()).toMatchObject({
        ledger: null,
        lanes: [{ state: 'held_elsewhere' }],
      });
      expect(third.chain.sent).toHaveLength(0);
    } finally {
      await third.engine.stop();
    }
    const fourth = third.restarted({ instance: 'fourth' });
    await fourth.engine.start();
    await flush();
    expect(fourth.chain.sent).toHaveLength(1);
    await fourth.engine.stop();
  });

  it('an instance reports the assignment of a nonce only for attempts of other instances', async () => {
    const reported: Hint[] = [];
    hints.instance().hear((hint) => void reported.push(hint));
    const own = await holder.submit({ key: 'own' });
    await flush();
    expect(holder.chain.sent).toHaveLength(1);
    expect(reported).not.toContainEqual({ kind: 'changed', id: own.attempt.id });
    const ofOther = await other.submit({ key: 'of another' });
    await flush();
    expect(holder.chain.sent).toHaveLength(2);
    expect(reported).toContainEqual({ kind: 'changed', id: ofOther.attempt.id });
  });

  it('a waiting caller gets its reply at once when another instance detects the outcome', async () => {
    const { attempt } = await other.submit();
    await flush();
    const answer = other.service.waitFor(attempt.id, 30_000);
    await flush();
    holder.chain.preConfirm(holder.chain.sent[0] ?? LANE);
    // The holder polls next. Without a notification, the caller that waits at the other instance
    // would be answered only when its row is reread after a second.
    await holder.round(500);
    await flush();
    expect(await Promise.race([answer, flush()])).toMatchObject({
      kind: 'executed',
      execution: 'SUCCEEDED',
    });
  });
});
