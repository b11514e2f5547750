import { describe, expect, it } from '@jest/globals';
import { LOST } from '../support/lane.js';
import { LIVE, MIXES, Replicas, type Answers } from '../support/replicas.js';
import { LANE, flush, settings } from '../unit/world.js';
import { Story, call, countPaid, recording } from './story.js';

const nameOf = ({ head, statuses, blocks }: Answers): string =>
  `head ${head}, receipts ${statuses}, blocks ${blocks}`;

/** Each test repeats a case in which a wrong outcome was once reported as final. */
describe('stories of evidence', () => {
  const story = Story.forEachTest();
  const headOfChain = async (): Promise<number> => (await story.world.chain.head([])).blockNumber;

  /**
   * Replaces the block that contains the withdrawal. One replica still has the old block. The
   * withdrawal is not on the chain any more, and L1 has accepted the new block.
   */
  const replaced = async (): Promise<Replicas> => {
    await story.start();
    const { world } = story;
    await world.submit({ key: 'A' });
    await flush();
    world.chain.mine(2);
    world.chain.includeAll();
    world.chain.mine();
    const replicas = await Replicas.behind(world.chain, [LANE]);
    world.chain.rollback(2);
    world.chain.mine(3);
    world.chain.acceptOnL1(await headOfChain());
    return replicas;
  };

  const finalised = async (replayProtected = true) => {
    const { logger, errors } = recording();
    await story.start({}, {}, undefined, { logger });
    const { world } = story;
    await world.submit({ key: 'A', replayProtected });
    await flush();
    world.chain.includeAll();
    await world.round();
    world.chain.acceptOnL1(await headOfChain());
    await world.round();
    expect(await world.last('A')).toMatchObject({ state: 'succeeded', isFinal: true });
    return { world, errors };
  };

  const undo = async (): Promise<void> => {
    const { world } = story;
    world.chain.acceptOnL1(null);
    world.chain.rollback(0);
    world.chain.mine(4);
    await world.round();
  };

  /**
   * Creates nonce 0 with two transactions: a call past its deadline, and a no-op against that call.
   * The transaction of kind `wins` lands and becomes final, and its bytes are redacted. Then its
   * block is undone.
   */
  const wiped = async (wins: 'call' | 'noop') => {
    const { logger, errors } = recording();
    await story.start({ deadlineMs: 20_000 }, {}, undefined, { logger });
    const { world } = story;
    await world.submit({ key: 'A' });
    await flush();
    // The no-op must not reach any node if the call should land.
    if (wins === 'call') world.chain.script(LOST);
    for (let round = 0; round < 6; round += 1) await world.round();
    const [stored] = await world.ledger.openNonces(LANE);
    expect(stored?.transactions).toMatchObject([{ kind: 'call' }, { kind: 'noop' }]);
    const winner = stored?.transactions.find(({ kind }) => kind === wins);
    if (winner === undefined) throw new Error('the one that is to land was not sent');
    world.chain.include(winner.hash);
    await world.round();
    world.chain.acceptOnL1(await headOfChain());
    await world.round();
    await world.ledger.redact(settings.retentionMs);
    expect(await world.ledger.signedParts(winner.hash)).toBeNull();
    world.chain.acceptOnL1(null);
    world.chain.rollback(0);
    for (let poll = 0; poll < 2; poll += 1) {
      world.chain.mine(4);
      await world.round();
    }
    expect(world.engine.status().alarms).toMatchObject({ reopenedFinal: 1 });
    return { world, errors };
  };

  /** Executes withdrawal A in block 4 and polls at each block up to 8. */
  const paid = async (): Promise<void> => {
    await story.start();
    const { world } = story;
    world.chain.mine(3);
    await world.submit({ key: 'A' });
    await flush();
    world.chain.includeAll();
    for (let block = 0; block < 4; block += 1) {
      await world.round();
      world.chain.mine();
    }
    await world.round();
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
  };

  describe('T4b: one replaced block, and two replicas that answer alternately behind one address', () => {
    it.each(MIXES.map((first) => [nameOf(first), first] as const))(
      'a withdrawal that is not on chain never becomes final after a first poll with %s and any second poll',
      async (_name, first) => {
        for (const second of MIXES) {
          const replicas = await replaced();
          const { world } = story;
          for (const answers of [first, second, LIVE, LIVE]) {
            replicas.answers = answers;
            await world.round();
            const { state, isFinal, transactionHash } = await world.last('A');
            const isThere =
              transactionHash !== null && world.chain.included.includes(transactionHash);
            expect({ state, isUntrue: isFinal && !isThere }).toEqual({ state, isUntrue: false });
          }
          await world.submit({ key: 'B', ...call(7n) });
          for (let round = 0; round < 8; round += 1) {
            world.chain.includeAll();
            world.chain.acceptOnL1(await headOfChain());
            await world.round();
          }
          expect([await countPaid(world, 'A'), await countPaid(world, 'B')]).toEqual([1, 1]);
          for (const key of ['A', 'B'])
            expect(await world.last(key)).toMatchObject({ state: 'succeeded', isFinal: true });
          expect(world.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
          await story.stopAll();
        }
      },
    );
  });

  describe('an undone final block', () => {
    it('the outcome of a final block is undone only after two heads that lack this block', async () => {
      const { world, errors } = await finalised();
      await undo();
      await world.round();
      expect(await world.last('A')).toMatchObject({ state: 'succeeded', isFinal: true });
      world.chain.mine();
      await world.round();
      expect(await world.last('A')).toMatchObject({
        state: 'expired',
        rejectionCode: 'UNDONE_BY_ROLLBACK',
        undone: { execution: 'SUCCEEDED' },
        isFinal: false,
      });
      expect(world.engine.status().alarms).toMatchObject({ reopened: 0, reopenedFinal: 1 });
      expect(errors()).toEqual([expect.stringContaining('undone a block that was final')]);
    });

    it('the rollback of a final block is detected even after a restart', async () => {
      const { world } = await finalised();
      await world.engine.stop();
      story.add({}, world);
      await story.world.engine.start();
      await undo();
      story.world.chain.mine();
      await story.world.round();
      expect(await story.world.last('A')).toMatchObject({ state: 'expired' });
      expect(story.world.engine.status().alarms).toMatchObject({ reopenedFinal: 1 });
    });

    it('a final block that was missing only in some responses remains final', async () => {
      const { world } = await finalised();
      const replicas = await Replicas.behind(world.chain, [LANE]);
      await undo();
      replicas.answers = { head: 'old', statuses: 'old', blocks: 'old' };
      for (let round = 0; round < 4; round += 1) await world.round();
      expect(await world.last('A')).toMatchObject({ state: 'succeeded', isFinal: true });
      expect(world.engine.status().alarms).toMatchObject({ reopenedFinal: 0 });
    });

    it('a withdrawal whose final block was rolled back can be requested again', async () => {
      const { world } = await finalised();
      await undo();
      world.chain.mine();
      await world.round();
      expect(await world.submit({ key: 'A', ...call(9n) })).toMatchObject({
        kind: 'accepted',
        attempt: { attempt: 2 },
      });
      await story.goOn(12);
      expect(await world.last('A')).toMatchObject({ attempt: 2, state: 'succeeded' });
      // A no-op consumes the nonce of the first attempt, so the chain has two transactions.
      expect(world.chain.included).toHaveLength(2);
    });

    it('an unprotected call whose final block was rolled back is not sent again', async () => {
      const { world } = await finalised(false);
      const before = world.chain.sent.length;
      const [bytes] = world.chain.sent;
      await undo();
      world.chain.mine();
      await world.round();
      await story.goOn(12);
      const sent = world.chain.sent.slice(before);
      expect(sent.length).toBeGreaterThan(0);
      expect(sent).not.toContain(bytes);
      expect(sent.map((hash) => world.chain.mayLand.get(hash)?.calls)).toEqual(sent.map(() => []));
      expect(await countPaid(world, 'A')).toBe(0);
      expect(await world.last('A')).toMatchObject({ state: 'expired' });
      expect(world.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
    });
  });

  describe('an undone final block whose bytes are redacted', () => {
    it.each(['call', 'noop'] as const)(
      'a new no-op consumes the nonce that the %s had consumed before the rollback',
      async (wins) => {
        const { world, errors } = await wiped(wins);
        await world.submit({ key: 'B', ...call(7n) });
        await story.goOn(12);
        expect(await world.last('B')).toMatchObject({ state: 'succeeded' });
        expect([await countPaid(world, 'A'), await countPaid(world, 'B')]).toEqual([0, 1]);
        expect(await world.ledger.openNonces(LANE)).toEqual([]);
        expect(world.engine.status().lanes).toMatchObject([{ state: 'ready' }]);
        expect(errors()).not.toContain('stored bytes of an open nonce are not sent');
      },
    );
  });

  describe('a shorter chain after a rollback', () => {
    it('an undone success is detected even if the chain is now shorter than before the rollback', async () => {
      await paid();
      const { world } = story;
      await world.submit({ key: 'B', ...call(7n) });
      await flush();
      world.chain.includeAll();
      await world.round();
      world.chain.mine();
      await world.round();
      expect(await world.last('B')).toMatchObject({ state: 'succeeded' });
      const withB = await headOfChain();
      world.chain.rollback(5);
      world.chain.mine();
      expect(await headOfChain()).toBeLessThan(withB - 1);
      await world.round();
      expect(await world.last('B')).toMatchObject({
        state: 'broadcast',
        undone: { execution: 'SUCCEEDED' },
      });
      expect(await world.last('A')).toMatchObject({ state: 'succeeded', undone: null });
    });

    it('an outcome is not undone if a node only lags behind', async () => {
      await paid();
      const { world } = story;
      world.chain.rollback(5);
      for (let round = 0; round < 3; round += 1) await world.round();
      expect(await world.last('A')).toMatchObject({ state: 'succeeded', undone: null });
      expect(world.engine.status().alarms).toMatchObject({ reopened: 0 });
    });
  });
});
