import { expect, it } from '@jest/globals';
import { brokenIn } from '../support/judge.js';
import { LANE, World, flush } from './world.js';
it('x', async () => {
  const world = new World();
  await world.engine.start();
  await world.submit({ key: 'A' });
  await flush();
  world.chain.preConfirm(world.chain.sent[0] ?? LANE);
  await world.submit({ key: 'B' });
  await flush();
  world.chain.preConfirm(world.chain.sent[1] ?? LANE);
  world.chain.drop(world.chain.sent[0] ?? LANE);
  expect(await brokenIn(world)).toEqual([]);
  await world.engine.stop();
});
