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
  let requested: number[];
  const start = async (change: Partial<SubmissionSettings> = {}): Promise<void> => {
    world = new World(change);
    requested = [];
    const confirm = world.chain.confirm.bind(world.chain);
    world.chain.confirm = async (first, heights): Promise<ChainEvidence> => {
      requested.push(...heights);
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
  const poll = async (): Promise<void> => {
    await world.round();
    requested = requested.filter((number) => number > 0);
  };
  const unfinal = (): Promise<readonly NonceRow[]> =>
    world.ledger.unfinalNonces(LANE, 'oldest', 100);
  /** Records all following reads of rows that are not final. */
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

  it('blocks of settled nonces are compared with the node’s chain only once', async () => {
    await settled(4);
    world.chain.mine(3);
    await poll();
    world.chain.mine();
    requested.length = 0;
    await poll();
    expect(requested).toHaveLength(1);
    requested.length = 0;
    // The head was already compared by the last poll, so no height is queried.
    await poll();
    expect(requested).toEqual([]);
  });

  it('rows of settled nonces are read only once per poll interval', async () => {
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

  it('rows of settled nonces are not read again until the next write to the lane', async () => {
    await settled();
    await poll();
    const read = reads();
    world.chain.mine(3);
    await poll();
    world.chain.mine();
    await poll();
    expect(read).toEqual([]);
    await world.submit({ key: 'more', calldata: Felts.of([99n]) });
    await poll();
    expect(read).not.toEqual([]);
    await poll();
    read.length = 0;
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    await poll();
    // The rows were compared from the cache, because nothing was written after the last read.
    expect(read).toEqual([]);
    expect(await unfinal()).toHaveLength(0);
  });

  it('rows of settled nonces are read again after a write whose response was lost', async () => {
    const apply = world.ledger.apply.bind(world.ledger);
    let lost = 0;
    world.ledger.apply = async (event) => {
      const result = await apply(event);
      if (event.type !== 'settle') return result;
      lost += 1;
      throw new LedgerUnavailable();
    };
    await settled();
    await poll();
    expect([lost, (await unfinal()).length]).toEqual([1, 1]);
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    await poll();
    expect(await unfinal()).toHaveLength(0);
  });

  it('rows of settled nonces are read again once a minute, because another instance may have adopted outcomes', async () => {
    await poll();
    const rows = world.ledger.unfinalNonces.bind(world.ledger);
    let read = 0;
    world.ledger.unfinalNonces = (...of) => {
      read += 1;
      return rows(...of);
    };
    for (let passedMs = 0; passedMs < 120_000; passedMs += settings.idleIntervalMs) await poll();
    expect(read).toBe(2);
  });

  it('a rollback is detected even if the rows of settled nonces are not read again', async () => {
    await settled();
    await poll();
    world.chain.mine(3);
    await poll();
    const read = reads();
    world.chain.rollback(0, 'waiting');
    world.chain.mine(5);
    await poll();
    expect(read).toEqual([]);
    expect(await unfinal()).toHaveLength(0);
  });

  it('a poll queries no block height while the ledger has no settled nonce', async () => {
    world.chain.mine(3);
    requested.length = 0;
    await poll();
    expect(requested).toEqual([]);
  });

  it('a rollback reopens only the nonces of undone blocks', async () => {
    await settled(3);
    await poll();
    world.chain.rollback(1, 'waiting');
    world.chain.mine(4);
    await poll();
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
    await poll();
    expect(await world.last('S2')).toMatchObject({ state: 'succeeded', nonce: 2n });
  });

  it('an undone block is detected if the highest known block has a new hash', async () => {
    await settled(1);
    await poll();
    const { blockNumber } = await world.chain.head([]);
    world.chain.rollback(0, 'waiting');
    world.chain.mine(blockNumber);
    await poll();
    expect(await world.last('S0')).toMatchObject({ state: 'broadcast' });
  });

  it('a node that is behind causes no reopening, because a lower head proves nothing', async () => {
    await settled(2);
    await poll();
    world.chain.rollback(0, 'waiting');
    await poll();
    await poll();
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
    expect(await world.last('S1')).toMatchObject({ state: 'succeeded' });
    expect(world.engine.status().alarms).toMatchObject({ reopened: 0 });
    // A rollback is proven only by different blocks at these heights.
    world.chain.mine(2);
    await poll();
    expect((await world.ledger.openNonces(LANE)).map(({ row }) => row.nonce)).toEqual([0n, 1n]);
  });

  it('a lower account nonce alone does not reopen a nonce', async () => {
    await settled(1);
    world.chain.setNonce(LANE, 0n);
    await poll();
    await poll();
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
  });

  it('a nonce is final if its block is at ACCEPTED_ON_L1', async () => {
    await settled(3);
    world.chain.acceptOnL1(2);
    await poll();
    expect((await unfinal()).map(({ nonce }) => nonce)).toEqual([2n]);
    expect(await world.last('S1')).toMatchObject({ isFinal: true });
    expect(await world.last('S2')).toMatchObject({ isFinal: false });
  });

  it('many nonces that are accepted on L1 at once become final over several polls', async () => {
    await settled(60);
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    await poll();
    expect(await unfinal()).toHaveLength(10);
    await poll();
    expect(await unfinal()).toHaveLength(0);
  });

  it('a settled nonce is final after the finality horizon if the chain reports no L1 height', async () => {
    await settled(1);
    world.clock.step(horizonMs);
    await poll();
    expect(await unfinal()).toHaveLength(1);
    await world.round(horizonMs - 20_000);
    expect(await unfinal()).toHaveLength(1);
    await world.round(20_000);
    await poll();
    expect(await unfinal()).toEqual([]);
    expect(await world.last('S0')).toMatchObject({ state: 'succeeded', isFinal: false });
  });

  it('a node that is behind makes no nonce final', async () => {
    await settled(1);
    await poll();
    world.chain.rollback(0, 'waiting');
    await world.round(2 * horizonMs);
    await poll();
    expect(await unfinal()).toHaveLength(1);
  });

  it('a final nonce remains settled if only a single poll contradicts its block', async () => {
    await settled(1);
    world.chain.acceptOnL1(1);
    await poll();
    world.chain.acceptOnL1(null);
    world.chain.rollback(0, 'waiting');
    world.chain.mine(4);
    await poll();
    await poll();
    expect(await world.last('S0')).toMatchObject({ state: 'succeeded', isFinal: true });
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
  });

  it('a final nonce is reopened if two polls contradict its block', async () => {
    await settled(1);
    await poll();
    // Another instance leases the lane, makes the row final, and then loses the lane.
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
    await poll();
    world.chain.acceptOnL1(null);
    world.chain.rollback(0, 'waiting');
    for (let count = 0; count < 6; count += 1) {
      world.chain.mine(4);
      await poll();
    }
    expect(world.engine.status().alarms).toMatchObject({ reopenedFinal: 1 });
  });

  it('a nonce becomes final only if the newest final block is confirmed too', async () => {
    await settled(1);
    const [first] = await unfinal();
    const height = first?.settlement?.block?.number ?? 0;
    world.chain.acceptOnL1(height);
    await poll();
    world.chain.acceptOnL1(null);
    world.chain.rollback(0, 'waiting');
    world.chain.mine(2);
    world.chain.includeAll();
    // The node does not return a hash for the height of the replaced block.
    const confirm = world.chain.confirm.bind(world.chain);
    world.chain.confirm = async (head, heights): Promise<ChainEvidence> => {
      const evidence = await confirm(head, heights);
      return { ...evidence, blocks: new Map([...evidence.blocks].filter(([at]) => at !== height)) };
    };
    await world.submit({ key: 'next', calldata: Felts.of([7n]) });
    await flush();
    world.chain.includeAll();
    await poll();
    world.chain.acceptOnL1((await world.chain.head([])).blockNumber);
    world.chain.mine(2);
    await poll();
    await poll();
    expect((await unfinal()).map(({ nonce }) => nonce)).toEqual([1n]);
    world.chain.confirm = confirm;
    for (let count = 0; count < 4; count += 1) {
      world.chain.mine();
      await poll();
    }
    expect(world.engine.status().alarms).toMatchObject({ reopenedFinal: 1 });
    expect(await unfinal()).toEqual([]);
  });

  it('blocks that can not be read are compared again in the next poll', async () => {
    await settled(2);
    world.chain.rollback(1, 'waiting');
    world.chain.mine(4);
    world.chain.unreadable(2);
    await poll();
    expect(await world.last('S1')).toMatchObject({ state: 'succeeded' });
    await world.submit({ key: 'more', calldata: Felts.of([99n]) });
    await flush();
    expect(await world.last('more')).toMatchObject({ state: 'broadcast' });
    world.chain.unreadable(2, false);
    await poll();
    expect(await world.last('S1')).toMatchObject({ state: 'broadcast', nonce: 1n });
  });

  it('a new process limits the size of each read of evidence for its settled blocks', async () => {
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
    await poll();
    expect(Math.max(...perRead)).toBe(MAX_CONFIRMED);
    expect(perRead.reduce((sum, heights) => sum + heights, 0)).toBe(90);
    perRead.length = 0;
    world.chain.mine();
    await poll();
    expect(perRead).toEqual([1]);
  });

  it('all undone nonces are reopened in a single poll after a rollback', async () => {
    await settled(60);
    await poll();
    world.chain.rollback(10, 'waiting');
    world.chain.mine(70);
    await poll();
    expect(await world.ledger.openNonces(LANE)).toHaveLength(50);
    expect(await world.last('S9')).toMatchObject({ state: 'succeeded' });
  });

  it('a poll reopens no nonce if the head of its first read is no longer on the chain', async () => {
    await settled(2);
    await poll();
    const head = world.chain.head.bind(world.chain);
    const before = await head([LANE]);
    world.chain.rollback(1, 'waiting');
    world.chain.mine(4);
    world.chain.head = async () => before;
    await poll();
    await poll();
    expect(await world.ledger.openNonces(LANE)).toEqual([]);
    world.chain.head = head;
    await poll();
    expect(await world.last('S1')).toMatchObject({ state: 'broadcast' });
  });

  it('no nonce is settled if the read of the evidence fails, but sends continue', async () => {
    await world.submit({ key: 'A' });
    await flush();
    world.chain.includeAll();
    const confirm = world.chain.confirm.bind(world.chain);
    world.chain.confirm = async () => {
      throw new FakeNodeDown('no closing read');
    };
    await poll();
    expect(await world.last('A')).toMatchObject({ state: 'broadcast' });
    await world.submit({ key: 'B', calldata: Felts.of([9n]) });
    await flush();
    expect(await world.last('B')).toMatchObject({ state: 'broadcast' });
    world.chain.confirm = confirm;
    await poll();
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
  });

  it('a nonce whose transaction is above the first head of a poll is settled in the next poll', async () => {
    await world.submit({ key: 'A' });
    await flush();
    const head = world.chain.head.bind(world.chain);
    const before = await head([LANE]);
    world.chain.includeAll();
    world.chain.head = async () => before;
    await poll();
    expect(await world.last('A')).toMatchObject({ state: 'broadcast' });
    expect(world.chain.sent).toHaveLength(1);
    world.chain.head = head;
    await poll();
    expect(await world.last('A')).toMatchObject({ state: 'succeeded' });
  });

  it('settled blocks are compared only by the instance that holds the lane', async () => {
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
