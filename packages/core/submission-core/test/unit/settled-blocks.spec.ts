import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { FakeNodeDown } from '../../src/testing/index.js';
import {
  LedgerUnavailable,
  MAX_CONFIRMED,
  headOf,
  type ChainEvidence,
  type NonceRow,
  type SubmissionSettings,
} from '../../src/index.js';
import { LANE, World, flush, settings } from './world.js';

const { horizonMs } = settings;

describe('blocks that settled nonces', () => {
  let world: World;
  let asked: number[];
  const start = async (change: Partial<SubmissionSettings> = {}): Promise<void> => {
    world = new World(change);
    asked = [];
    const confirm = world.chain.confirm.bind(world.chain);
    world.chain.confirm = async (first, heights): Promise<ChainEvidence> => {
      asked.push(...heights);
      return confirm(first, heights);
    };
    await world.engine.start();
  };
  /** Settles this many calls, each in a separate block. */
  const settled = async (count = 1): Promise<void> => {
    for (let felt = 0; felt < count; felt += 1) {
      await world.submit({ key: `S${felt}`, calldata: Felts.of([BigInt(felt)]) });
      await flush();
      world.chain.includeAll();
      await world.round();
    }
  };
  const look = async (): Promise<void> => {
    await world.round();
    asked = asked.filter((number) => number > 0);
  };
  const unfinal = (): Promise<readonly NonceRow[]> =>
    world.ledger.unfinalNonces(LANE, 'oldest', 100);
  /** Records which unfinal rows are read from now on. */
  const reads = (): string[] => {
    const read: string[] = [];
    const unfinalNonces = world.ledger.unfinalNonces.bind(world.ledger);
    world.ledger.unfinalNonces = (lane, order, limit) => {
      read.push(order);
      return unfinalNonces(lane, order, limit);
    };
    return read;
  };
  beforeEach(() => start());
  afterEach(() => world.engine.stop());

  it('are compared with the node’s chain once; then a poll queries one height for any number of them', async () => {
    await settled(4);
    world.chain.mine(3);
    await look();
    world.chain.mine();
    asked.length = 0;
    await look();
    expect(asked).toHaveLength(1);
    asked.length = 0;
    // The head is the one that was compared last: no query is needed.
    await look();
    expect(asked).toEqual([]);
  });

  it('are read once in a poll interval, even if many polls are brought forward', async () => {
    await settled();
    const read = reads();
    let looks = 0;
    const head = world.chain.head.bind(world.chain);
    world.chain.head = (accounts) => {
      looks += accounts.length;
      return head(accounts);
    };
    for (let pushed = 0; pushed < 8; pushed += 1) {
      await world.submit({ key: `more ${pushed}`, calldata: Felts.of([BigInt(50 + pushed)]) });
      await flush();
      world.chain.includeAll();
      world.events.push('head');
      await world.round(125);
    }
    expect(looks).toBe(8);
    expect(read).toEqual(['newest', 'newest']);
  });

  it('are not read again before the lane is written to, or some can be final', async () => {
    await settled();
    await look();
    const read = reads();
    world.chain.mine(3);
    await look();
    world.chain.mine();
    await look();
    expect(read).toEqual([]);
    await world.submit({ key: 'more', calldata: Felts.of([99n]) });
    await look();
    expect(read).not.toEqual([]);
    await look();
    read.length = 0;
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    await look();
    // The rows in memory are compared again: nothing was written since.
    expect(read).toEqual([]);
    expect(await unfinal()).toHaveLength(0);
  });

  it('are read again after a write whose answer was lost, so that its settlement becomes final', async () => {
    const apply = world.ledger.apply.bind(world.ledger);
    let lost = 0;
    world.ledger.apply = async (event) => {
      const result = await apply(event);
      if (event.type !== 'settle') return result;
      lost += 1;
      throw new LedgerUnavailable();
    };
    await settled();
    await look();
    expect([lost, (await unfinal()).length]).toEqual([1, 1]);
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    await look();
    expect(await unfinal()).toHaveLength(0);
  });

  it('are read again once a minute, so that outcomes adopted by another instance become final', async () => {
    await look();
    const rows = world.ledger.unfinalNonces.bind(world.ledger);
    let read = 0;
    world.ledger.unfinalNonces = (...of) => {
      read += 1;
      return rows(...of);
    };
    for (let passedMs = 0; passedMs < 120_000; passedMs += settings.idleIntervalMs) await look();
    expect(read).toBe(2);
  });

  it('are noticed as undone even if they were not read again', async () => {
    await settled();
    await look();
    world.chain.mine(3);
    await look();
    const read = reads();
    world.chain.rollback(0, 'waiting');
    world.chain.mine(5);
    await look();
    expect(read).toEqual([]);
    expect(await unfinal()).toHaveLength(0);
  });

  it('are not queried while none can become final', async () => {
    world.chain.mine(3);
    asked.length = 0;
    await look();
    expect(asked).toEqual([]);
  });

  it('reopen their nonces when undone, and leave lower ones', async () => {
    await settled(3);
    await look();
    world.chain.rollback(1, 'waiting');
    world.chain.mine(4);
    await look();
    expect((await world.ledger.openNonces(LANE)).map(({ row }) => row.nonce)).toEqual([1n, 2n]);
    expect(await world.last('S0')).toMatchObject({ state: 'succeeded' });
    expect(await world.last('S1')).toMatchObject({
      state: 'broadcast',
      nonce: 1n,
      undone: { execution: 'SUCCEEDED' },
    });
    expect(world.engine.status().alarms).toMatchObject({ reopened: 2 });
    expect(world.reached.filter((name) => name === 'reopened')).toHaveLength(2);
    world.chain.includeAll();
    await look();
    expect(await world.last('S2')).toMatchObject({ state: 'succeeded', nonce: 2n });
  });

  it('are noticed as undone if the highest known block is replaced at the same height', async () => {
    await settled(1);
    await look();
    const { blockNumber } = await world.chain.head([]);
    world.chain.rollback(0, 'waiting');
    world.chain.mine(blockNumber);
    await look();
    expect(await world.last('S0')).toMatchObject({ state: 'broadcast' });
  });

  it('reopen no nonce for a node that is behind: a lower head proves nothing', async () => {
    await settled(2);
    await look();
    world.chain.rollback(0, 'waiting');
    await look();
    await look();
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
    expect(await world.last('S1')).toMatchObject({ state: 'succeeded' });
    expect(world.engine.status().alarms).toMatchObject({ reopened: 0 });
    // Other blocks at these heights are the evidence.
    world.chain.mine(2);
    await look();
    expect((await world.ledger.openNonces(LANE)).map(({ row }) => row.nonce)).toEqual([0n, 1n]);
  });

  it('are not reopened because of a lower account nonce', async () => {
    await settled(1);
    world.chain.setNonce(LANE, 0n);
    await look();
    await look();
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
  });

  it('are final at ACCEPTED_ON_L1, and higher ones are not', async () => {
    await settled(3);
    world.chain.acceptOnL1(2);
    await look();
    expect((await unfinal()).map(({ nonce }) => nonce)).toEqual([2n]);
    expect(await world.last('S1')).toMatchObject({ isFinal: true });
    expect(await world.last('S2')).toMatchObject({ isFinal: false });
  });

  it('become final over several polls if L1 accepts many at once, so that no poll is long', async () => {
    await settled(60);
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    await look();
    expect(await unfinal()).toHaveLength(10);
    await look();
    expect(await unfinal()).toHaveLength(0);
  });

  it('are final after the horizon if the chain does not report L1, by the store’s clock', async () => {
    await settled(1);
    world.clock.step(horizonMs);
    await look();
    expect(await unfinal()).toHaveLength(1);
    await world.round(horizonMs - 20_000);
    expect(await unfinal()).toHaveLength(1);
    await world.round(20_000);
    await look();
    expect(await unfinal()).toEqual([]);
    expect(await world.last('S0')).toMatchObject({ state: 'succeeded', isFinal: false });
  });

  it('are not made final by a node that is behind: it proves neither L1 nor the horizon', async () => {
    await settled(1);
    await look();
    world.chain.rollback(0, 'waiting');
    await world.round(2 * horizonMs);
    await look();
    expect(await unfinal()).toHaveLength(1);
  });

  it('are final on every lane, and final ones are not reopened by one poll', async () => {
    await settled(1);
    world.chain.acceptOnL1(1);
    await look();
    world.chain.acceptOnL1(null);
    world.chain.rollback(0, 'waiting');
    world.chain.mine(4);
    await look();
    await look();
    expect(await world.last('S0')).toMatchObject({ state: 'succeeded', isFinal: true });
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
  });

  it('are reopened when two polls contradict them, even if another holder of the lane made them final', async () => {
    await settled(1);
    await look();
    // Another instance leases the lane, makes the row final, and loses the lane again.
    world.clock.advance(settings.leaseTtlMs + 1);
    const lease = await world.ledger.lease(LANE, 'another', settings.leaseTtlMs);
    const [row] = await unfinal();
    if (!lease || !row?.settlement?.block) throw new Error('the other holder has nothing to write');
    world.chain.acceptOnL1(row.settlement.block.number);
    const head = await world.chain.head([]);
    const made = await world.ledger.apply({
      type: 'finalize',
      lane: LANE,
      nonce: row.nonce,
      fence: lease.fence,
      block: row.settlement.block,
      evidence: await world.chain.confirm(headOf(head), [row.settlement.block.number]),
      horizonMs,
    });
    expect(made.applied).toBe(true);
    world.clock.advance(settings.leaseTtlMs + 1);
    await look();
    world.chain.acceptOnL1(null);
    world.chain.rollback(0, 'waiting');
    for (let poll = 0; poll < 6; poll += 1) {
      world.chain.mine(4);
      await look();
    }
    expect(world.engine.status().alarms).toMatchObject({ reopenedFinal: 1 });
  });

  it('become final only with a read of the newest final one, so that all final ones are on one chain', async () => {
    await settled(1);
    const [first] = await unfinal();
    const height = first?.settlement?.block?.number ?? 0;
    world.chain.acceptOnL1(height);
    await look();
    world.chain.acceptOnL1(null);
    world.chain.rollback(0, 'waiting');
    world.chain.mine(2);
    world.chain.includeAll();
    // The node has no hash of the replaced block.
    const confirm = world.chain.confirm.bind(world.chain);
    world.chain.confirm = async (head, heights): Promise<ChainEvidence> => {
      const evidence = await confirm(head, heights);
      return { ...evidence, blocks: new Map([...evidence.blocks].filter(([at]) => at !== height)) };
    };
    await world.submit({ key: 'next', calldata: Felts.of([7n]) });
    await flush();
    world.chain.includeAll();
    await look();
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    world.chain.mine(2);
    await look();
    await look();
    expect((await unfinal()).map(({ nonce }) => nonce)).toEqual([1n]);
    world.chain.confirm = confirm;
    for (let poll = 0; poll < 4; poll += 1) {
      world.chain.mine();
      await look();
    }
    expect(world.engine.status().alarms).toMatchObject({ reopenedFinal: 1 });
    expect(await unfinal()).toEqual([]);
  });

  it('are compared by the next poll if they can not be read, and other work continues', async () => {
    await settled(2);
    world.chain.rollback(1, 'waiting');
    world.chain.mine(4);
    world.chain.unreadable(2);
    await look();
    expect(await world.last('S1')).toMatchObject({ state: 'succeeded' });
    await world.submit({ key: 'more', calldata: Felts.of([99n]) });
    await flush();
    expect(await world.last('more')).toMatchObject({ state: 'broadcast' });
    world.chain.unreadable(2, false);
    await look();
    expect(await world.last('S1')).toMatchObject({ state: 'broadcast', nonce: 1n });
  });

  it('are queried in closing reads of one batch each, for any number in a new process', async () => {
    await settled(90);
    await world.engine.stop();
    world = world.restarted();
    const perRead: number[] = [];
    const confirm = world.chain.confirm.bind(world.chain);
    world.chain.confirm = async (first, heights): Promise<ChainEvidence> => {
      perRead.push(heights.length);
      return confirm(first, heights);
    };
    await world.engine.start();
    await look();
    expect(Math.max(...perRead)).toBe(MAX_CONFIRMED);
    expect(perRead.reduce((sum, heights) => sum + heights, 0)).toBe(90);
    perRead.length = 0;
    world.chain.mine();
    await look();
    expect(perRead).toEqual([1]);
  });

  it('are all reopened in one poll after a rollback, though most were known before', async () => {
    await settled(60);
    await look();
    world.chain.rollback(10, 'waiting');
    world.chain.mine(70);
    await look();
    expect(await world.ledger.openNonces(LANE)).toHaveLength(50);
    expect(await world.last('S9')).toMatchObject({ state: 'succeeded' });
  });

  it('are reopened by no poll whose own first head is gone', async () => {
    await settled(2);
    await look();
    const head = world.chain.head.bind(world.chain);
    const before = await head([LANE]);
    world.chain.rollback(1, 'waiting');
    world.chain.mine(4);
    world.chain.head = async () => before;
    await look();
    await look();
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
    world.chain.head = head;
    await look();
    expect(await world.last('S1')).toMatchObject({ state: 'broadcast' });
  });

  it('settle nothing while there is no closing read, and sends continue', async () => {
    await world.submit({ key: 'A' });
    await flush();
    world.chain.includeAll();
    const confirm = world.chain.confirm.bind(world.chain);
    world.chain.confirm = async () => {
      throw new FakeNodeDown('no closing read');
    };
    await look();
    expect(await world.last('A')).toMatchObject({ state: 'broadcast' });
    await world.submit({ key: 'B', calldata: Felts.of([9n]) });
    await flush();
    expect(await world.last('B')).toMatchObject({ state: 'broadcast' });
    world.chain.confirm = confirm;
    await look();
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
  });

  it('are left to the next poll if they are above the first head', async () => {
    await world.submit({ key: 'A' });
    await flush();
    const head = world.chain.head.bind(world.chain);
    const before = await head([LANE]);
    world.chain.includeAll();
    world.chain.head = async () => before;
    await look();
    expect(await world.last('A')).toMatchObject({ state: 'broadcast' });
    expect(world.chain.sent).toHaveLength(1);
    world.chain.head = head;
    await look();
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
  });

  it('are followed by the instance that holds the lane, and by no other', async () => {
    await settled(1);
    const other = world.restarted({ instance: 'two' });
    await other.engine.start();
    world.chain.rollback(0, 'waiting');
    world.chain.mine(4);
    await other.round(0);
    expect(other.engine.status().alarms).toMatchObject({ reopened: 0 });
    expect(await world.last('S0')).toMatchObject({ state: 'succeeded' });
    await other.engine.stop();
  });
});
