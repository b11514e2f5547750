import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import type { Ledger, SubmissionSettings } from '../../src/index.js';
import { FakeChain, FakeNodeDown } from '../../src/testing/index.js';
import { LANE, flush, inMemory, settings, type World } from '../unit/world.js';
import { BOTH, SECOND, Story, call, countPaid } from './story.js';

/** Start time of the process. The chain began before this time, as real chains do. */
const NOW_MS = 1_700_000_000_000;
/** Duration of a lease, which is longer than a restart. */
const LEASE_MS = 60_000;
const UNPROTECTED = { replayProtected: false } as const;

/** Tests of scenarios in which a copy replaces a ledger, or in which a node lags behind. */
describe('stories of restored copies', () => {
  const story = Story.forEachTest();

  /**
   * Creates the clock and the chain of one network. The time of a block is the time of the clock.
   */
  function network(): { clock: ManualClock; chain: FakeChain } {
    const clock = new ManualClock(NOW_MS);
    const chain = new FakeChain({ nowSeconds: () => Math.floor(clock.nowMs() / 1_000) });
    return { clock, chain };
  }

  const YOUNG: Partial<SubmissionSettings> = { needsYoungHead: true };

  /** Adds blocks every 2 s; each block includes all waiting transactions. */
  async function blocks(count: number): Promise<void> {
    for (let block = 0; block < count; block += 1) {
      story.world.chain.includeAll();
      story.world.chain.mine();
      await story.world.round(2_000);
    }
  }

  /**
   * Starts a process with a copy of the ledger and the current chain. The process recognises all
   * earlier calls on chain.
   */
  async function restore(before: World, copy: Ledger, change: Partial<SubmissionSettings> = {}) {
    await story.stopAll();
    const world = story.add(
      { ...YOUNG, acceptance: null, ...change },
      { clock: before.clock, chain: before.chain, ledger: copy },
    );
    world.requested.push(...before.requested);
    return world;
  }

  it('T4: a call is paid once even if the first node that is queried lags behind the restored ledger', async () => {
    const before = await story.start(YOUNG, network());
    await blocks(3);
    const copy = inMemory(before.ledger).copy();
    // Chain head at the time of the copy. The node will return this old head to the new process.
    const shown = await before.chain.head([LANE]);
    await before.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(4);
    expect(await before.last('A')).toMatchObject({ state: 'succeeded' });

    const world = await restore(before, copy);
    const head = world.chain.head.bind(world.chain);
    world.chain.head = async () => shown;
    await world.engine.start();
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await world.round(1_000);
    await world.round(2_000);
    expect(world.engine.status()).toMatchObject({
      ledger: 'NOT_JUDGED',
      notJudged: { why: 'NO_YOUNG_HEAD' },
    });
    expect(await world.last('A')).toMatchObject({ state: 'accepted' });
    world.chain.head = head;
    await blocks(220);
    expect(world.engine.status()).toMatchObject({ ledger: null, notJudged: null });
    expect(await countPaid(world, 'A')).toBe(1);
    expect(await world.last('A')).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  it('T4: a call is not sent twice if another node returns a higher account nonce than the restored ledger', async () => {
    const before = await story.start({ ...YOUNG, lanes: BOTH }, network());
    await blocks(3);
    const copy = inMemory(before.ledger).copy();
    await before.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(4);
    expect(await before.last('A')).toMatchObject({ state: 'succeeded' });
    const { lane } = await before.last('A');

    const world = await restore(before, copy, { lanes: BOTH });
    const head = world.chain.head.bind(world.chain);
    // One node is used for reads: it has the newest block but an old account state. The other node
    // is correct.
    world.chain.head = async (accounts) => {
      const shown = await head(accounts);
      const accountsThen = [...shown.accounts].map(
        ([address, state]) =>
          [address, address === lane ? { ...state, nonce: 0n } : state] as const,
      );
      return { ...shown, accounts: new Map(accountsThen) };
    };
    world.chain.addNodes({ head: (accounts) => head(accounts) });
    await world.engine.start();
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(3);
    expect(world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    world.chain.head = head;
    await blocks(220);
    expect(world.engine.status().ledger).toBeNull();
    expect(await countPaid(world, 'A')).toBe(1);
    expect(await world.last('A')).toMatchObject({ state: 'succeeded', attempt: 1 });
  });

  it('T4: after a node has returned an account nonce above the ledger’s nonce, no call is sent even after a rollback', async () => {
    const before = await story.start(YOUNG, network());
    await blocks(3);
    const copy = inMemory(before.ledger).copy();
    await before.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await flush();
    const { blockNumber } = await before.chain.head([]);
    await blocks(1);
    const [hash = LANE] = before.chain.sent;
    expect(before.chain.included).toEqual([hash]);

    const world = await restore(before, copy);
    // The node returns the account's nonce, but does not find the transaction that consumed the
    // nonce.
    world.historyFailure = new FakeNodeDown('the block can not be read');
    await world.engine.start();
    // The block is undone. No node has its transaction any more, until that transaction is sent
    // again.
    world.chain.rollback(blockNumber);
    world.chain.mine(5);
    world.historyFailure = null;
    await world.round(2_000);
    await expect(world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) })).rejects.toMatchObject({
      code: 'LEDGER_BEHIND_CHAIN',
    });
    await world.round(2_000);
    world.chain.deliver(hash);
    await blocks(220);
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(5);
    expect(await countPaid(world, 'A')).toBe(1);
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
  });

  it('T4: a higher account nonce on chain blocks all calls even while the restored lease of a dead instance is valid', async () => {
    const before = await story.start({ ...YOUNG, leaseTtlMs: LEASE_MS }, network());
    await blocks(3);
    const copy = inMemory(before.ledger).copy();
    await before.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await flush();
    const { blockNumber } = await before.chain.head([]);
    await blocks(1);
    const [hash = LANE] = before.chain.sent;

    const world = await restore(before, copy, { instance: 'another' });
    await world.engine.start();
    await world.round(2_000);
    expect(world.engine.status().lanes).toMatchObject([{ state: 'held_elsewhere' }]);
    world.chain.rollback(blockNumber);
    world.chain.mine(5);
    await world.round(2_000);
    expect(world.engine.status()).toMatchObject({ notJudged: { why: 'NONCE_JUMP', nonce: 1n } });
    await world.round(LEASE_MS);
    await world.round(2_000);
    await expect(world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) })).rejects.toMatchObject({
      code: 'LEDGER_BEHIND_CHAIN',
    });
    world.chain.deliver(hash);
    await blocks(220);
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(5);
    expect(await countPaid(world, 'A')).toBe(1);
    expect(await world.last('A')).toMatchObject({ state: 'succeeded', transactionHash: hash });
  });

  it('T4: no lane sends a call again if the call is still in a mempool when the ledger is restored', async () => {
    const before = await story.start({ ...YOUNG, lanes: BOTH }, network());
    await blocks(3);
    const copy = inMemory(before.ledger).copy();
    await before.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await flush();
    const [hash = LANE] = before.chain.sent;
    const { lane } = await before.last('A');

    copy.markPossibleCopy();
    const world = await restore(before, copy, { lanes: BOTH });
    await world.engine.start();
    await expect(world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) })).rejects.toMatchObject({
      code: 'LEDGER_BEHIND_CHAIN',
    });
    expect(world.engine.status()).toMatchObject({
      ledger: 'LEDGER_BEHIND_CHAIN',
      notJudged: { why: 'MAY_BE_COPY' },
    });
    world.chain.mine(3);
    await world.round(2_000);
    world.chain.include(hash);
    await blocks(220);
    expect(world.engine.status()).toMatchObject({
      ledger: null,
      lanes: [{ state: 'ready' }, { state: 'ready' }],
      alarms: { foreign: 0 },
    });
    expect(await copy.state()).toMatchObject({ possibleCopySinceMs: null });
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(4);
    expect(await countPaid(world, 'A')).toBe(1);
    expect(await world.last('A')).toMatchObject({
      state: 'succeeded',
      lane,
      transactionHash: hash,
    });
  });

  it('T4: no outcome is read from a node that lags behind the quarantined nonces', async () => {
    const before = await story.start(YOUNG, network());
    await blocks(3);
    const copy = inMemory(before.ledger).copy();
    copy.markPossibleCopy();
    const world = await restore(before, copy);
    const last = BigInt(settings.nonceWindow) - 1n;
    const head = world.chain.head.bind(world.chain);
    world.chain.head = async (accounts) => {
      const shown = await head(accounts);
      const lags = [...shown.accounts].map(
        ([address, state]) =>
          [address, { ...state, nonce: state.nonce > last ? last : state.nonce }] as const,
      );
      return { ...shown, accounts: new Map(lags) };
    };
    await world.engine.start();
    await blocks(220);
    expect((await copy.openNonces(LANE)).length).toBe(0);
    expect(world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    world.chain.head = head;
    await blocks(3);
    expect(world.engine.status().ledger).toBeNull();
  });

  it('T4: a call that never landed is sent again after all quarantined nonces are consumed', async () => {
    const before = await story.start(YOUNG, network());
    await blocks(3);
    const copy = inMemory(before.ledger).copy();
    await before.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await flush();
    const [hash = LANE] = before.chain.sent;
    before.chain.drop(hash);
    copy.markPossibleCopy();
    const world = await restore(before, copy);
    await world.engine.start();
    await blocks(220);
    expect(world.engine.status().ledger).toBeNull();
    // The nonce of this transaction is consumed, so the transaction can no longer land.
    world.chain.deliver(hash);
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(4);
    expect(await countPaid(world, 'A')).toBe(1);
  });

  it('T4: an unprotected call waits for a mempool lifetime if a node returns an account nonce above the ledger’s nonce', async () => {
    const world = await story.start({ ...YOUNG, lanes: BOTH }, network());
    await blocks(3);
    expect(world.engine.status().ledger).toBeNull();
    const { chain } = world;
    chain.addNodes({
      head: async (accounts) => ({
        ...(await chain.head(accounts)),
        accounts: new Map([[SECOND, { nonce: 5n, balanceFri: 0n }]]),
      }),
    });
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await world.submit({ key: 'B', ...call(2n) });
    await blocks(4);
    expect(await world.last('A')).toMatchObject({ state: 'accepted' });
    expect(await world.last('B')).toMatchObject({ state: 'succeeded' });
    chain.addNodes();
    // A rollback may have undone the transaction and returned it to a mempool.
    await blocks(4);
    expect(await world.last('A')).toMatchObject({ state: 'accepted' });
    await blocks(220);
    await world.submit({ key: 'A', ...UNPROTECTED, ...call(1n) });
    await blocks(4);
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
  });

  it.each([
    ['a time in the future', { timestamp: NOW_MS / 1_000 + 3_600 }, 'HEAD_IN_FUTURE'],
    ['no time', { timestamp: 0 }, 'NO_YOUNG_HEAD'],
  ] as const)(
    'T4: if a node returns %s, no call is sent, and the status contains the reason',
    async (_what, change, why) => {
      const before = await story.start(YOUNG, network());
      await blocks(3);
      const world = await restore(before, before.ledger, { acceptance: 'always' });
      const head = world.chain.head.bind(world.chain);
      world.chain.head = async (accounts) => ({
        ...(await head(accounts)),
        ...change,
      });
      await world.engine.start();
      await world.submit({ key: 'A', ...call(1n) });
      world.clock.advance(settings.queueTimeoutMs);
      await blocks(3);
      expect(world.engine.status()).toMatchObject({ ledger: 'NOT_JUDGED', notJudged: { why } });
      expect(world.chain.sent).toEqual([]);
      // While the ledger is not judged, lookups and repeated requests are answered, and no attempt
      // ends.
      expect(await world.submit({ key: 'A', ...call(1n) })).toMatchObject({
        kind: 'same',
        attempt: { state: 'accepted' },
      });
      world.chain.head = head;
      await blocks(2);
      expect(world.engine.status().ledger).toBeNull();
    },
  );

  it('T5: requests that the lost ledger had paid do not expire before the ledger is compared with its chain', async () => {
    const before = await story.start(YOUNG, network());
    await blocks(3);
    const head = await before.chain.head([LANE]);
    // Both attempts are waiting when the copy is made.
    before.chain.failReads();
    for (const [key, felt] of [
      ['A', 1n],
      ['B', 2n],
    ] as const)
      await before.submit({ key, ...call(felt) });
    const copy = inMemory(before.ledger).copy();
    const ids = new Map([
      ['A', (await before.last('A')).id],
      ['B', (await before.last('B')).id],
    ]);
    before.chain.failReads(null);
    await blocks(6);
    for (const key of ids.keys())
      expect(await before.last(key)).toMatchObject({ state: 'succeeded' });

    // An operator had ended one of the two attempts in the copy.
    await copy.apply({
      type: 'end_waiting',
      attempt: { key: 'B', attempt: 1 },
      to: 'expired',
      code: 'NOT_SENT_IN_TIME',
      notBeforeMs: 0,
    });
    const world = await restore(before, copy);
    const changed: string[] = [];
    world.changes.follow((id) => void changed.push(id));
    const current = world.chain.head.bind(world.chain);
    world.chain.head = async () => head;
    await world.engine.start();
    for (let round = 0; round < 40; round += 1) await world.round(2_000);
    // The elapsed time is longer than the queue's timeout.
    expect(await world.last('A')).toMatchObject({ state: 'accepted' });
    world.chain.head = current;
    await blocks(220);
    for (const [key, id] of ids) {
      const attempt = await world.ledger.attemptById(id);
      expect(attempt).toMatchObject({ attempt: 1, state: 'succeeded', rejectionCode: null });
      expect(await world.submit({ key, ...call(key === 'A' ? 1n : 2n) })).toMatchObject({
        kind: 'same',
        attempt: { id, transactionHash: attempt?.transactionHash },
      });
      expect(await countPaid(world, key)).toBe(1);
      expect(changed).toContain(id);
    }
  });

  it('T5: once the ledger is compared with its chain, an unsigned attempt expires even if the node is unavailable', async () => {
    const world = await story.start(YOUNG, network());
    await blocks(3);
    expect(world.engine.status().ledger).toBeNull();
    await world.ledger.pauseLane(LANE, 'an operator has stopped it');
    world.chain.failReads();
    await world.submit({ key: 'A', ...call(1n) });
    await world.round(settings.queueTimeoutMs + 1);
    await world.round(10_000);
    await world.round(10_000);
    expect(await world.last('A')).toMatchObject({
      state: 'expired',
      rejectionCode: 'NOT_SENT_IN_TIME',
    });
  });
});
