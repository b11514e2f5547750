import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { FakeNodeDown } from '../../src/testing/index.js';
import { LostLedger, wanted } from '../support/lost-ledger.js';
import { LANE, World, flush, settings, inMemory } from './world.js';

const SECOND = toFelt('0x2a4e');

let lost: LostLedger;
beforeEach(() => {
  lost = new LostLedger();
});
afterEach(async () => {
  await lost.stop();
});

describe('ledger that is behind its chain', () => {
  it('a ledger behind its chain accepts no new request and sends no call', async () => {
    await lost.start();
    const copy = inMemory(lost.world.ledger).copy();
    await lost.pay(1n);
    await copy.apply({
      type: 'request',
      submission: { ...wanted(5n), id: 'waits', deadlineAfterMs: 600_000 },
    });
    await lost.lose({}, copy);
    await lost.rounds(3);
    expect(lost.world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    await expect(lost.world.submit(wanted(6n))).rejects.toMatchObject({
      code: 'LEDGER_BEHIND_CHAIN',
      retryAfterSeconds: 30,
    });
    expect(await lost.world.submit(wanted(5n))).toMatchObject({ kind: 'same' });
    await lost.world.round(120_000);
    expect(await lost.world.last('key 5')).toMatchObject({ state: 'accepted' });
  });

  it('the outcomes of the service’s calls are adopted after every quarantined nonce is consumed', async () => {
    await lost.start();
    await lost.pay(1n);
    await lost.pay(2n, { execution: 'REVERTED', revertReason: 'no' });
    await lost.lose();
    await lost.rounds(5);
    expect([lost.world.engine.status().ledger, lost.adopted]).toEqual(['LEDGER_BEHIND_CHAIN', 0]);
    await lost.rounds(40);
    expect([lost.world.engine.status().ledger, lost.adopted]).toEqual([null, 2]);
    expect(await lost.lane()).toMatchObject({ quarantine: null });
    expect(await lost.world.last('key 1')).toMatchObject({
      state: 'succeeded',
      transactionHash: lost.world.chain.included[0],
    });
    expect(await lost.world.last('key 2')).toMatchObject({ state: 'reverted', revertReason: 'no' });
    expect(await lost.world.submit(wanted(1n))).toMatchObject({
      kind: 'same',
      attempt: { state: 'succeeded' },
    });
    await lost.world.submit(wanted(3n));
    await lost.rounds(2);
    expect(await lost.world.last('key 3')).toMatchObject({ state: 'succeeded' });
  });

  it('adopts a call in flight that lands during the quarantine', async () => {
    await lost.start();
    await lost.world.submit(wanted(1n));
    await flush();
    await lost.lose();
    lost.world.chain.includeAll();
    await lost.rounds(45);
    expect(lost.world.engine.status().ledger).toBeNull();
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
    expect(lost.world.engine.status().alarms).toMatchObject({ foreign: 0 });
  });

  it('only a transaction with exactly one known call is adopted', async () => {
    await lost.start();
    const call = wanted(1n);
    for (const calls of [[], [call, call], null, [wanted(9n)]])
      lost.world.chain.includeForeign(LANE, { calls });
    lost.world.remember('key 1', call);
    await lost.lose();
    await lost.rounds(45);
    expect([lost.world.engine.status().ledger, lost.adopted]).toEqual([null, 0]);
    expect(await lost.world.ledger.lastAttempt('key 1')).toBeNull();
  });

  it('an outcome that a rollback has changed is adopted as it is on chain at the time of the read', async () => {
    await lost.start();
    await lost.pay(1n);
    await lost.lose();
    lost.world.chain.rollback(0, 'waiting');
    lost.world.chain.includeAll({ execution: 'REVERTED', revertReason: 'no' });
    await lost.rounds(45);
    expect([lost.world.engine.status().ledger, lost.adopted]).toEqual([null, 1]);
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'reverted', undone: null });
  });

  it('no outcome is adopted from a block that the evidence does not confirm', async () => {
    await lost.start();
    await lost.pay(1n);
    await lost.lose();
    const transactions = lost.world.chain.transactions.bind(lost.world.chain);
    let isOfFork = true;
    let reads = 0;
    lost.world.chain.transactions = async (...range) => {
      reads += 1;
      const { sent, last } = await transactions(...range);
      return { sent, last: isOfFork && last !== null ? { ...last, hash: LANE } : last };
    };
    await lost.rounds(45);
    expect([lost.adopted, lost.world.engine.status().ledger]).toEqual([0, 'LEDGER_BEHIND_CHAIN']);
    expect(reads).toBeGreaterThan(1);
    isOfFork = false;
    await lost.rounds(10);
    expect([lost.adopted, lost.world.engine.status().ledger]).toEqual([1, null]);
  });

  it('the recovery begins slightly below the last block that the ledger has stored', async () => {
    await lost.start();
    const read: (readonly [number, number])[] = [];
    const note = (): void => {
      const transactions = lost.world.chain.transactions.bind(lost.world.chain);
      lost.world.chain.transactions = async (accounts, from, to) => {
        read.push([from, to]);
        return transactions(accounts, from, to);
      };
    };
    note();
    lost.world.chain.mine(100);
    await lost.world.round(61_000);
    const { lastBlock } = await lost.world.ledger.state();
    expect(lastBlock).toBe(100);
    const copy = inMemory(lost.world.ledger).copy();
    await lost.pay(1n);
    await lost.lose({}, copy);
    await lost.rounds(45);
    expect(lost.world.engine.status().ledger).toBeNull();
    expect(read[0]?.[0]).toBe(80);
    expect(read.every(([from, to]) => to - from < 50)).toBe(true);
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('a ledger is behind its chain if an account without a lane row has sent a call before its last transaction', async () => {
    await lost.start({ lanes: [{ address: SECOND, role: 'relay' }] });
    const ledger = inMemory(lost.world.ledger);
    const copy = ledger.copy();
    await lost.lose({ acceptance: 'always' }, ledger);
    await lost.pay(1n);
    lost.world.chain.includeForeign(LANE);
    lost.world.chain.mine(700);
    await lost.lose(
      { lanes: [...settings.lanes, { address: SECOND, role: 'relay' }], adoptBackMs: 3_600_000 },
      copy,
    );
    await lost.world.round();
    expect(await lost.lane()).toMatchObject({ nextNonce: null });
    expect(lost.world.engine.status()).toMatchObject({
      ledger: 'NOT_JUDGED',
      lanes: [{ state: 'resting', reason: 'HISTORY_NOT_READ' }, {}],
    });
    await lost.rounds(4);
    expect(lost.world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    await lost.rounds(45);
    expect(lost.world.engine.status().ledger).toBeNull();
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('a ledger is behind its chain if an account without a lane row sends a call while older blocks are read', async () => {
    await lost.start({ lanes: [{ address: SECOND, role: 'relay' }] });
    lost.world.chain.includeForeign(LANE);
    lost.world.chain.mine(700);
    const before = lost.world;
    await before.engine.stop();
    const call = wanted(1n);
    lost.use(
      new World(
        {
          lanes: [...settings.lanes, { address: SECOND, role: 'relay' }],
          acceptance: null,
          adoptBackMs: 3_600_000,
        },
        before,
      ),
    );
    lost.world.remember('key 1', call);
    await lost.world.engine.start();
    expect(await lost.lane()).toMatchObject({ nextNonce: null });
    lost.world.chain.includeForeign(LANE, { calls: [call] });
    lost.world.chain.includeForeign(LANE);
    for (let round = 0; round < 8; round += 1) await lost.world.round(1_000);
    expect(await lost.lane()).toMatchObject({ quarantine: { cause: 'behind' } });
  });

  it('the engine starts although an account without a lane row can not be read', async () => {
    await lost.start();
    lost.world.chain.unreadable(SECOND);
    const before = lost.world;
    await before.engine.stop();
    lost.use(
      new World(
        { lanes: [...settings.lanes, { address: SECOND, role: 'relay' }], acceptance: null },
        before,
      ),
    );
    await lost.world.engine.start();
    await lost.world.submit(wanted(1n));
    await lost.rounds(1);
    expect(lost.world.engine.status().ledger).toBe('NOT_JUDGED');
    await lost.rounds(8);
    expect(lost.world.engine.status().ledger).toBeNull();
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('nothing is sent until the transactions under all nonces passed at the start are known', async () => {
    const lanes = [
      { address: LANE, role: 'relay' },
      { address: SECOND, role: 'relay' },
    ] as const;
    await lost.start({ lanes });
    await lost.world.submit(wanted(1n));
    await flush();
    const before = lost.world;
    const held = (await before.ledger.openNonces(LANE)).length > 0 ? LANE : SECOND;
    const copy = inMemory(before.ledger).copy();
    const waiting = wanted(2n, { replayProtected: false });
    await copy.apply({
      type: 'request',
      submission: { ...waiting, id: 'waits', deadlineAfterMs: 600_000 },
    });
    await before.engine.stop();
    // The held nonce was used for the other call with the lost ledger. This call still waits in the
    // copy.
    before.chain.includeForeign(held, { calls: [waiting] });
    const sent = before.chain.sent.length;
    lost.use(
      new World(
        { lanes, acceptance: null },
        { clock: before.clock, chain: before.chain, ledger: copy },
      ),
    );
    lost.world.remember('key 2', waiting);
    lost.world.historyFailure = new FakeNodeDown('the history can not be read');
    await lost.world.engine.start();
    await lost.rounds(3, 1_000);
    expect(lost.world.engine.status().ledger).toBe('NOT_JUDGED');
    expect(lost.world.chain.sent).toHaveLength(sent);
    lost.world.historyFailure = null;
    await lost.rounds(45);
    expect(lost.world.engine.status().ledger).toBeNull();
    expect(await lost.world.last('key 2')).toMatchObject({ state: 'succeeded', id: 'waits' });
  });

  it('the quarantine does not end while a block of the lost ledger’s history can not be read', async () => {
    await lost.start();
    await lost.pay(1n);
    await lost.lose();
    lost.world.chain.unreadable(1);
    await lost.rounds(45);
    expect(lost.world.engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    lost.world.chain.unreadable(1, false);
    await lost.rounds(2);
    expect(lost.world.engine.status().ledger).toBeNull();
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });

  it('puts all lanes into quarantine, and ends the quarantines of all lanes together', async () => {
    const lanes = [
      { address: LANE, role: 'relay' },
      { address: SECOND, role: 'relay' },
    ] as const;
    await lost.start({ lanes });
    const copy = inMemory(lost.world.ledger).copy();
    await lost.pay(1n);
    await lost.lose({ lanes }, copy);
    await lost.rounds(4);
    expect([await lost.lane(), await lost.lane(SECOND)]).toMatchObject([
      { quarantine: { cause: 'behind' } },
      { quarantine: { cause: 'behind' } },
    ]);
    await lost.rounds(45);
    expect([await lost.lane(), await lost.lane(SECOND)]).toMatchObject([
      { quarantine: null },
      { quarantine: null },
    ]);
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });
});

describe('new lane among known ones', () => {
  it('a new lane next to known lanes ends its quarantine when its nonces are consumed', async () => {
    await lost.start();
    await lost.pay(1n);
    const before = lost.world;
    await before.engine.stop();
    const lanes = [...settings.lanes, { address: SECOND, role: 'relay' } as const];
    lost.use(new World({ lanes, acceptance: null }, before));
    await lost.world.engine.start();
    await lost.rounds(45);
    expect(await lost.lane(SECOND)).toMatchObject({ quarantine: null });
    expect(lost.adopted).toBe(0);
  });
});
