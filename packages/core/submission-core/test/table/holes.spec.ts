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
  /** Sends a call whose conclusive refusal arrives only when the returned gate opens. */
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

  it('a free nonce gets no no-op if no higher nonce has a transaction', async () => {
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

  it('the lowest free nonce below a transaction is assigned to a waiting attempt that the lane can pay', async () => {
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
  ] as const)(
    'a free nonce below a transaction of a higher nonce gets a no-op if %s',
    async (_why, balanceFri) => {
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
    },
  );

  it('a call that is not known to be refused is sent again with the same bytes', async () => {
    await start();
    world.chain.script(LOST);
    await world.submit();
    await world.round(10_000);
    expect(await kinds()).toEqual(['call']);
    expect(world.chain.sent).toHaveLength(2);
  });

  it('a call gets a replacement under its nonce if it was refused for its price but may be broadcast', async () => {
    await start();
    // Do not lower the L2 gas price for this purpose, because the head in this test must not show
    // that the price is too low.
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

  it('a nonce whose call was sent twice and refused repeatedly gets a no-op', async () => {
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
      rejectionCode: 'VALIDATION_FAILURE',
      nonce: null,
    });
  });

  it('a nonce whose call was sent twice gets a no-op after the call’s deadline', async () => {
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

  it('the reply for an unprotected call past its deadline is UNKNOWN until the block of the no-op is final', async () => {
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

  it('a no-op is stored even if the market price has reached or exceeded the ceiling', async () => {
    await start({ ceilingL2PriceFri: 25_000_000_000n });
    world.chain.script(LOST);
    await world.submit();
    await flush();
    world.chain.setGasPrices({ l2GasFri: 24_900_000_000n });
    await world.round(600_001);
    expect(await kinds()).toContain('noop');
  });
});
