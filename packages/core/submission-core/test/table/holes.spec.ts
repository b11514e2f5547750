import { afterEach, describe, expect, it } from '@jest/globals';
import type { SubmissionSettings } from '../../src/index.js';
import { gate, type Gate } from '../support/gate.js';
import { LANE, World, flush } from '../unit/world.js';

const REFUSED = { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' } as const;
const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;

describe('gap filler for each nonce gap', () => {
  let world: World;
  afterEach(() => world.engine.stop());
  const start = async (change: Partial<SubmissionSettings> = {}): Promise<void> => {
    world = new World(change);
    await world.engine.start();
  };
  /** Sends A's call, which is refused conclusively only when `answered` opens. */
  const refusedLater = async (): Promise<Gate> => {
    const answered = gate();
    world.chain.script({ answer: REFUSED, arrives: false, after: answered.opened });
    await world.submit({ key: 'refused later' });
    await flush();
    return answered;
  };
  const kinds = async (nonce = 0n): Promise<string[]> => {
    const found = (await world.ledger.openNonces(LANE)).find(({ row }) => row.nonce === nonce);
    return (found?.transactions ?? []).filter(({ gone }) => gone === null).map(({ kind }) => kind);
  };

  it('a free nonce with nothing above: nothing is stored, and the next submission uses it', async () => {
    await start();
    (await refusedLater()).open();
    await world.round();
    await world.round();
    expect(await kinds()).toEqual([]);
    expect(world.chain.sent).toHaveLength(1);
    await world.submit({ key: 'next' });
    await flush();
    expect(await world.last('next')).toMatchObject({ state: 'broadcast', nonce: 0n });
  });

  it('a free nonce below another, an attempt that waits and that the lane can pay: the attempt gets the lowest free nonce', async () => {
    await start({ maxInFlightPerLane: 2 });
    const answered = await refusedLater();
    await world.submit({ key: 'above' });
    await flush();
    await world.submit({ key: 'waits' });
    await flush();
    expect(await world.last('waits')).toMatchObject({ state: 'accepted' });
    answered.open();
    await flush();
    expect(await world.last('waits')).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(await kinds()).toEqual(['call']);
  });

  it.each([
    ['no attempt waits', null],
    ['the lane can not pay the attempt that waits', 10n ** 18n],
  ] as const)('a free nonce below another, %s: a no-op is stored', async (_why, balanceFri) => {
    await start();
    const answered = await refusedLater();
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
    expect(await kinds()).toEqual(['noop']);
    world.chain.includeAll();
    await world.round();
    expect(await world.last('above')).toMatchObject({ state: 'succeeded' });
  });

  it('a held nonce, not known to be refused: its own bytes are sent again', async () => {
    await start();
    world.chain.script(LOST);
    await world.submit();
    await world.round(10_000);
    expect(await kinds()).toEqual(['call']);
    expect(world.chain.sent).toHaveLength(2);
  });

  it('a held nonce, refused for its price although it may be broadcast: it is replaced', async () => {
    await start();
    // Do not use the price of L2 gas: the head does not show that it is too low.
    world.chain.script(LOST, {
      answer: { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' },
      arrives: false,
    });
    await world.submit();
    await world.round(10_000);
    await world.round();
    expect(await kinds()).toEqual(['call', 'call']);
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({ state: 'succeeded' });
    expect(world.chain.included).toHaveLength(1);
  });

  it('a held nonce, refused repeatedly for other reasons, c = 2: a no-op is stored, and the answer is UNKNOWN until it is settled', async () => {
    await start();
    world.chain.script(
      LOST,
      ...Array.from({ length: 3 }, () => ({ answer: REFUSED, arrives: false })),
    );
    const { attempt } = await world.submit();
    for (let round = 0; round < 5; round += 1) await world.round(10_000);
    expect(await kinds()).toEqual(['call', 'noop']);
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'pending' });
    world.chain.includeAll();
    await world.round();
    expect(await world.last()).toMatchObject({
      state: 'refused',
      refusalCode: 'VALIDATION_FAILURE',
      nonce: null,
    });
  });

  it('a held nonce, unwanted, c = 2: a no-op is stored, and the answer is UNKNOWN until it is settled', async () => {
    await start();
    world.chain.script(LOST);
    const { attempt } = await world.submit();
    await world.round(600_001);
    expect(await kinds()).toEqual(['call', 'noop']);
    expect(await world.service.find(attempt.id)).toMatchObject({ kind: 'pending' });
    world.chain.includeAll();
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'rejected',
      state: 'expired',
      code: 'DEADLINE_PASSED',
    });
  });

  it('a held nonce, unwanted and unprotected: the answer is UNKNOWN until the block of the no-op is final', async () => {
    await start();
    world.chain.script(LOST);
    const { attempt } = await world.submit({ replayProtected: false });
    await world.round(600_001);
    world.chain.includeAll();
    await world.round();
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'pending',
      attempt: { state: 'accepted' },
    });
    world.chain.acceptOnL1(1);
    await world.round();
    await world.round();
    expect(await world.service.find(attempt.id)).toMatchObject({
      kind: 'rejected',
      state: 'expired',
    });
    expect(world.chain.sent).toHaveLength(2);
  });

  it('a no-op is possible even when the price has reached the ceiling or exceeded it', async () => {
    await start({ ceilingL2PriceFri: 25_000_000_000n });
    world.chain.script(LOST);
    await world.submit();
    await flush();
    world.chain.setGasPrices({ l2GasFri: 24_900_000_000n });
    await world.round(600_001);
    expect(await kinds()).toContain('noop');
  });
});
