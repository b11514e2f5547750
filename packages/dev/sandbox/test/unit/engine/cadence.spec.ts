import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHarness, type Harness } from '../../support/harness.js';
import { ALICE, COUNTER_1 } from '../../support/world.js';

const QUICK = { candidateMs: 1, preConfirmedMs: 1, blockMs: 1, l1Ms: 1, emptyBlockMs: 60_000 };
const increase = { account: ALICE, calls: [{ to: COUNTER_1, entrypoint: 'increase' }] };

/** Time limit in ms that is sufficient for a slow machine. */
const DEADLINE_MS = 300_000;

describe('automatic cadence', () => {
  let node: Harness;
  afterEach(() => node.stop());

  const reaches = async (hash: string, stage: string): Promise<void> => {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const status = await node.status(hash);
      if (Object(status).finality_status === stage) return;
      if (Date.now() > deadline) throw new Error(`${JSON.stringify(status)} in time`);
      await sleep(5);
    }
  };

  it('the automatic cadence moves a transaction through every stage up to L1', async () => {
    node = await startHarness({ cadence: QUICK });
    await reaches(await node.send(increase), 'ACCEPTED_ON_L1');
    await reaches(await node.send({ ...increase, nonce: 1n }), 'ACCEPTED_ON_L1');
    expect(node.control.paidInclusions().map(({ nonce }) => nonce)).toEqual([0n, 1n]);
  });

  it.each([
    ['RECEIVED', { ...QUICK, candidateMs: 60_000 }],
    ['CANDIDATE', { ...QUICK, preConfirmedMs: 60_000 }],
    ['PRE_CONFIRMED', { ...QUICK, blockMs: 60_000 }],
    ['ACCEPTED_ON_L2', { ...QUICK, l1Ms: 60_000 }],
  ])('a transaction stays at %s for the configured delay of this stage', async (stage, cadence) => {
    node = await startHarness({ cadence });
    const hash = await node.send(increase);
    await reaches(hash, stage);
    await sleep(40);
    expect(await node.status(hash)).toMatchObject({ finality_status: stage });
  });

  it('the newest blocks up to a configured number never become accepted on L1', async () => {
    node = await startHarness({ cadence: { ...QUICK, l1BlocksBehind: 1 } });
    const first = await node.send(increase);
    await reaches(first, 'ACCEPTED_ON_L2');
    await sleep(40);
    expect(await node.status(first)).toMatchObject({ finality_status: 'ACCEPTED_ON_L2' });
    const second = await node.send({ ...increase, nonce: 1n });
    await reaches(first, 'ACCEPTED_ON_L1');
    expect(await node.status(second)).toMatchObject({ finality_status: 'ACCEPTED_ON_L2' });
  });

  it('the sandbox also produces empty blocks, so that block times advance', async () => {
    node = await startHarness({ cadence: { ...QUICK, emptyBlockMs: 5 } });
    const deadline = Date.now() + DEADLINE_MS;
    while (Number(await node.result('starknet_blockNumber')) < 3 && Date.now() < deadline)
      await sleep(5);
    expect(await node.result('starknet_blockNumber')).toBeGreaterThanOrEqual(3);
  });

  it('the chain produces no blocks while it is paused, and continues afterwards', async () => {
    node = await startHarness({ cadence: { ...QUICK, l1Ms: 60_000 } });
    node.control.pause();
    const hash = await node.send(increase);
    await sleep(40);
    expect(await node.status(hash)).toEqual({ finality_status: 'RECEIVED' });
    node.control.resume();
    await reaches(hash, 'ACCEPTED_ON_L2');
  });

  it('the automatic cadence includes a transaction again if its block was undone', async () => {
    node = await startHarness({ cadence: { ...QUICK, blockMs: 50, l1Ms: 60_000 } });
    const hash = await node.send(increase);
    await reaches(hash, 'PRE_CONFIRMED');
    node.control.undoPreConfirmed();
    await reaches(hash, 'ACCEPTED_ON_L2');
    expect(node.control.paidInclusions()).toHaveLength(1);
  });
});
