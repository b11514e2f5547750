import { describe, expect, it } from '@jest/globals';
import { aSignedTransaction } from '../../src/testing/index.js';
import { LANE, World, flush } from '../unit/world.js';
import { CEILING_FRI, Table, stoodBack } from './table.js';
import { gate, type Gate } from '../support/gate.js';

const FIRST_FRI = 24_000_000_000n;
const REFUSED = { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' } as const;
const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;

/** A's send is refused for good only when `answered` opens. */
async function refusedLater(world: World): Promise<Gate> {
  const answered = gate();
  world.chain.script({ answer: REFUSED, arrives: false, after: answered.opened });
  await world.submit({ key: 'refused later' });
  await flush();
  return answered;
}
const kinds = async (world: World, nonce = 0n): Promise<string[]> => {
  const found = (await world.ledger.openNonces(LANE)).find(({ row }) => row.nonce === nonce);
  return (found?.transactions ?? []).filter(({ dead }) => !dead).map(({ kind }) => kind);
};

describe('transition table: fillers', () => {
  const table = Table.forEachTest();

  it('R: a tenth more, up to the ceiling, is another transaction of the same nonce, unclaimed', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    expect(await table.replace(0n, aSignedTransaction('a', FIRST_FRI + 1n))).toMatchObject(stoodBack('price_too_low'));
    expect(await table.replace(0n, aSignedTransaction('a', CEILING_FRI + 1n))).toMatchObject(stoodBack('price_too_low'));
    expect(await table.replace(0n, aSignedTransaction('a', (FIRST_FRI * 11n) / 10n))).toMatchObject({ written: true });
    expect(await table.nonce(0n)).toEqual({ owner: attempt.key, transactions: ['call 0 c=1', 'call 1 c=0'] });
  });

  it('N: one no-op, which outbids everything or is at the ceiling', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    expect(await table.cancel(0n, aSignedTransaction('no-op', FIRST_FRI))).toMatchObject(stoodBack('price_too_low'));
    await table.replace(0n, aSignedTransaction('a', CEILING_FRI));
    expect(await table.cancel(0n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject({ written: true });
    expect(await table.cancel(0n, aSignedTransaction('again', CEILING_FRI))).toMatchObject(stoodBack('noop_exists'));
    expect(await table.nonce(0n)).toEqual({ owner: attempt.key, transactions: ['call 0 c=1', 'call 1 c=0', 'noop 2 c=0'] });
  });

  it('R and N stand back where nobody holds the nonce: there is nothing to replace and nobody to cancel', async () => {
    const { transaction } = await table.driver.broadcast('a', 0n);
    await table.refusal(0n, transaction);
    expect(await table.replace(0n, aSignedTransaction('a', CEILING_FRI))).toMatchObject(stoodBack('attempt_moved_on'));
    expect(await table.cancel(0n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject(stoodBack('attempt_moved_on'));
    await table.driver.broadcast('above', 1n);
    await table.fill(0n);
    expect(await table.cancel(0n, aSignedTransaction('again', CEILING_FRI))).toMatchObject(stoodBack('attempt_moved_on'));
    // A lone no-op whose price has run away is replaced by another one.
    expect(await table.replace(0n, aSignedTransaction('no-op', CEILING_FRI))).toMatchObject({ written: true });
    expect(await table.nonce(0n)).toEqual({ owner: null, transactions: ['dead', 'noop 1 c=0', 'noop 2 c=0'] });
  });

  it('H: a no-op for a free nonce, only below something that could land', async () => {
    const { transaction } = await table.driver.broadcast('a', 0n);
    await table.refusal(0n, transaction);
    expect(await table.fill(0n)).toMatchObject(stoodBack('no_hole'));
    await table.driver.broadcast('above', 1n);
    expect(await table.fill(1n)).toMatchObject(stoodBack('nonce_taken'));
    expect(await table.fill(0n)).toMatchObject({ written: true });
    expect(await table.nonce(0n)).toEqual({ owner: null, transactions: ['dead', 'noop 1 c=0'] });
    expect(await table.fill(0n)).toMatchObject(stoodBack('nonce_taken'));
  });
});

describe('which filler for which hole', () => {
  it('free, nothing above: nothing is done, and the next submission takes it', async () => {
    const world = new World();
    await world.engine.start();
    (await refusedLater(world)).open();
    await world.round();
    await world.round();
    expect(await kinds(world)).toEqual([]);
    expect(world.chain.sent).toHaveLength(1);
    await world.submit({ key: 'next' });
    await flush();
    expect(await world.last('next')).toMatchObject({ state: 'broadcast', nonce: 0n });
    await world.engine.stop();
  });

  it('free, something above, an attempt waits and the lane can pay it: that attempt, lowest free nonce first', async () => {
    const world = new World({ maxInFlightPerLane: 2 });
    await world.engine.start();
    const answered = await refusedLater(world);
    await world.submit({ key: 'above' });
    await flush();
    await world.submit({ key: 'waits' });
    await flush();
    expect(await world.last('waits')).toMatchObject({ state: 'accepted' });
    answered.open();
    await flush();
    expect(await world.last('waits')).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(await kinds(world)).toEqual(['call']);
    await world.engine.stop();
  });

  it.each([
    ['nobody waits', null],
    ['the lane can not pay who waits', 10n ** 18n],
  ] as const)('free, something above, %s: a no-op', async (_why, balanceFri) => {
    const world = new World();
    await world.engine.start();
    const answered = await refusedLater(world);
    await world.submit({ key: 'above' });
    await flush();
    if (balanceFri !== null) {
      world.chain.setBalance(LANE, balanceFri);
      await world.round();
      await world.submit({ key: 'waits' });
    }
    answered.open();
    await flush();
    await world.round();
    await world.round();
    expect(await kinds(world)).toEqual(['noop']);
    world.chain.includeAll();
    await world.round();
    expect(await world.last('above')).toMatchObject({ state: 'succeeded' });
    await world.engine.stop();
  });

  it('held, not known to be refused: its own bytes again', async () => {
    const world = new World();
    await world.engine.start();
    world.chain.script(LOST);
    await world.submit();
    await world.round(10_000);
    expect(await kinds(world)).toEqual(['call']);
    expect(world.chain.sent).toHaveLength(2);
    await world.engine.stop();
  });

  it('held, refused for its price although it may be out: its own replacement', async () => {
    const world = new World();
    await world.engine.start();
    // Not the price of L2 gas: the head does not show that it is too low.
    world.chain.script(LOST, { answer: { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' }, arrives: false });
    await world.submit();
    await world.round(10_000);
    await world.round();
    expect(await kinds(world)).toEqual(['call', 'call']);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(world.chain.included).toHaveLength(1);
    await world.engine.stop();
  });

  it('held, refused otherwise again and again, c = 2: a no-op, and UNKNOWN until the nonce is settled', async () => {
    const world = new World();
    await world.engine.start();
    world.chain.script(LOST, ...Array.from({ length: 3 }, () => ({ answer: REFUSED, arrives: false })));
    const { attempt } = await world.submit();
    for (let round = 0; round < 5; round += 1) await world.round(10_000);
    expect(await kinds(world)).toEqual(['call', 'noop']);
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'undecided' });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'refused', refusalCode: 'VALIDATION_FAILURE', nonce: null });
    await world.engine.stop();
  });

  it('held, unwanted, c = 2: a no-op, and UNKNOWN until the nonce is settled', async () => {
    const world = new World();
    await world.engine.start();
    world.chain.script(LOST);
    const { attempt } = await world.submit();
    await world.round(600_001);
    expect(await kinds(world)).toEqual(['call', 'noop']);
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'undecided' });
    world.chain.includeAll();
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'ended', state: 'expired', code: 'DEADLINE_PASSED' });
    await world.engine.stop();
  });

  it('a no-op is possible even when the price has run to the ceiling and beyond', async () => {
    const world = new World({ ceilingL2PriceFri: 25_000_000_000n });
    await world.engine.start();
    world.chain.script(LOST);
    await world.submit();
    await flush();
    world.chain.setGasPrices({ l2GasFri: 24_900_000_000n });
    await world.round(600_001);
    expect(await kinds(world)).toContain('noop');
    await world.engine.stop();
  });
});
