import { afterEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { refOf } from '../../src/domain/rows.js';
import { InMemoryLedger, aSignedTransaction } from '../../src/testing/index.js';
import { Table } from '../table/table.js';
import { LANE, World, flush } from './world.js';

describe('unprotected attempt with bytes under an open nonce of another attempt', () => {
  const table = Table.forEachTest();
  const UNPROTECTED = { replayProtected: false } as const;

  /**
   * Sends call A under nonce 0, refuses A conclusively, and assigns the nonce to call B. Then A
   * lands (row S′ of the transition table), and its block is undone. Now both calls may land at
   * nonce 0. Returns the waiting attempt.
   */
  async function bothOnTheRoad() {
    const a = await table.driver.broadcast('a', 0n, UNPROTECTED);
    await table.rejection(0n, a.transaction);
    const b = await table.driver.broadcast('b', 0n, UNPROTECTED);
    await table.driver.succeed(a);
    await table.driver.reopen(0n);
    expect(await table.nonce(0n)).toMatchObject({ transactions: ['call 0 c=2', 'call 1 c=2'] });
    const states = [await table.attempt(a.attempt), await table.attempt(b.attempt)];
    const waiting = states.find((attempt) => attempt?.state === 'accepted');
    if (waiting === undefined || waiting === null) throw new Error('one of the two waits');
    return waiting;
  }

  it('an unprotected attempt gets no second nonce while its bytes could land under another attempt’s nonce', async () => {
    const waiting = await bothOnTheRoad();
    expect(await table.driver.store(refOf(waiting), 1n, aSignedTransaction('again'))).toMatchObject(
      { applied: false },
    );
  });

  it('an unprotected attempt can not end while its bytes could land under another attempt’s nonce', async () => {
    const waiting = await bothOnTheRoad();
    expect(await table.driver.endWaiting(waiting)).toMatchObject({ applied: false });
  });
});

describe('unprotected call whose disproved refusal was undone, with the engine', () => {
  let world: World;
  afterEach(() => world.engine.stop());

  it('a call without nullifier protection is paid only once even after a rollback of blocks', async () => {
    world = new World();
    await world.engine.start();
    // The provider is wrong: it responds that it refuses call A, but forwards the call.
    world.chain.script({
      answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' },
      arrives: true,
    });
    await world.submit({ key: 'A', replayProtected: false, calldata: Felts.of([1n]) });
    await flush();
    const [a = LANE] = world.chain.sent;
    await world.submit({ key: 'B', replayProtected: false, calldata: Felts.of([2n]) });
    await flush();
    const [, b = LANE] = world.chain.sent;
    expect(await world.last('B')).toMatchObject({ state: 'broadcast', nonce: 0n });
    world.chain.include(a);
    await world.round();
    await world.round();
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
    // The block is undone, and another mempool still has the bytes of call B.
    world.chain.rollback(0);
    world.chain.mine(3);
    await world.round();
    await world.round();
    world.chain.drop(a);
    world.chain.deliver(b);
    for (let round = 0; round < 6; round += 1) {
      world.chain.includeAll();
      await world.round(2_500);
    }
    const calls = world.chain.included.map(
      (hash) => world.chain.mayLand.get(hash)?.calls?.[0]?.calldata,
    );
    expect(calls.filter((calldata) => calldata?.equals(Felts.of([2n])) === true)).toHaveLength(1);
  });
});

describe('lane introduced at a nonce that a rollback undoes', () => {
  let world: World;
  afterEach(() => world.engine.stop());

  it('a lane continues after a rollback has undone the nonce at which the lane was introduced', async () => {
    const before = new World();
    await before.engine.start();
    await before.submit({ calldata: Felts.of([1n]) });
    await flush();
    before.chain.includeAll();
    await before.round();
    await before.engine.stop();
    world = new World(
      { acceptance: null },
      {
        clock: before.clock,
        chain: before.chain,
        ledger: new InMemoryLedger({ clock: before.clock }),
      },
    );
    await world.engine.start();
    // The block of nonce 0 is undone permanently. Its transaction is known only to the lost ledger.
    world.chain.rollback(0);
    for (let round = 0; round < 80; round += 1) {
      world.chain.includeAll();
      world.chain.mine();
      await world.round(11_000);
    }
    expect(world.engine.status()).toMatchObject({
      ledger: null,
      lanes: [{ address: LANE, state: 'ready' }],
    });
  });
});
