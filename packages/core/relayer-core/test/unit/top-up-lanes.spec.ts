import { describe, expect, it } from '@jest/globals';
import { TRANSFER_LIMITS, type TaskGate, type TaskReport } from '@sotto/keeper-core';
import { Felts, toFelt } from '@sotto/kernel';
import { RepeatedSubmissions, type SeriesCalls } from '@sotto/submission-core';
import { topUpCalls, TopUpLanes, fundedLanes, type TopUpPolicy } from '../../src/index.js';
import { Killed, killedAfter } from '../support/killed.js';
import {
  CHAIN_ID,
  OPEN,
  RETRY,
  TOKEN,
  TREASURY,
  aTreasuryWorld,
  ofOneProcess,
  skippedFor,
} from '../support/treasury-world.js';

const LANE = toFelt('0x1a');
const OTHER = toFelt('0x1b');
const DAY_MS = 86_400_000;

const lanes = fundedLanes(
  [
    { address: LANE, role: 'relay' },
    { address: toFelt('0xc0'), role: 'curator' },
    { address: OTHER, role: 'relay' },
    { address: TREASURY, role: 'treasury' },
  ],
  new Map([['relay', { floorFri: 50n, ceilingFri: 200n }]]),
);

const topUpPolicy: TopUpPolicy = {
  chainId: CHAIN_ID,
  strk: TOKEN,
  treasury: TREASURY,
  lanes,
  maxPerDayFri: 1_000n,
  reserveFri: 10n,
  retry: RETRY,
  intervalMs: 60_000,
};

/** Treasury with 5,000 fri, a lane with 40 fri, and another lane with 60 fri. */
function aWorld(changes: Partial<TopUpPolicy> = {}) {
  const world = aTreasuryWorld();
  const { ports, clock, include, lastAttempt } = world;
  ports.balances.change(TOKEN, TREASURY, 5_000n);
  ports.balances.change(TOKEN, OTHER, 60n);
  ports.balances.change(TOKEN, LANE, 40n);
  /** Creates a second process that uses the same ledger and node. */
  const aKeeper = (by = ports): TopUpLanes =>
    new TopUpLanes({ ...ofOneProcess(by), clock }, { ...topUpPolicy, ...changes });
  const keeper = aKeeper();
  const poll = (gate: TaskGate = OPEN, by = keeper, subject = 'relay-0'): Promise<TaskReport> =>
    by.attend(subject, gate);
  /** Includes the last top-up in a block. */
  const land = (): void => {
    const { id, subject, memo } = lastAttempt();
    ports.balances.change(TOKEN, TREASURY, -BigInt(memo ?? 0));
    ports.balances.change(TOKEN, subject, BigInt(memo ?? 0));
    include(id);
  };
  const spend = (amount: bigint): void => void ports.balances.change(TOKEN, LANE, -amount);
  return { ...world, aKeeper, keeper, poll, land, spend };
}

describe('TopUpLanes', () => {
  it('TopUpLanes returns the public names of the lanes whose role has funding levels', async () => {
    expect(await aWorld().keeper.subjects()).toEqual(['relay-0', 'relay-1']);
  });

  it('tops up a lane to its ceiling if the lane’s balance is below its floor', async () => {
    const { poll, ports } = aWorld();
    expect(await poll()).toEqual({
      outcome: 'acted',
      submissionId: 'attempt-1',
      details: { kind: 'top_up', amount: '160' },
    });
    expect(ports.submissions.accepted).toMatchObject([
      {
        key: `${CHAIN_ID}|topup|${LANE}|0`,
        kind: 'top_up',
        subject: LANE,
        memo: '160',
        role: 'treasury',
        target: { to: TOKEN, entrypoint: 'transfer' },
        limits: TRANSFER_LIMITS,
        terms: null,
        replayProtected: false,
      },
    ]);
    const calldata = Felts.of([0x1an, 160n, 0n]);
    expect(ports.submissions.accepted[0]?.calldata.toHex()).toEqual(calldata.toHex());
    expect(ports.simulator.simulated).toEqual([
      { to: TOKEN, entrypoint: 'transfer', calldata, as: TREASURY },
    ]);
  });

  it('does not top up a lane that is above its floor', async () => {
    const { poll, keeper, ports } = aWorld();
    expect(await poll(OPEN, keeper, 'relay-1')).toEqual({
      ...skippedFor('ABOVE_FLOOR'),
      details: { balanceFri: '60', treasuryFri: '5000' },
      dueAtMs: null,
    });
    expect(ports.submissions.attempts).toEqual([]);
  });

  it('makes the next top-up of a lane only after the previous top-up is on chain', async () => {
    const { poll, land, spend, ports } = aWorld();
    await poll();
    expect(await poll()).toMatchObject({
      ...skippedFor('IN_FLIGHT'),
      details: { submissionId: 'attempt-1' },
    });
    land();
    expect(await poll()).toMatchObject(skippedFor('ABOVE_FLOOR'));
    spend(170n);
    expect(await poll()).toMatchObject({ submissionId: 'attempt-2', details: { amount: '170' } });
    expect(ports.submissions.accepted.map(({ key }) => key.split('|').at(-1))).toEqual(['0', '1']);
  });

  it('does not top up a lane twice if the node is 20 blocks behind', async () => {
    const { poll, land, ports, aKeeper } = aWorld();
    for (let block = 0; block < 20; block += 1) ports.balances.mine();
    ports.snapshots.lag = 20;
    await poll();
    land();
    expect(await poll()).toEqual({
      ...skippedFor('NODE_BEHIND'),
      details: { code: 'NODE_BEHIND' },
      dueAtMs: expect.any(Number),
    });
    expect(await poll(OPEN, aKeeper())).toMatchObject(skippedFor('NODE_BEHIND'));
    for (let block = 0; block < 20; block += 1) ports.balances.mine();
    expect(await poll()).toMatchObject(skippedFor('ABOVE_FLOOR'));
    expect(ports.submissions.accepted).toHaveLength(1);
  });

  it('makes only one submission if several keepers run concurrently with nodes at different blocks', async () => {
    const { poll, aKeeper, ports, spend } = aWorld();
    const reports = Promise.all(
      [0, 1, 0].map((lag) => {
        const snapshots = Object.assign(Object.create(ports.snapshots), { lag });
        return poll(OPEN, aKeeper({ ...ports, snapshots }));
      }),
    );
    spend(1n);
    expect((await reports).map((report) => report.outcome === 'acted')).toContain(true);
    expect(ports.submissions.accepted).toHaveLength(1);
  });

  it('makes only one submission for a top-up, no matter after which call the process was killed', async () => {
    let wasKilled = true;
    let calls = 0;
    while (wasKilled) {
      calls += 1;
      const { ports, aKeeper, poll, land } = aWorld();
      const end = await poll(OPEN, aKeeper(killedAfter(ports, calls))).catch(
        (error: unknown) => error,
      );
      wasKilled = end instanceof Killed;
      await poll(OPEN, aKeeper());
      land();
      expect(await poll(OPEN, aKeeper())).toMatchObject(skippedFor('ABOVE_FLOOR'));
      expect([calls, ports.submissions.accepted.length]).toEqual([calls, 1]);
    }
    expect(calls).toBeGreaterThan(8);
  });

  it('pays at most the daily maximum for top-ups, and continues on the next day', async () => {
    const { poll, land, spend, clock } = aWorld({ maxPerDayFri: 300n });
    await poll();
    land();
    spend(180n);
    clock.pass(1_000);
    expect(await poll()).toMatchObject({ details: { amount: '140' } });
    land();
    spend(140n);
    expect(await poll()).toMatchObject(skippedFor('DAILY_LIMIT'));
    clock.pass(DAY_MS - 1_000);
    expect(await poll()).toMatchObject(skippedFor('DAILY_LIMIT'));
    clock.pass(1);
    expect(await poll()).toMatchObject({ details: { amount: '160' } });
  });

  it('the daily maximum for top-ups includes payments in flight to other lanes, but no failed payments', async () => {
    const { poll, keeper, ports } = aWorld({ maxPerDayFri: 200n });
    ports.balances.change(TOKEN, OTHER, -60n);
    await poll();
    expect(await poll(OPEN, keeper, 'relay-1')).toMatchObject(skippedFor('DAILY_LIMIT'));
    ports.submissions.end('attempt-1', 'refused', 'ANY_CODE');
    expect(await poll(OPEN, keeper, 'relay-1')).toMatchObject({ details: { amount: '200' } });
  });

  it('reports TREASURY_EMPTY instead of using the treasury’s reserve', async () => {
    const { poll, ports, keeper } = aWorld();
    ports.balances.change(TOKEN, OTHER, -60n);
    ports.balances.change(TOKEN, TREASURY, -4_981n);
    expect(await poll()).toMatchObject({
      ...skippedFor('TREASURY_EMPTY'),
      details: { balanceFri: '40', treasuryFri: '19' },
      dueAtMs: null,
    });
    ports.balances.change(TOKEN, TREASURY, 41n);
    expect(await poll()).toMatchObject({ details: { amount: '50' } });
    // The treasury can’t spend the amount that is in flight to the first lane.
    expect(await poll(OPEN, keeper, 'relay-1')).toMatchObject(skippedFor('TREASURY_EMPTY'));
    expect(ports.submissions.accepted).toHaveLength(1);
  });

  it('retries a failed top-up when the wait after the failure is over', async () => {
    const { poll, ports, clock } = aWorld();
    await poll();
    ports.submissions.execute('attempt-1', 'REVERTED');
    expect(await poll()).toMatchObject({
      ...skippedFor('BACKING_OFF'),
      dueAtMs: clock.nowMs() + 60_000,
    });
    clock.pass(60_000);
    expect(await poll()).toMatchObject({ submissionId: 'attempt-2' });
    expect(ports.submissions.accepted.map(({ key }) => key.split('|').at(-1))).toEqual(['0', '0']);
  });

  it('does not submit a top-up if its simulation reverts or if the keeper’s gate rejects it', async () => {
    const { poll, ports } = aWorld();
    expect(await poll({ admit: async () => 'BUDGET_EXHAUSTED' })).toMatchObject(
      skippedFor('BUDGET_EXHAUSTED'),
    );
    ports.simulator.revert('ERC20: insufficient balance');
    expect(await poll()).toMatchObject({
      ...skippedFor('SIMULATION_REVERTED'),
      details: { reason: 'ERC20: insufficient balance' },
    });
    expect(ports.submissions.attempts).toEqual([]);
  });

  it('reads no balance while the queue is full or the ledger is behind its chain', async () => {
    const { poll, ports } = aWorld();
    ports.balances.fail();
    ports.submissions.fill('treasury');
    expect(await poll()).toMatchObject(skippedFor('QUEUE_FULL'));
    ports.submissions.makeRoom();
    ports.submissions.fallBehind();
    await expect(poll()).rejects.toMatchObject({ code: 'LEDGER_BEHIND_CHAIN' });
  });

  it('rethrows errors of the node and of the store', async () => {
    const { poll, ports } = aWorld();
    for (const broken of [ports.balances, ports.topUps, ports.simulator, ports.submissions]) {
      broken.fail();
      await expect(poll()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
      broken.fail(null);
    }
    expect(ports.submissions.attempts).toEqual([]);
    expect(await poll()).toMatchObject({ outcome: 'acted' });
  });

  it('TopUpLanes rejects a lane that is not in its settings', async () => {
    await expect(aWorld().keeper.attend('curator-0', OPEN)).rejects.toMatchObject({
      code: 'LANE_NOT_FOUND',
    });
  });
});

const aReader = ({ ports }: ReturnType<typeof aWorld>): SeriesCalls =>
  topUpCalls(new RepeatedSubmissions(ports.ledger), { ...topUpPolicy, newId: () => 'new' });
const transfer = { to: TOKEN, entrypoint: 'transfer' };

describe('topUpCalls', () => {
  it('a transfer of STRK to a lane is recognized as a top-up of this lane', async () => {
    const world = aWorld();
    await world.poll();
    world.land();
    const reader = aReader(world);
    const calldata = Felts.of([0x1an, 160n, 0n]);
    expect(reader.submissionOf(transfer, calldata)).toBeNull();
    await reader.learn();
    expect(reader.submissionOf(transfer, calldata)).toMatchObject({
      key: `${CHAIN_ID}|topup|${LANE}|1`,
      id: 'new',
      kind: 'top_up',
      subject: LANE,
      memo: '160',
      role: 'treasury',
      target: transfer,
      replayProtected: false,
    });
  });

  it('a transfer to an account that is not a lane is not recognized as a top-up', async () => {
    const reader = aReader(aWorld());
    await reader.learn();
    expect(reader.submissionOf(transfer, Felts.of([0xc0n, 160n, 0n]))).toBeNull();
    expect(
      reader.submissionOf({ ...transfer, entrypoint: 'approve' }, Felts.of([0x1an, 1n, 0n])),
    ).toBeNull();
  });

  it('a top-up that is recognized after the loss of the ledger is not paid twice', async () => {
    const world = aWorld();
    const reader = aReader(world);
    await reader.learn();
    const read = reader.submissionOf(transfer, Felts.of([0x1an, 160n, 0n]));
    const { id: _id, ...submission } = read ?? { id: '', key: '' };
    expect(submission).toHaveProperty('key', `${CHAIN_ID}|topup|${LANE}|0`);
    // CAST: it was read, as the line before has shown.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await world.ports.submissions.submit(submission as NonNullable<typeof read>);
    expect(await world.poll()).toMatchObject(skippedFor('IN_FLIGHT'));
    world.land();
    expect(await world.poll()).toMatchObject(skippedFor('ABOVE_FLOOR'));
    expect(world.ports.submissions.accepted).toHaveLength(1);
  });
});
