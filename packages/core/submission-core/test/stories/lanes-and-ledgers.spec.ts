import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { LedgerOfAnotherChain } from '../../src/index.js';
import { FakeChain, InMemoryLedger } from '../../src/testing/index.js';
import { LANE, World, flush, inMemory } from '../unit/world.js';
import { BOTH, REFUSED, SECOND, Story, call, countPaid, recording } from './story.js';

const HOUR_MS = 3_600_000;

/**
 * Each test repeats a case in which money was once lost or an outcome was reported wrongly; see the
 * document about traps.
 */
describe('stories of lanes, ledgers and clocks', () => {
  const story = Story.forEachTest();

  describe('M5: independence of lanes', () => {
    it('a lane continues if a transaction status of another lane can not be read', async () => {
      await story.start({ lanes: BOTH });
      await story.world.submit({ key: 'A', ...call(1n) });
      await flush();
      const held = story.world.chain.sent[0] ?? LANE;
      story.world.chain.unreadable(held);
      await story.world.submit({ key: 'B', ...call(2n) });
      await story.world.submit({ key: 'C', ...call(3n) });
      await flush();
      await story.goOn(3);
      expect(await story.world.last('B')).toMatchObject({ state: 'succeeded' });
      expect(await story.world.last('C')).toMatchObject({ state: 'succeeded' });
      expect(await story.world.last('A')).toMatchObject({ state: 'broadcast' });
      await story.world.round(400_000);
      expect(story.world.engine.status().stuck).toMatchObject([
        { transactions: [{ hash: held, seen: 'unread' }] },
      ]);
      story.world.chain.unreadable(held, false);
      await story.goOn(2);
      expect(await story.world.last('A')).toMatchObject({ state: 'succeeded' });
    });

    it('a lane continues when the node does not respond to reads of another lane', async () => {
      const chain = new FakeChain();
      const head = chain.head.bind(chain);
      chain.head = (accounts) =>
        accounts.includes(LANE) ? new Promise(() => undefined) : head(accounts);
      story.add({ lanes: BOTH }, { chain });
      const started = story.world.engine.start();
      await story.world.round(8_001);
      await story.world.round(4_001);
      await started;
      for (let felt = 0n; felt < 6n; felt += 1n)
        await story.world.submit({ key: `S${felt}`, ...call(felt) });
      // In each step, a pause is followed by a poll that lasts as long as the timeout allows.
      for (let poll = 0; poll < 8; poll += 1) {
        await story.goOn(1, 2_500);
        await story.goOn(1, 8_001);
      }
      for (let felt = 0; felt < 6; felt += 1)
        expect(await story.world.last(`S${felt}`)).toMatchObject({ state: 'succeeded' });
    });

    it('a lane continues if another ledger has consumed 150 nonces of another lane', async () => {
      await story.start({ lanes: BOTH });
      await story.goOn(2);
      for (let count = 0; count < 150; count += 1) story.world.chain.includeForeign(LANE);
      for (let felt = 0n; felt < 60n; felt += 1n) {
        await story.world.submit({ key: `S${felt}`, ...call(felt) });
        await flush();
        story.world.chain.includeAll();
        await story.world.round(1_000);
      }
      await story.goOn(20);
      const states = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => (await story.world.last(`S${index}`)).state),
      );
      expect(new Set(states)).toEqual(new Set(['succeeded']));
      expect(story.world.engine.status().alarms.foreign).toBe(150);
    });
  });

  it('M6: a lane that was removed from the settings is polled until its transactions in flight are settled', async () => {
    const log = recording();
    const before = await story.start({ lanes: BOTH });
    await story.world.submit({ key: 'A', ...call(1n) });
    await flush();
    const address = (await story.world.last('A')).lane;
    await story.stopAll();
    story.add({ lanes: BOTH.filter((lane) => lane.address !== address) }, before, undefined, {
      logger: log.logger,
    });
    await story.world.engine.start();
    expect(story.world.engine.status().lanes).toContainEqual(
      expect.objectContaining({ address, state: 'retiring', isConfigured: false, openNonces: 1 }),
    );
    expect(log.errors()).toContain(
      'a lane with undecided nonces is not in the settings: it is followed, and can not sign',
    );
    await story.goOn(3);
    expect(await story.world.last('A')).toMatchObject({ state: 'succeeded' });
  });

  it('M7: a ledger of another chain is rejected at the start', async () => {
    const before = await story.start();
    await story.stopAll();
    const other = new World(
      {},
      { clock: before.clock, ledger: before.ledger, chain: new FakeChain({ name: 'another' }) },
    );
    await expect(other.engine.start()).rejects.toBeInstanceOf(LedgerOfAnotherChain);
    await other.engine.stop();
  });

  it('M7: nothing is sent while the node temporarily serves another chain', async () => {
    const log = recording();
    await story.start({}, {}, undefined, { logger: log.logger });
    const { world } = story;
    await world.submit({ key: 'A', replayProtected: false, ...call(1n) });
    await flush();
    await story.goOn(3);
    const sound = world.chain.blockHash.bind(world.chain);
    world.chain.blockHash = async () => toFelt('0xe15e');
    world.clock.advance(10_000);
    await world.submit({ key: 'B', replayProtected: false, ...call(2n) });
    await flush();
    for (let round = 0; round < 5; round += 1) await world.round();
    expect(world.engine.status().ledger).toBe('LEDGER_OF_ANOTHER_CHAIN');
    expect(await world.last('B')).toMatchObject({ state: 'accepted' });
    expect(log.errors()).toContain(
      'the node serves another chain than the ledger’s: nothing is sent or settled',
    );

    world.chain.blockHash = sound;
    await story.goOn(6);
    expect(world.engine.status().ledger).toBeNull();
    expect(await world.last('B')).toMatchObject({ state: 'succeeded' });
  });

  it('M7: a lane sends nothing if its account’s nonce on chain is below the ledger’s nonce', async () => {
    await story.start();
    await story.world.submit();
    await flush();
    await story.goOn(2);
    story.world.chain.acceptOnL1(1);
    await story.world.round();
    story.world.chain.setNonce(LANE, 0n);
    for (let round = 0; round < 10; round += 1) await story.world.round();
    expect(story.world.engine.status().lanes).toMatchObject([
      { state: 'resting', reason: 'ACCOUNT_NONCE_BELOW_LEDGER' },
    ]);
  });

  describe('M8: a lost ledger, or one restored from an old copy, with calls in flight', () => {
    it.each(['old copy', 'gone'] as const)(
      'no call is paid twice after the ledger is lost or restored: %s',
      async (what) => {
        const before = await story.start();
        await story.world.submit({ key: 'A', replayProtected: false, ...call(1n) });
        await flush();
        await story.goOn(2);
        const copy = inMemory(before.ledger).copy();
        await story.world.submit({ key: 'B', replayProtected: false, ...call(2n) });
        await story.world.submit({ key: 'C', replayProtected: false, ...call(3n) });
        await flush();
        const [, landed = LANE, late = LANE] = before.chain.sent;
        before.chain.include(landed);
        await story.stopAll();

        const ledger = what === 'gone' ? new InMemoryLedger({ clock: before.clock }) : copy;
        await story.start(
          { acceptance: null },
          { clock: before.clock, chain: before.chain, ledger },
        );
        before.chain.mine();
        await story.world.round();
        before.chain.mine();
        await story.world.round();
        expect(story.world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
        await expect(
          story.world.submit({ key: 'D', replayProtected: false, ...call(4n) }),
        ).rejects.toMatchObject({
          code: 'LEDGER_BEHIND_CHAIN',
        });
        story.world.remember('B', { replayProtected: false, ...call(2n) });
        story.world.remember('C', { replayProtected: false, ...call(3n) });
        // A transaction that was sent with the lost ledger returns to a mempool. At this time, the
        // new ledger still waits until such transactions can no longer land.
        before.chain.deliver(late);
        await story.goOn(80, 11_000);
        expect(story.world.engine.status()).toMatchObject({
          ledger: null,
          lanes: [{ state: 'ready' }],
        });

        expect(
          await story.world.submit({ key: 'B', replayProtected: false, ...call(2n) }),
        ).toMatchObject({
          kind: 'same',
          attempt: { state: 'succeeded', transactionHash: landed },
        });
        await story.world.submit({ key: 'C', replayProtected: false, ...call(3n) });
        await story.world.submit({ key: 'D', replayProtected: false, ...call(4n) });
        await flush();
        await story.goOn(6);
        for (const key of ['B', 'C', 'D']) {
          expect(await story.world.last(key)).toMatchObject({ state: 'succeeded' });
          expect(await countPaid(story.world, key)).toBe(1);
        }
      },
    );

    it('a lane that is added after the loss of the ledger does not block the earlier lanes', async () => {
      const before = await story.start();
      await story.world.submit({ key: 'A', ...call(1n) });
      await flush();
      await story.goOn(2);
      await story.stopAll();
      await story.start({ lanes: BOTH, acceptance: null }, before);
      await story.world.submit({ key: 'B', ...call(2n) });
      await flush();
      await story.goOn(3);
      expect(await story.world.last('B')).toMatchObject({ state: 'succeeded', lane: LANE });
      expect(story.world.engine.status()).toMatchObject({
        ledger: null,
        lanes: [{ state: 'ready' }, { state: 'quarantined', reason: 'INTRODUCED' }],
      });
      await story.goOn(60, 11_000);
      expect(story.world.engine.status().lanes.map(({ state }) => state)).toEqual([
        'ready',
        'ready',
      ]);
    });

    it('an operator’s acceptance of an empty ledger is invalid if it contains a wrong nonce for any lane', async () => {
      const chainId = toFelt('0x534e5f54455354');
      const wrong = {
        chainId,
        nonces: new Map([
          [LANE, 0n],
          [SECOND, 1n],
        ]),
      };
      await story.start({ lanes: BOTH, acceptance: wrong });
      await story.world.round();
      expect(story.world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
      await story.start({
        lanes: BOTH,
        acceptance: {
          chainId,
          nonces: new Map([
            [LANE, 0n],
            [SECOND, 0n],
          ]),
        },
      });
      await story.world.round();
      expect(story.world.engine.status()).toMatchObject({
        ledger: null,
        lanes: [{ state: 'ready' }, { state: 'ready' }],
      });
    });
  });

  it('M9: no call is sent, and no row is created, during a temporary jump of an account’s nonce', async () => {
    await story.start();
    story.world.chain.jump(LANE, 1_000_000n);
    await story.world.submit();
    for (let round = 0; round < 4; round += 1) await story.world.round(2_500);
    expect(story.world.engine.status().lanes).toMatchObject([
      { state: 'resting', reason: 'NONCE_JUMP' },
    ]);
    // Nonce 0 was assigned before a poll showed the jump of the account's nonce.
    expect((await story.world.ledger.openNonces(LANE)).map(({ row }) => row.nonce)).toEqual([0n]);
    story.world.chain.jump(LANE, -1_000_000n);
    story.world.chain.mine();
    await story.goOn(4);
    expect(await story.world.last()).toMatchObject({ state: 'succeeded', nonce: 0n });
  });

  it('M9: a jump of the account nonce that lasts several blocks puts the ledger behind its chain', async () => {
    await story.start({ acceptance: null });
    await story.goOn(70, 11_000);
    story.world.chain.jump(LANE, 60_000_000n);
    for (let round = 0; round < 4; round += 1) {
      story.world.chain.mine();
      await story.world.round();
    }
    expect(story.world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    const [lane] = (await story.world.ledger.state()).lanes;
    expect(lane?.nextNonce).toBeGreaterThan(60_000_000n);
    expect((await story.world.ledger.openNonces(LANE)).length).toBeLessThan(10);
  });

  it('M9: nothing is sent while the node serves another chain', async () => {
    await story.start();
    story.world.chain.setChainId(toFelt('0xbad'));
    await story.world.round();
    await story.world.submit();
    await story.world.round();
    expect(story.world.chain.sent).toEqual([]);
    expect(story.world.engine.status().lanes).toMatchObject([
      { state: 'resting', reason: 'WRONG_CHAIN' },
    ]);
  });

  it('M10: a foreign transaction is logged as an error, and pauses the lane if the settings require it', async () => {
    const log = recording();
    await story.start({ pauseOnForeign: true }, {}, undefined, { logger: log.logger });
    const hash = story.world.chain.includeForeign(LANE);
    await story.world.round();
    await story.world.round();
    expect(
      log.fieldsOf(
        'a transaction of our account is not in the ledger: something else signs with its key',
      ),
    ).toMatchObject([{ transactionHash: hash }]);
    expect(story.world.engine.status()).toMatchObject({
      alarms: { foreign: 1 },
      lanes: [{ state: 'paused', reason: 'FOREIGN_TRANSACTION' }],
    });
    await story.world.submit();
    await story.world.round();
    expect(await story.world.last()).toMatchObject({ state: 'accepted' });
    await story.world.ledger.pauseLane(LANE, null);
    await story.goOn(4);
    expect(await story.world.last()).toMatchObject({ state: 'succeeded' });
  });

  describe('M11: the clock of one instance', () => {
    it.each([HOUR_MS, -HOUR_MS])(
      'no submission ends when the clock of one instance jumps by %i ms',
      async (stepMs) => {
        const one = await story.start();
        const clock = new ManualClock();
        const two = await story.start(
          { instance: 'two' },
          { clock, chain: one.chain, ledger: one.ledger },
        );
        await one.submit({ key: 'A', ...call(1n) });
        await flush();
        clock.step(stepMs);
        await two.submit({ key: 'B', ...call(2n) });
        for (let round = 0; round < 4; round += 1) {
          clock.advance(1_000);
          await one.round(1_000);
        }
        expect(await one.last('A')).toMatchObject({ state: 'broadcast' });
        expect((await one.last('B')).state).not.toBe('expired');
        expect(Math.abs((two.engine.status().clockSkewMs.store ?? 0) - stepMs)).toBeLessThan(
          10_000,
        );
        for (let round = 0; round < 3; round += 1) {
          one.chain.includeAll();
          await one.round(2_500);
        }
        expect(await one.last('B')).toMatchObject({ state: 'succeeded' });
      },
    );
  });

  it('M12: once a refused transaction lands, refusals no longer serve as proof', async () => {
    await story.start();
    story.world.chain.script({ ...REFUSED, arrives: true });
    await story.world.submit({ key: 'A' });
    await flush();
    expect(await story.world.last('A')).toMatchObject({ state: 'refused' });
    await story.goOn(2);
    expect(await story.world.last('A')).toMatchObject({
      state: 'succeeded',
      transactionHash: story.world.chain.included[0],
    });
    expect(story.world.engine.status()).toMatchObject({
      alarms: { disprovedRefusals: 1 },
      isStrict: true,
    });
    story.world.chain.script(REFUSED);
    await story.world.submit({ key: 'B', ...call(2n) });
    await flush();
    expect(await story.world.last('B')).toMatchObject({ state: 'broadcast' });
  });
});
