import { describe, expect, it } from '@jest/globals';
import type { SkipReason } from '@sotto/facts';
import type { TaskControl, TaskGate, TaskReport } from '@sotto/keeper-core';
import { toFelt } from '@sotto/kernel';
import { PreviousAttemptNotFinal } from '@sotto/submission-core';
import { BatchRule, DeployBatch, DeployDueBatches } from '../../src/index.js';
import { FakeCallSimulator, FakeLatestBlock } from '@sotto/submission-core/testing';
import { FakePoolEvents, FakeSubmissions, InMemoryPools } from '../../src/testing/index.js';
import { wbtcStatus } from '../support/estimate-world.js';
import { aGuard } from '../support/guard-world.js';
import { Killed, killedAfter } from '../support/killed.js';
import { MovingClock } from '@sotto/kernel/testing';
import { NOW_MS, policy, pool } from '../support/world.js';

const HOUR_SECONDS = 3_600;
const RELAY_ACCOUNT = toFelt('0x1a4e');
const RETRY = { baseMs: 60_000, maxFailures: 3 };
const OPEN: TaskGate = { admit: async () => null };

/** Pool with its deposits and batches on chain, and keepers that deploy its batches. */
function aWorld(partialAfterSeconds: number | null = null) {
  const clock = new MovingClock(NOW_MS);
  const reader = new InMemoryPools();
  const simulator = new FakeCallSimulator();
  const latestBlock = new FakeLatestBlock({ l2GasFri: 3n, l1GasFri: 5n, l1DataGasFri: 7n });
  const submissions = new FakeSubmissions(() => clock.nowMs());
  const events = new FakePoolEvents();
  const guarding = aGuard(clock, submissions, [pool]);
  const controlled: TaskControl[] = [];
  const store = { controls: async (): Promise<readonly TaskControl[]> => controlled };
  const chain = { deposits: 0, deployed: 0 };
  const show = (): void =>
    reader.setStatus(pool.address, {
      ...wbtcStatus,
      nextIndex: chain.deposits,
      undeployedCount: chain.deposits - chain.deployed,
    });
  show();
  const deposit = (count: number): void => {
    events.deposit(pool.address, count);
    chain.deposits += count;
    show();
  };
  const pass = (seconds: number): void => {
    events.pass(seconds);
    clock.pass(seconds * 1_000);
  };
  /** Includes the batch of an attempt in a block. */
  const land = (id: string, size: number): void => {
    submissions.execute(id, 'SUCCEEDED');
    chain.deployed += size;
    show();
  };
  const ports = { reader, simulator, latestBlock, submissions, events, store };
  /** Creates a second process that uses the same ledger and node. */
  const aKeeper = (by: typeof ports = ports) => {
    const rule = new BatchRule(by.events, clock, { mode: 'anyone', minAgeMs: 0 });
    const deployment = { chainId: policy.chainId, pools: [pool], relayAccount: RELAY_ACCOUNT };
    const deployBatch = new DeployBatch(
      by.reader,
      by.simulator,
      by.submissions,
      guarding.guard,
      rule,
      clock,
      deployment,
    );
    const task = new DeployDueBatches(
      { ...by, deployBatch, clock },
      {
        ...deployment,
        crowdWaitSeconds: HOUR_SECONDS,
        partialAfterSeconds,
        retry: RETRY,
        intervalMs: 30_000,
      },
    );
    return { task, deployBatch };
  };
  const keeper = aKeeper();
  const poll = (gate = OPEN, by = keeper.task): Promise<TaskReport> => by.attend(pool.key, gate);
  return {
    ...ports,
    ports,
    clock,
    guarding,
    controlled,
    chain,
    deposit,
    pass,
    land,
    show,
    aKeeper,
    keeper,
    poll,
  };
}

const skippedFor = (reason: SkipReason): object => ({ outcome: 'skipped', reason });

/** World in which three deposits have waited for an hour. */
function aDueWorld() {
  const world = aWorld();
  world.deposit(3);
  world.pass(HOUR_SECONDS);
  return world;
}

describe('DeployDueBatches', () => {
  it('DeployDueBatches returns the key of each pool in its settings as a subject', async () => {
    expect(await aWorld().keeper.task.subjects()).toEqual([pool.key]);
  });

  it('waits for more deposits, and then deploys the largest full batch', async () => {
    const { deposit, pass, poll, submissions, clock } = aWorld();
    expect(await poll()).toEqual({
      ...skippedFor('WAITING_FOR_CROWD'),
      details: { waiting: 0 },
      dueAtMs: null,
    });
    deposit(3);
    pass(600);
    deposit(3);
    expect(await poll()).toEqual({
      ...skippedFor('WAITING_FOR_CROWD'),
      details: { waiting: 6 },
      dueAtMs: clock.nowMs() + 3_000_000,
    });
    pass(3_000);
    expect(await poll()).toEqual({
      outcome: 'acted',
      submissionId: 'attempt-1',
      details: { count: 3, partial: false },
    });
    expect(submissions.accepted).toMatchObject([
      { key: `${policy.chainId}|${pool.address}|deploy|0`, kind: 'deploy_batch', role: 'relay' },
    ]);
  });

  it('deploys a full batch of the largest allowed size without waiting', async () => {
    const { deposit, poll, submissions } = aWorld();
    deposit(7);
    expect(await poll()).toMatchObject({ details: { count: 7, partial: false } });
    expect(submissions.accepted[0]?.target.entrypoint).toBe('deploy_batch');
  });

  it('T13: waits for a fifth deposit if a full batch of four deposits would leave a single deposit', async () => {
    const { deposit, pass, poll, submissions } = aWorld();
    deposit(4);
    pass(HOUR_SECONDS);
    expect(await poll()).toEqual({
      ...skippedFor('WAITING_FOR_CROWD'),
      details: { waiting: 4 },
      dueAtMs: null,
    });
    expect(submissions.attempts).toEqual([]);
    deposit(1);
    expect(await poll()).toMatchObject({ details: { count: 5, partial: false } });
  });

  it('T13: never deploys a batch of one deposit, at any age of the deposit', async () => {
    const { deposit, pass, poll, submissions } = aWorld(HOUR_SECONDS);
    deposit(1);
    pass(365 * 24 * HOUR_SECONDS);
    expect(await poll()).toMatchObject({ ...skippedFor('WAITING_FOR_CROWD'), dueAtMs: null });
    expect(submissions.attempts).toEqual([]);
  });

  it('deploys no partial batch by default', async () => {
    const { deposit, pass, poll, submissions } = aWorld();
    deposit(2);
    pass(365 * 24 * HOUR_SECONDS);
    expect(await poll()).toMatchObject(skippedFor('WAITING_FOR_CROWD'));
    expect(submissions.attempts).toEqual([]);
  });

  it('deploys all waiting deposits once the youngest deposit has the age that the operator set', async () => {
    const { deposit, pass, poll, submissions } = aWorld(24 * HOUR_SECONDS);
    deposit(1);
    pass(24 * HOUR_SECONDS - 1);
    deposit(1);
    pass(1);
    expect(await poll()).toMatchObject(skippedFor('WAITING_FOR_CROWD'));
    pass(24 * HOUR_SECONDS - 1);
    expect(await poll()).toMatchObject({ details: { count: 2, partial: true } });
    expect(submissions.accepted[0]?.target.entrypoint).toBe('deploy_partial_batch');
  });

  it('deploys the next batch once the previous batch is on chain', async () => {
    const { deposit, poll, land, submissions } = aWorld();
    deposit(14);
    await poll();
    expect(await poll()).toEqual({
      ...skippedFor('IN_FLIGHT'),
      details: { submissionId: 'attempt-1' },
      dueAtMs: null,
    });
    land('attempt-1', 7);
    expect(await poll()).toMatchObject({ submissionId: 'attempt-2' });
    expect(submissions.accepted.map(({ key }) => key.split('|').at(-1))).toEqual(['0', '7']);
  });

  it('a manual deployment has the same submission as the keeper’s deployment of an equal batch', async () => {
    const { keeper, aKeeper, poll, submissions, show, chain, deposit, pass } = aDueWorld();
    await poll();
    const byHand = { poolAddress: pool.address, count: 3, partial: false, waitMs: 0 };
    expect(await aKeeper().deployBatch.execute(byHand)).toMatchObject({
      submissionId: 'attempt-1',
    });
    submissions.execute('attempt-1', 'SUCCEEDED');
    chain.deployed = 3;
    deposit(3);
    pass(HOUR_SECONDS);
    show();
    await keeper.deployBatch.execute(byHand);
    expect(await poll(OPEN, aKeeper().task)).toMatchObject(skippedFor('IN_FLIGHT'));
    expect(submissions.accepted).toHaveLength(2);
  });

  it('does not deploy a batch twice if the node is behind', async () => {
    const { poll, land, chain, show, submissions, aKeeper } = aDueWorld();
    await poll();
    land('attempt-1', 3);
    chain.deployed = 0;
    show();
    expect(await poll()).toMatchObject(skippedFor('NODE_BEHIND'));
    expect(await poll(OPEN, aKeeper().task)).toMatchObject(skippedFor('NODE_BEHIND'));
    expect(submissions.accepted).toHaveLength(1);
  });

  it('submits a due batch only once if several keepers run concurrently', async () => {
    const { poll, aKeeper, submissions } = aDueWorld();
    const tasks = [aKeeper().task, aKeeper().task, aKeeper().task];
    const reports = await Promise.all(tasks.map((task) => poll(OPEN, task)));
    expect(submissions.accepted).toHaveLength(1);
    expect(reports).toContainEqual(expect.objectContaining({ submissionId: 'attempt-1' }));
  });

  it('deploys only the deposits for which the batch was chosen', async () => {
    const { poll, deposit, chain, show, submissions, simulator } = aDueWorld();
    // During the simulation, a manual deployment lands and three more deposits arrive.
    simulator.revert('', () => {
      chain.deployed = 3;
      deposit(chain.deposits === 3 ? 3 : 0);
      show();
      return false;
    });
    expect(await poll()).toMatchObject({
      ...skippedFor('IN_FLIGHT'),
      details: { code: 'DEPLOYMENT_IN_PROGRESS' },
    });
    expect(submissions.attempts).toEqual([]);
    expect(await poll()).toMatchObject(skippedFor('WAITING_FOR_CROWD'));
  });

  it('does not return the previous batch as the due batch before the previous batch is settled', async () => {
    const { poll, deposit, chain, show, pass, submissions } = aDueWorld();
    // Three deposits arrive after the first batch was decided, but before it is settled.
    deposit(3);
    chain.deposits = 3;
    show();
    await poll();
    Object.assign(chain, { deposits: 6, deployed: 3 });
    show();
    pass(HOUR_SECONDS);
    expect(await poll()).toMatchObject({
      ...skippedFor('IN_FLIGHT'),
      details: { code: 'DEPLOYMENT_IN_PROGRESS' },
    });
    submissions.execute('attempt-1', 'SUCCEEDED');
    expect(await poll()).toMatchObject({ submissionId: 'attempt-2' });
  });

  it('submits a due batch only once, no matter after which call the process was killed', async () => {
    let wasKilled = true;
    let calls = 0;
    while (wasKilled) {
      calls += 1;
      const { ports, aKeeper, poll, submissions } = aDueWorld();
      const dying = aKeeper(killedAfter(ports, calls)).task;
      const end = await poll(OPEN, dying).catch((error: unknown) => error);
      wasKilled = end instanceof Killed;
      await poll(OPEN, aKeeper().task);
      expect([calls, submissions.accepted.length]).toEqual([calls, 1]);
    }
    expect(calls).toBeGreaterThan(8);
  });

  it('retries a failed batch after a wait that doubles with each retry', async () => {
    const { poll, submissions, clock, controlled } = aDueWorld();
    await poll();
    submissions.execute('attempt-1', 'REVERTED');
    expect(await poll()).toMatchObject({
      ...skippedFor('BACKING_OFF'),
      dueAtMs: clock.nowMs() + 60_000,
    });
    clock.pass(60_000);
    expect(await poll()).toMatchObject({ submissionId: 'attempt-2' });
    submissions.execute('attempt-2', 'REVERTED');
    clock.pass(60_000);
    expect(await poll()).toMatchObject(skippedFor('BACKING_OFF'));
    clock.pass(60_000);
    expect(await poll()).toMatchObject({ submissionId: 'attempt-3' });
    submissions.execute('attempt-3', 'REVERTED');
    clock.pass(1_000_000);
    expect(await poll()).toMatchObject(skippedFor('FAILED_TOO_OFTEN'));
    const resumed = { subject: pool.key, paused: null, resumedAtMs: clock.nowMs() };
    controlled.push({ ...resumed, task: 'treasury' });
    controlled.push({ ...resumed, task: 'batches', subject: 'another' });
    expect(await poll()).toMatchObject(skippedFor('FAILED_TOO_OFTEN'));
    controlled.push({ ...resumed, task: 'batches' });
    expect(await poll()).toMatchObject({ submissionId: 'attempt-4' });
  });

  it('simulates the call as the sending account, and reports the contract’s reason', async () => {
    const { poll, simulator, submissions } = aDueWorld();
    simulator.revert('paused at 0x1234567', ({ as }) => as === RELAY_ACCOUNT);
    expect(await poll()).toMatchObject({
      ...skippedFor('SIMULATION_REVERTED'),
      details: { reason: 'paused at #' },
    });
    expect(submissions.attempts).toEqual([]);
  });

  it('does not submit a batch that the task’s gate rejects, and passes the batch’s cost to this gate', async () => {
    const { poll, simulator, submissions } = aDueWorld();
    simulator.use({ l2Gas: 100n, l1Gas: 10n, l1DataGas: 1n });
    const requested: bigint[] = [];
    const closed: TaskGate = {
      admit: async (costFri) => {
        requested.push(costFri);
        return 'BUDGET_EXHAUSTED';
      },
    };
    expect(await poll(closed)).toMatchObject({
      ...skippedFor('BUDGET_EXHAUSTED'),
      details: { costFri: '357' },
    });
    expect([requested, submissions.attempts]).toEqual([[357n], []]);
  });

  it('calls the task’s gate only after all reads and simulations', async () => {
    const { poll, simulator, submissions } = aDueWorld();
    let tries = 0;
    simulator.revert('', () => {
      tries += 1;
      return false;
    });
    const gate: TaskGate = { admit: async () => (tries > 1 ? 'PAUSED' : null) };
    expect(await poll(gate)).toMatchObject(skippedFor('PAUSED'));
    expect(submissions.attempts).toEqual([]);
    expect(await poll()).toMatchObject({ outcome: 'acted' });
  });

  it('does not submit a batch for a paused pool, or while the queue is full', async () => {
    const { poll, guarding, submissions } = aDueWorld();
    submissions.fill('relay');
    expect(await poll()).toMatchObject(skippedFor('QUEUE_FULL'));
    submissions.makeRoom();
    await guarding.control.pause(pool.key, 'upgrade');
    expect(await poll()).toMatchObject({
      ...skippedFor('PAUSED'),
      details: { code: 'POOL_PAUSED', reason: 'upgrade' },
    });
    expect(submissions.attempts).toEqual([]);
  });

  it('waits until the revert of a batch is in a final block', async () => {
    const { poll, ports, aKeeper } = aDueWorld();
    const submissions = Object.assign(new FakeSubmissions(), {
      submit: async () => {
        throw new PreviousAttemptNotFinal({ retryAfterSeconds: 60 });
      },
    });
    const { task } = aKeeper({ ...ports, submissions });
    expect(await poll(OPEN, task)).toMatchObject({
      ...skippedFor('PREVIOUS_NOT_FINAL'),
      dueAtMs: NOW_MS + HOUR_SECONDS * 1_000 + 60_000,
    });
  });

  it('rethrows errors of the node and of the ledger', async () => {
    const { poll, reader, events, simulator, latestBlock, submissions } = aDueWorld();
    for (const broken of [events, simulator, submissions]) {
      broken.fail();
      await expect(poll()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
      broken.fail(null);
    }
    latestBlock.failGasPrices();
    await expect(poll()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    latestBlock.failGasPrices(null);
    expect(reader.reads).toBe(4);
    expect(await poll()).toMatchObject({ outcome: 'acted' });
  });

  it('rejects a pool that is not in its settings', async () => {
    const { keeper } = aWorld();
    await expect(keeper.task.attend('another', OPEN)).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
  });
});
