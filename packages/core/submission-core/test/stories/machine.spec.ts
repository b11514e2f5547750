import { describe, expect, it } from '@jest/globals';
import { gate } from '../support/gate.js';
import { LANE, flush } from '../unit/world.js';
import { BOTH, REFUSED, Story, call, slowStatuses } from './story.js';

/**
 * Each test repeats a case in which money was once lost or an outcome was reported wrongly; see the
 * document about traps.
 */
describe('stories of the machine', () => {
  const story = Story.forEachTest();

  describe('M1: a poll that reads its rows before a nonce is assigned', () => {
    it.each([true, false])(
      'an attempt whose nonce is assigned after a poll has read its rows is paid once (contract with nullifier: %s)',
      async (replayProtected) => {
        await story.start();
        story.world.chain.script(REFUSED);
        await story.world.submit({ key: 'A', replayProtected });
        await flush();
        expect(await story.world.last('A')).toMatchObject({ state: 'refused' });

        const answer = gate();
        story.world.chain.slowReads(answer.opened);
        await story.world.round();
        story.world.chain.slowReads(null);
        await story.world.submit({ key: 'B', replayProtected, ...call(4n) });
        await flush();
        expect(await story.world.last('B')).toMatchObject({ state: 'broadcast', nonce: 0n });
        story.world.chain.includeAll();
        answer.open();
        await flush();
        await story.goOn(3);

        expect(story.world.chain.included).toHaveLength(1);
        expect(await story.world.last('B')).toMatchObject({
          state: 'succeeded',
          nonce: 0n,
          transactionHash: story.world.chain.included[0],
        });
      },
    );

    it('an attempt is paid once although its nonce is assigned while an earlier poll is still running', async () => {
      await story.start();
      const rejection = gate();
      story.world.chain.script({ ...REFUSED, after: rejection.opened });
      await story.world.submit({ key: 'A' });
      await flush();
      const answer = slowStatuses(story.world.chain);
      await story.world.round();
      rejection.open();
      await flush();
      await story.world.submit({ key: 'B', ...call(4n) });
      await flush();
      expect(await story.world.last('B')).toMatchObject({ state: 'broadcast', nonce: 0n });
      story.world.chain.includeAll();
      answer.open();
      await flush();
      await story.goOn(3);
      expect(story.world.chain.included).toHaveLength(1);
      expect(await story.world.last('B')).toMatchObject({ state: 'succeeded', nonce: 0n });
    });
  });

  describe('M2: bytes that were signed for another attempt', () => {
    it.each(['replaced', 'cancelled'] as const)(
      'signed bytes of an attempt are not stored if its nonce now belongs to another attempt: %s',
      async (what) => {
        await story.start({ deadlineMs: 3_000 });
        const rejection = gate();
        story.world.chain.script({
          answer: { kind: 'refused', code: 'FEE_BELOW_MINIMUM', cause: 'price' },
          arrives: false,
          after: rejection.opened,
        });
        await story.world.submit({ key: 'A' });
        await flush();
        const answer = slowStatuses(story.world.chain);
        if (what === 'replaced') story.world.chain.setGasPrices({ l2GasFri: 30_000_000_000n });
        await story.world.round(what === 'replaced' ? 500 : 3_500);
        story.world.chain.setGasPrices({ l2GasFri: 8_000_000_000n });
        rejection.open();
        await flush();
        await story.world.submit({ key: 'B', ...call(4n) });
        await flush();
        expect(await story.world.last('B')).toMatchObject({ state: 'broadcast', nonce: 0n });
        const sentBefore = story.world.chain.sent.length;
        answer.open();
        await flush();
        const under = (await story.world.ledger.openNonces(LANE)).find(
          ({ row }) => row.nonce === 0n,
        );
        expect(
          under?.transactions
            .filter(({ gone }) => gone === null)
            .map(({ attempt }) => attempt?.key),
        ).toEqual(['B']);
        expect(
          story.world.chain.sent
            .slice(sentBefore)
            .filter((hash) => hash === story.world.chain.sent[0]),
        ).toEqual([]);
        await story.goOn(4);
        expect(await story.world.last('B')).toMatchObject({
          state: 'succeeded',
          transactionHash: story.world.chain.included[0],
        });
      },
    );
  });

  it('M3: a lane with a wrong key stops sending, and its rejected transactions end no submission', async () => {
    await story.start({ lanes: BOTH });
    story.world.chain.accountProblem(LANE, 'WRONG_KEY');
    for (let felt = 0n; felt < 40n; felt += 1n) {
      await story.world.submit({ key: `S${felt}`, ...call(felt) });
      await flush();
      story.world.chain.includeAll();
      await story.world.round(2_500);
    }
    await story.goOn(8);
    const states = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => (await story.world.last(`S${index}`)).state),
    );
    expect(new Set(states)).toEqual(new Set(['succeeded']));
    expect(story.world.engine.status().lanes).toMatchObject([
      { state: 'resting', reason: 'WRONG_KEY' },
      { state: 'ready' },
    ]);
    story.world.chain.accountProblem(LANE, null);
    await story.world.round(31_000);
    expect(story.world.engine.status().lanes.map(({ state }) => state)).toEqual(['ready', 'ready']);
  });

  it('M3: if the only lane of a role stops, a waiting attempt ends with the code of the lane’s problem', async () => {
    await story.start();
    story.world.chain.accountProblem(LANE, 'WRONG_KEY');
    await story.world.submit();
    await story.world.round();
    expect(await story.world.last()).toMatchObject({ state: 'accepted' });
    await story.world.round(600_001);
    await story.world.round();
    expect(await story.world.last()).toMatchObject({
      state: 'expired',
      rejectionCode: 'NO_USABLE_LANE',
    });
  });

  describe('M4: a rollback of ACCEPTED_ON_L2', () => {
    it('a rollback reopens the nonce, and the reply is UNKNOWN until there is a new outcome', async () => {
      await story.start({ answerAt: 'accepted_on_l2' });
      const { attempt } = await story.world.submit();
      await flush();
      await story.goOn(2);
      expect(await story.world.service.find(attempt.id)).toMatchObject({
        kind: 'executed',
        execution: 'SUCCEEDED',
        finality: 'ACCEPTED_ON_L2',
      });
      const [hash = LANE] = story.world.chain.included;
      story.world.chain.rollback(0, 'waiting');
      story.world.chain.mine(3);
      await story.world.round();
      expect(await story.world.service.find(attempt.id)).toMatchObject({
        kind: 'pending',
        transactionHash: hash,
      });
      story.world.chain.include(hash, { execution: 'REVERTED' });
      await story.world.round();
      await story.world.round();
      expect(await story.world.service.find(attempt.id)).toMatchObject({
        kind: 'executed',
        execution: 'REVERTED',
        attempt: { undone: { transactionHash: hash, execution: 'SUCCEEDED' } },
      });
      expect(story.world.engine.status().alarms).toMatchObject({ reopened: 1 });
    });

    it('the engine sends the same bytes again if a rollback removed them from the chain', async () => {
      await story.start();
      await story.world.submit();
      await flush();
      await story.goOn(2);
      story.world.chain.rollback(0);
      story.world.chain.mine(3);
      await story.goOn(8, 11_000);
      expect(story.world.chain.included).toHaveLength(1);
      expect(await story.world.last()).toMatchObject({ state: 'succeeded', nonce: 0n });
      await story.world.submit({ key: 'next', ...call(9n) });
      await story.goOn(3);
      expect(await story.world.last('next')).toMatchObject({ state: 'succeeded', nonce: 1n });
    });

    it('an outcome at ACCEPTED_ON_L1 can not be undone, and the reply contains this finality', async () => {
      await story.start();
      const { attempt } = await story.world.submit();
      await flush();
      await story.goOn(2);
      story.world.chain.acceptOnL1(1);
      await story.world.round();
      expect(await story.world.service.find(attempt.id)).toMatchObject({
        kind: 'executed',
        finality: 'ACCEPTED_ON_L1',
      });
    });

    it('the service accepts no second attempt of an unprotected call before the first attempt is final', async () => {
      await story.start();
      await story.world.submit({ replayProtected: false });
      await flush();
      story.world.chain.include(story.world.chain.sent[0] ?? LANE, { execution: 'REVERTED' });
      await story.world.round();
      expect(await story.world.last()).toMatchObject({ state: 'reverted' });
      await expect(
        story.world.submit({ replayProtected: false, effect: 'again', fingerprint: 'again' }),
      ).rejects.toMatchObject({
        code: 'PREVIOUS_ATTEMPT_NOT_FINAL',
      });
      story.world.chain.acceptOnL1(1);
      await story.world.round();
      expect(
        await story.world.submit({ replayProtected: false, effect: 'again', fingerprint: 'again' }),
      ).toMatchObject({
        kind: 'accepted',
        attempt: { attempt: 2 },
      });
    });
  });
});
