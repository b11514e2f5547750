import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Felt } from '@sotto/kernel';
import { World, flush, LANE } from './world.js';

const HOUR_MS = 3_600_000;

describe('messages pushed by nodes', () => {
  let world: World;
  let sent: Felt;
  let looks: number;
  beforeEach(async () => {
    world = new World({ pollIntervalMs: HOUR_MS, idleIntervalMs: HOUR_MS, resendAfterMs: HOUR_MS });
    const head = world.chain.head.bind(world.chain);
    looks = 0;
    world.chain.head = (accounts) => {
      looks += 1;
      return head(accounts);
    };
    await world.engine.start();
    await world.submit();
    await flush();
    [sent = LANE] = world.chain.sent;
    // Wait until the polls that follow every send are complete.
    for (let poll = 0; poll < 5; poll += 1) await world.round(200);
    looks = 0;
  });
  afterEach(() => world.engine.stop());

  const answer = async (): Promise<string | undefined> =>
    (await world.service.find((await world.last()).id))?.kind;

  it('a waiting caller gets its reply early because a message from a node triggers a poll', async () => {
    world.chain.preConfirm(sent);
    await world.round(1_000);
    expect(await answer()).toBe('pending');
    world.events.transactionOf(LANE);
    await world.round(100);
    expect(await answer()).toBe('executed');
  });

  it('a message from a node changes nothing if the poll finds no change', async () => {
    const before = await world.last();
    world.events.transactionOf(LANE);
    world.events.push('rollback');
    world.events.push('gap');
    await world.round(100);
    expect(looks).toBe(1);
    expect(await world.last()).toEqual(before);
    expect(await answer()).toBe('pending');
    expect(world.chain.sent).toEqual([sent]);
  });

  it('messages from nodes trigger no more polls than the minimum time between polls allows', async () => {
    for (let second = 0; second < 20; second += 1) {
      for (let message = 0; message < 500; message += 1) world.events.transactionOf(LANE);
      await world.round(50);
    }
    // Polls at 0, 100, … 1,000 ms.
    expect(looks).toBe(11);
  });

  it('pushed heads trigger polls only while a nonce is undecided', async () => {
    world.events.push('head');
    await world.round(100);
    expect(looks).toBe(1);
    world.chain.includeAll();
    world.events.push('head');
    await world.round(100);
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    looks = 0;
    world.events.push('head');
    await world.round(100);
    expect(looks).toBe(0);
    world.events.push('rollback');
    await world.round(100);
    expect(looks).toBe(1);
  });

  it('messages from nodes do not cause more polls of a node that does not respond', async () => {
    world.chain.failReads();
    world.events.transactionOf(LANE);
    await world.round(100);
    expect(looks).toBe(1);
    world.events.transactionOf(LANE);
    await world.round(1_000);
    expect(looks).toBe(1);
  });

  it('pushed messages are ignored after the engine has stopped', async () => {
    await world.engine.stop();
    expect(world.events.isSubscribed).toBe(false);
  });
});
