import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { gate } from '../support/gate.js';
import { World, flush } from '../unit/world.js';

/** Each test is a way in which money was once lost or misreported; see the traps page. */
describe('stories of the machine', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.engine.start();
  });
  afterEach(() => world.engine.stop());

  it('M1: a look that read its rows before a nonce was given away pays nobody twice', async () => {
    world.chain.script({ answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' }, arrives: false });
    await world.submit({ key: 'A' });
    await flush();
    expect(await world.last('A')).toMatchObject({ state: 'refused' });

    const answer = gate();
    world.chain.slowReads(answer.opened);
    await world.round();
    world.chain.slowReads(null);
    await world.submit({ key: 'B', calldata: Felts.of([4n]) });
    await flush();
    expect(await world.last('B')).toMatchObject({ state: 'broadcast', nonce: 0n });
    world.chain.includeAll();
    answer.open();
    await flush();
    for (let round = 0; round < 3; round += 1) {
      await world.round();
      world.chain.includeAll();
    }

    expect(world.chain.included).toHaveLength(1);
    expect(await world.last('B')).toMatchObject({ state: 'succeeded', nonce: 0n, transactionHash: world.chain.included[0] });
  });
});
