import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import {
  DEPLOYMENT_LIMITS,
  DeployBatch,
  BatchRule,
  spentNote,
  type DeployBatchInput,
  type DeployedBatch,
  type PartialBatchPolicy,
} from '../../src/index.js';
import { FakeCallSimulator } from '@sotto/submission-core/testing';
import { FakePoolEvents, FakeSubmissions, InMemoryPools } from '../../src/testing/index.js';
import { usdcPool, usdcStatus, wbtcStatus } from '../support/estimate-world.js';
import { LIMITS, SNAPSHOT_MS, aGuard, anEntry } from '../support/guard-world.js';
import { MovingClock } from '@sotto/kernel/testing';
import { NOW_MS, policy, pool } from '../support/world.js';

const DAY_SECONDS = 86_400;
const RELAY_ACCOUNT = toFelt('0x1a4e');

/** Pool with twelve deposits. The last eight deposits wait for a batch. */
const waiting = { ...wbtcStatus, nextIndex: 12, undeployedCount: 8 };

function aDeployWorld(partial: Partial<PartialBatchPolicy> = {}) {
  const clock = new MovingClock(NOW_MS);
  const statuses = new InMemoryPools();
  statuses.setStatus(pool.address, waiting);
  statuses.setStatus(usdcPool.address, usdcStatus);
  const simulator = new FakeCallSimulator();
  const submissions = new FakeSubmissions();
  /** Policy for deployments of batches, which all instances share. */
  const deployment = {
    chainId: policy.chainId,
    pools: [pool, usdcPool],
    relayAccount: RELAY_ACCOUNT,
  };
  const guarding = aGuard(clock, submissions, [pool, usdcPool]);
  const ages = new FakePoolEvents();
  const rule = new BatchRule(ages, clock, {
    mode: 'anyone',
    minAgeMs: DAY_SECONDS * 1_000,
    ...partial,
  });
  const anInstance = (): DeployBatch =>
    new DeployBatch(statuses, simulator, submissions, guarding.guard, rule, clock, deployment);
  const subject = anInstance();
  const deploy = (input: Partial<DeployBatchInput> = {}, by = subject): Promise<DeployedBatch> =>
    by.execute({ poolAddress: pool.address, count: 3, partial: false, waitMs: 0, ...input });
  /** Executes the attempt, and sets the number of deposits that still wait in the pool. */
  const land = (attempt: number, undeployedCount: number, address: Felt = pool.address): void => {
    submissions.execute(`attempt-${attempt}`, 'SUCCEEDED');
    statuses.setStatus(address, { ...waiting, undeployedCount });
  };
  return {
    ages,
    clock,
    statuses,
    simulator,
    submissions,
    guarding,
    anInstance,
    subject,
    deploy,
    land,
  };
}

/** World with twelve deposits. Eleven deposits have aged, and the last deposit is new. */
function anAgedWorld() {
  const world = aDeployWorld({ mode: 'aged' });
  world.ages.deposit(pool.address, 11);
  world.ages.pass(DAY_SECONDS);
  world.ages.deposit(pool.address, 1);
  return world;
}

/** Waits until all started work is finished or waits for the test. */
async function untilIdle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('DeployBatch', () => {
  it.each([
    [{ count: 3, partial: false }, 'deploy_batch'],
    [{ count: 5, partial: false }, 'deploy_batch'],
    [{ count: 7, partial: false }, 'deploy_batch'],
    [{ count: 1, partial: true }, 'deploy_partial_batch'],
    [{ count: 8, partial: true }, 'deploy_partial_batch'],
  ] as const)(
    'submits the batch %o as %s, under the key of its first leaf',
    async (batch, entrypoint) => {
      const { submissions, deploy } = aDeployWorld();
      expect(await deploy(batch)).toMatchObject({
        submissionId: 'attempt-1',
        answer: { kind: 'pending' },
      });
      expect(submissions.accepted).toMatchObject([
        {
          key: `${policy.chainId}|${pool.address}|deploy|4`,
          role: 'relay',
          target: { to: pool.address, entrypoint },
          limits: DEPLOYMENT_LIMITS,
          terms: null,
          replayProtected: true,
        },
      ]);
      expect(submissions.accepted[0]?.calldata.toHex()).toEqual([`0x${batch.count}`]);
    },
  );

  it('starts no new batch deployment in a paused pool and reads nothing, but returns a batch deployment in flight', async () => {
    const { submissions, statuses, guarding, deploy, land } = aDeployWorld();
    await deploy();
    await guarding.control.pause(pool.key, 'upgrade');
    expect(await deploy()).toMatchObject({ submissionId: 'attempt-1' });
    land(1, 5);
    const { reads } = statuses;
    await expect(deploy()).rejects.toMatchObject({
      code: 'POOL_PAUSED',
      details: { cause: 'operator', reason: 'upgrade' },
    });
    expect([statuses.reads, submissions.accepted.length]).toEqual([reads, 1]);
    statuses.setStatus(usdcPool.address, { ...usdcStatus, undeployedCount: 8 });
    expect(await deploy({ poolAddress: usdcPool.address })).toMatchObject({
      submissionId: 'attempt-2',
    });
  });

  it('starts no new batch deployment while the queue is full and reads nothing, but returns a batch deployment in flight', async () => {
    const { submissions, statuses, simulator, deploy, land } = aDeployWorld();
    await deploy();
    submissions.fill('relay');
    expect(await deploy()).toMatchObject({ submissionId: 'attempt-1' });
    land(1, 5);
    const before = [statuses.reads, simulator.simulated.length];
    await expect(deploy()).rejects.toMatchObject({ code: 'QUEUE_FULL', retryAfterSeconds: 5 });
    expect([statuses.reads, simulator.simulated.length, submissions.accepted.length]).toEqual([
      ...before,
      1,
    ]);
    submissions.makeRoom();
    expect(await deploy()).toMatchObject({ submissionId: 'attempt-2' });
  });

  it('starts no batch deployment while the ledger is behind its chain', async () => {
    const { submissions, statuses, deploy } = aDeployWorld();
    submissions.fallBehind();
    await expect(deploy()).rejects.toMatchObject({
      code: 'LEDGER_BEHIND_CHAIN',
      retryAfterSeconds: 30,
    });
    expect([statuses.reads, submissions.attempts]).toEqual([0, []]);
  });

  it('an equal request gets the batch deployment that a rollback of blocks has reopened', async () => {
    const { submissions, statuses, deploy, land } = aDeployWorld();
    await deploy();
    land(1, 5);
    // This call reads that the deployment has ended, so the process removes the deployment from its
    // memory.
    await expect(deploy({ count: 7 })).rejects.toMatchObject({ code: 'BATCH_TOO_LARGE' });
    submissions.undo('attempt-1');
    statuses.setStatus(pool.address, waiting);
    expect(await deploy()).toMatchObject({
      submissionId: 'attempt-1',
      answer: { kind: 'pending' },
    });
    await expect(deploy({ count: 5 })).rejects.toMatchObject({ code: 'DEPLOYMENT_IN_PROGRESS' });
    expect(submissions.accepted).toHaveLength(1);
  });

  it('measures the wait for an earlier batch deployment by the monotonic clock', async () => {
    const { clock, deploy } = aDeployWorld();
    await deploy();
    const before = clock.monotonicMs();
    const waited = deploy({ count: 5, waitMs: 2_000 });
    clock.step(-3_600_000);
    await expect(waited).rejects.toMatchObject({ code: 'DEPLOYMENT_IN_PROGRESS' });
    expect(clock.monotonicMs() - before).toBe(2_000);
  });

  it('starts no batch deployment once the hourly gas budget is used up', async () => {
    const { submissions, guarding, deploy } = aDeployWorld();
    guarding.money.end(anEntry(usdcPool, NOW_MS - 1, { gasPaidFri: LIMITS.hourlyGasInAllFri }));
    await expect(deploy()).rejects.toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      details: { scope: 'all' },
    });
    expect(submissions.attempts).toEqual([]);
  });

  it('rejects a deployment with POOL_PAUSED if the pool is paused during its simulation', async () => {
    const { submissions, simulator, guarding, clock, deploy } = aDeployWorld();
    simulator.revert('', () => {
      void guarding.controls.pause(pool.address, 'upgrade', NOW_MS);
      clock.pass(SNAPSHOT_MS);
      return false;
    });
    await expect(deploy()).rejects.toMatchObject({ code: 'POOL_PAUSED' });
    expect(submissions.attempts).toEqual([]);
  });

  it('does not record a batch deployment as a withdrawal', async () => {
    const { submissions, deploy } = aDeployWorld();
    await deploy();
    const [accepted] = submissions.attempts;
    expect(accepted).toMatchObject({ kind: 'deploy_batch', subject: pool.address });
    expect(accepted && spentNote(accepted)).toBeNull();
  });

  it.each([
    ...[0, 4, -1, 1, 1.5, 2, 9, Number.NaN, Number.POSITIVE_INFINITY].map((count) => ({
      count,
      partial: false,
    })),
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60].map((count) => ({
      count,
      partial: true,
    })),
  ])('rejects the batch %o before any read', async (batch) => {
    const { submissions, statuses, deploy } = aDeployWorld();
    await expect(deploy(batch)).rejects.toMatchObject({
      code: 'BATCH_COUNT_INVALID',
      kind: 'invalid',
    });
    expect({ reads: statuses.reads, submitted: submissions.attempts }).toEqual({
      reads: 0,
      submitted: [],
    });
  });

  it('allows only the batch sizes that the pool’s own contract accepts', async () => {
    const { statuses, deploy } = aDeployWorld();
    statuses.setStatus(usdcPool.address, { ...usdcStatus, undeployedCount: 7 });
    await expect(deploy({ poolAddress: usdcPool.address, count: 7 })).rejects.toMatchObject({
      code: 'BATCH_COUNT_INVALID',
      details: { allowed: '3, 5' },
    });
    await deploy({ poolAddress: usdcPool.address, count: 5 });
  });

  it.each([
    [{ count: 5, partial: false }, 4],
    [{ count: 3, partial: false }, 0],
    [{ count: 5, partial: true }, 4],
    [{ count: 1, partial: true }, 0],
    [{ count: 1_000_000, partial: true }, 4],
  ] as const)(
    'rejects the batch %o if %i deposits wait, and submits nothing',
    async (batch, undeployedCount) => {
      const { submissions, statuses, deploy } = aDeployWorld();
      statuses.setStatus(pool.address, { ...waiting, undeployedCount });
      await expect(deploy(batch)).rejects.toMatchObject({
        code: 'BATCH_TOO_LARGE',
        kind: 'unprocessable',
        details: { undeployed: undeployedCount },
      });
      expect(submissions.attempts).toEqual([]);
    },
  );

  it('deploys only the deposits that the caller states', async () => {
    const { submissions, statuses, deploy } = aDeployWorld();
    statuses.setStatus(pool.address, { ...waiting, nextIndex: 13 });
    await expect(deploy({ chosenFor: waiting })).rejects.toMatchObject({
      code: 'DEPLOYMENT_IN_PROGRESS',
    });
    statuses.setStatus(pool.address, { ...waiting, undeployedCount: 7 });
    await expect(deploy({ chosenFor: waiting })).rejects.toMatchObject({
      code: 'DEPLOYMENT_IN_PROGRESS',
    });
    expect(submissions.attempts).toEqual([]);
    statuses.setStatus(pool.address, waiting);
    expect(await deploy({ chosenFor: waiting })).toMatchObject({ submissionId: 'attempt-1' });
  });

  it('rejects a deployment in a pool that the service does not serve', async () => {
    const { deploy, statuses } = aDeployWorld();
    await expect(deploy({ poolAddress: toFelt('0x1') })).rejects.toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
    });
    expect(statuses.reads).toBe(0);
  });

  it('does not submit a batch deployment that the pool would revert', async () => {
    const { simulator, submissions, deploy } = aDeployWorld();
    simulator.revert('paused at 0x1234567', ({ as }) => as === RELAY_ACCOUNT);
    await expect(deploy({ count: 2, partial: true })).rejects.toMatchObject({
      code: 'SIMULATION_REVERTED',
      kind: 'unprocessable',
      details: { reason: 'paused at #' },
    });
    expect(submissions.attempts).toEqual([]);
    const calldata = Felts.of([2n]);
    expect(simulator.simulated).toEqual([
      { to: pool.address, entrypoint: 'deploy_partial_batch', calldata, as: RELAY_ACCOUNT },
    ]);
  });

  it('a request that gets an equal batch request’s response causes no simulation', async () => {
    const { simulator, deploy } = aDeployWorld();
    await Promise.all([deploy(), deploy()]);
    await deploy();
    expect(simulator.simulated).toHaveLength(1);
  });

  it.each(['SUCCEEDED', 'REVERTED'] as const)(
    'returns the deployment’s execution %s as a response, not as an error',
    async (execution) => {
      const { submissions, deploy } = aDeployWorld();
      submissions.executeAll(execution);
      expect((await deploy({ waitMs: 1_000 })).answer).toMatchObject({
        kind: 'executed',
        execution,
      });
    },
  );

  it('rejects with SUBMISSION_REFUSED if the submission is refused', async () => {
    const { submissions, deploy } = aDeployWorld();
    const answering = deploy({ waitMs: 10_000 });
    await untilIdle();
    submissions.end('attempt-1', 'refused', 'INSUFFICIENT_FUNDS');
    await expect(answering).rejects.toMatchObject({
      code: 'SUBMISSION_REFUSED',
      details: { refusal: 'INSUFFICIENT_FUNDS' },
    });
  });

  it('rethrows errors of the node and of the ledger without affecting the next call', async () => {
    const { statuses, simulator, submissions, deploy } = aDeployWorld();
    statuses.failReads();
    await expect(deploy()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    statuses.failReads(null);
    simulator.fail();
    await expect(deploy()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    simulator.fail(null);
    submissions.fail();
    await expect(deploy()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    submissions.fail(null);
    await deploy();
    expect(submissions.accepted).toHaveLength(1);
  });
});

describe('deployments of one pool', () => {
  it('fifty equal concurrent deployments become one submission', async () => {
    const { submissions, statuses, deploy } = aDeployWorld();
    const answers = await Promise.all(Array.from({ length: 50 }, () => deploy()));
    expect(new Set(answers.map(({ submissionId }) => submissionId))).toEqual(
      new Set(['attempt-1']),
    );
    expect(submissions.accepted).toHaveLength(1);
    expect(statuses.reads).toBe(1);
  });

  it('a request gets an equal deployment in flight at once, even if another deployment waits in the queue', async () => {
    const { submissions, deploy, land } = aDeployWorld();
    await deploy();
    const other = deploy({ count: 5, waitMs: 60_000 });
    await untilIdle();
    expect(await deploy()).toMatchObject({ submissionId: 'attempt-1' });
    expect(submissions.accepted).toHaveLength(1);
    land(1, 5);
    submissions.executeAll('SUCCEEDED');
    await other;
  });

  it('a deployment waits for the previous deployment and is checked against the pool’s new state', async () => {
    const { submissions, deploy, land } = aDeployWorld();
    await deploy();
    submissions.executeAll('SUCCEEDED');
    const answers = Promise.allSettled([
      deploy({ count: 5, waitMs: 60_000 }),
      deploy({ count: 7, waitMs: 60_000 }),
    ]);
    land(1, 5);
    expect(await answers).toMatchObject([
      { status: 'fulfilled', value: { submissionId: 'attempt-2', answer: { kind: 'executed' } } },
      { status: 'rejected', reason: { code: 'BATCH_TOO_LARGE', details: { undeployed: 5 } } },
    ]);
    expect(submissions.accepted.map(({ key }) => key.split('|').at(-1))).toEqual(['4', '7']);
  });

  it.each([0, 30_000])(
    'a deployment is rejected after waiting %i ms for the previous deployment',
    async (waitMs) => {
      const { clock, submissions, deploy } = aDeployWorld();
      await deploy();
      const other = deploy({ count: 1, partial: true, waitMs });
      await expect(other).rejects.toMatchObject({
        code: 'DEPLOYMENT_IN_PROGRESS',
        kind: 'conflict',
        retryAfterSeconds: 5,
      });
      expect(clock.nowMs()).toBe(NOW_MS + waitMs);
      expect(submissions.accepted).toHaveLength(1);
    },
  );

  it('a deployment stops waiting if its caller disconnects', async () => {
    const { deploy } = aDeployWorld();
    await deploy();
    const leaving = AbortSignal.abort();
    await expect(deploy({ count: 5, waitMs: 60_000, signal: leaving })).rejects.toMatchObject({
      code: 'DEPLOYMENT_IN_PROGRESS',
    });
  });

  it('a request for a full batch does not get the response of a partial batch with an equal count', async () => {
    const { deploy } = aDeployWorld();
    await deploy({ count: 3, partial: true });
    await expect(deploy({ count: 3, partial: false })).rejects.toMatchObject({
      code: 'DEPLOYMENT_IN_PROGRESS',
    });
  });

  it('successive batch deployments of one pool have different submission keys', async () => {
    const { submissions, deploy, land } = aDeployWorld();
    await deploy();
    land(1, 5);
    expect(await deploy()).toMatchObject({ submissionId: 'attempt-2' });
    land(2, 2);
    await expect(deploy()).rejects.toMatchObject({ code: 'BATCH_TOO_LARGE' });
    expect(submissions.accepted.map(({ key }) => key.split('|').at(-1))).toEqual(['4', '7']);
  });

  it.each(['reverted', 'refused', 'expired'] as const)(
    'a batch deployment may be retried after the previous attempt was %s',
    async (state) => {
      const { submissions, deploy } = aDeployWorld();
      await deploy();
      if (state === 'reverted') submissions.execute('attempt-1', 'REVERTED');
      else submissions.end('attempt-1', state, 'ANY_CODE');
      expect((await deploy({ count: 5 })).answer.attempt).toMatchObject({
        id: 'attempt-2',
        attempt: 2,
      });
    },
  );

  it('the ledger serializes deployments that two instances receive for one pool', async () => {
    const { submissions, anInstance, deploy } = aDeployWorld();
    const elsewhere = anInstance();
    await deploy();
    expect(await deploy({}, elsewhere)).toMatchObject({ submissionId: 'attempt-1' });
    await expect(deploy({ count: 5 }, elsewhere)).rejects.toMatchObject({
      code: 'DEPLOYMENT_IN_PROGRESS',
    });
    expect(submissions.accepted).toHaveLength(1);
  });

  it('a deployment waits until the node knows the previous batch', async () => {
    const { submissions, statuses, deploy } = aDeployWorld();
    await deploy();
    submissions.execute('attempt-1', 'SUCCEEDED');
    await expect(deploy()).rejects.toMatchObject({ code: 'DEPLOYMENT_IN_PROGRESS' });
    const next = deploy({ waitMs: 1_000 });
    await Promise.resolve();
    statuses.setStatus(pool.address, { ...waiting, undeployedCount: 5 });
    submissions.executeAll('SUCCEEDED');
    expect(await next).toMatchObject({ submissionId: 'attempt-2' });
  });

  it('batches of one pool are still deployed one after the other if the pool deploys a batch itself', async () => {
    const { submissions, statuses, deploy } = aDeployWorld();
    await deploy();
    statuses.setStatus(pool.address, { ...waiting, undeployedCount: 5 });
    expect(await deploy()).toMatchObject({ submissionId: 'attempt-1' });
    await expect(deploy({ count: 5 })).rejects.toMatchObject({ code: 'DEPLOYMENT_IN_PROGRESS' });
    expect(submissions.accepted).toHaveLength(1);
  });

  it('a deployment does not wait for deployments in another pool', async () => {
    const { submissions, deploy } = aDeployWorld();
    await deploy();
    expect(await deploy({ poolAddress: usdcPool.address })).toMatchObject({
      submissionId: 'attempt-2',
    });
    expect(submissions.accepted).toHaveLength(2);
  });
});

describe('S6: a partial batch of deposits that must have aged', () => {
  const ALL = { count: 8, partial: true } as const;
  it('a partial batch is rejected with the time `readyAt` if the youngest deposit is too young', async () => {
    const { ages, clock, simulator, submissions, deploy } = anAgedWorld();
    ages.pass(600);
    const readyAt = clock.nowMs() / 1_000 + DAY_SECONDS - 600;
    await expect(deploy(ALL)).rejects.toMatchObject({
      code: 'BATCH_TOO_YOUNG',
      kind: 'unprocessable',
      details: { waiting: 8, readyAt },
    });
    expect([simulator.simulated, submissions.attempts]).toEqual([[], []]);
  });

  it('a partial batch of all waiting deposits is accepted once the youngest deposit has aged', async () => {
    const { ages, submissions, deploy } = anAgedWorld();
    ages.pass(DAY_SECONDS);
    expect(await deploy(ALL)).toMatchObject({ submissionId: 'attempt-1' });
    expect(submissions.accepted).toMatchObject([
      { target: { entrypoint: 'deploy_partial_batch' } },
    ]);
  });

  it.each([1, 3, 7])(
    'a partial batch of only %i of eight deposits is rejected at any age',
    async (count) => {
      const { ages, submissions, deploy } = anAgedWorld();
      ages.pass(DAY_SECONDS);
      await expect(deploy({ count, partial: true })).rejects.toMatchObject({
        code: 'BATCH_TOO_YOUNG',
        details: { waiting: 8 },
      });
      expect(submissions.attempts).toEqual([]);
    },
  );

  it('the count of a partial batch is checked before the deposits’ ages are read', async () => {
    const { ages, deploy } = anAgedWorld();
    await expect(deploy({ count: 9, partial: true })).rejects.toMatchObject({
      code: 'BATCH_TOO_LARGE',
    });
    expect(await deploy({ count: 5 })).toMatchObject({ submissionId: 'attempt-1' });
    expect(ages.reads).toBe(0);
  });

  it('a partial batch is not sent if the ages of its deposits can’t be read', async () => {
    const { ages, submissions, deploy } = anAgedWorld();
    ages.pass(DAY_SECONDS);
    ages.fail();
    await expect(deploy(ALL)).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect(submissions.attempts).toEqual([]);
  });

  it('an equal request gets the partial batch in flight without a further read', async () => {
    const { ages, deploy } = anAgedWorld();
    ages.pass(DAY_SECONDS);
    await deploy(ALL);
    expect(await deploy(ALL)).toMatchObject({ submissionId: 'attempt-1' });
    expect(ages.reads).toBe(1);
  });
});

describe('S6: a partial batch reserved for the operator', () => {
  it('a partial batch that is reserved for the operator is rejected for all other callers', async () => {
    const { statuses, submissions, deploy } = aDeployWorld({ mode: 'operator' });
    const { reads } = statuses;
    await expect(deploy({ count: 1, partial: true })).rejects.toMatchObject({
      code: 'PARTIAL_BATCH_RESERVED',
      kind: 'forbidden',
    });
    expect([statuses.reads, submissions.attempts]).toEqual([reads, []]);
  });

  it('the operator may deploy a partial batch of any size, and any caller may deploy a full batch', async () => {
    const { deploy, land } = aDeployWorld({ mode: 'operator' });
    expect(await deploy({ count: 1, partial: true, requester: 'operator' })).toMatchObject({
      submissionId: 'attempt-1',
    });
    land(1, 7);
    expect(await deploy({ count: 3 })).toMatchObject({ submissionId: 'attempt-2' });
  });
});

/** World with four waiting deposits, which have all aged. */
function aCrowdOfFour(mode: PartialBatchPolicy['mode'] = 'aged') {
  const world = aDeployWorld({ mode });
  world.statuses.setStatus(pool.address, { ...waiting, nextIndex: 4, undeployedCount: 4 });
  world.ages.deposit(pool.address, 4);
  world.ages.pass(2 * DAY_SECONDS);
  return world;
}

describe('T13: a batch of a stranger', () => {
  it.each(['aged', 'operator'] as const)(
    'no caller except the operator may leave a single fourth deposit in the mode %s for partial batches',
    async (mode) => {
      const { submissions, simulator, deploy } = aCrowdOfFour(mode);
      await expect(deploy({ count: 3 })).rejects.toMatchObject({
        code: 'BATCH_SPLITS_CROWD',
        kind: 'unprocessable',
        details: { waiting: 4, allowed: '' },
      });
      expect([simulator.simulated, submissions.attempts]).toEqual([[], []]);
    },
  );

  it('a caller other than the operator may deploy all four deposits once the deposits have aged', async () => {
    const { deploy } = aCrowdOfFour();
    expect(await deploy({ count: 4, partial: true })).toMatchObject({ submissionId: 'attempt-1' });
  });

  it.each([
    [3, 3],
    [5, 5],
    [6, 3],
    [7, 7],
    [8, 5],
    [8, 3],
    [10, 7],
  ])(
    'any caller may deploy a full batch if %i deposits wait and %i of them are deployed',
    async (undeployedCount, count) => {
      const { statuses, ages, deploy } = aCrowdOfFour();
      statuses.setStatus(pool.address, { ...waiting, undeployedCount });
      expect(await deploy({ count })).toMatchObject({ submissionId: 'attempt-1' });
      expect(ages.reads).toBe(0);
    },
  );

  it.each([
    [6, 5, '3'],
    [8, 7, '3, 5'],
    [9, 7, '3, 5'],
  ])(
    'a batch that would leave too few deposits is rejected with the allowed counts: %i deposits wait, the count is %i',
    async (undeployedCount, count, allowed) => {
      const { statuses, deploy } = aCrowdOfFour();
      statuses.setStatus(pool.address, { ...waiting, undeployedCount });
      await expect(deploy({ count })).rejects.toMatchObject({
        code: 'BATCH_SPLITS_CROWD',
        details: { waiting: undeployedCount, allowed },
      });
    },
  );

  it('a caller’s batch of a single deposit is rejected at any age of the deposit', async () => {
    const { statuses, submissions, deploy } = aCrowdOfFour();
    statuses.setStatus(pool.address, { ...waiting, nextIndex: 4, undeployedCount: 1 });
    const alone = { count: 1, partial: true };
    await expect(deploy(alone)).rejects.toMatchObject({ code: 'PARTIAL_BATCH_RESERVED' });
    expect(submissions.attempts).toEqual([]);
  });
});

describe('T13: a deposit of the pre-confirmed block', () => {
  it.each([
    { wait: 3, more: 1, batch: { count: 3, partial: false }, code: 'BATCH_SPLITS_CROWD' },
    { wait: 4, more: 1, batch: { count: 4, partial: true }, code: 'BATCH_TOO_YOUNG' },
    { wait: 5, more: -3, batch: { count: 5, partial: false }, code: 'BATCH_TOO_LARGE' },
    { wait: 6, more: -1, batch: { count: 3, partial: false }, code: 'BATCH_SPLITS_CROWD' },
  ])(
    'no caller’s batch may leave a single deposit: $wait deposits wait, plus $more pre-confirmed ($batch)',
    async ({ wait, more, batch, code }) => {
      const { statuses, submissions, deploy } = aCrowdOfFour();
      statuses.setStatus(pool.address, { ...waiting, nextIndex: 4, undeployedCount: wait });
      statuses.preConfirm(pool.address, more);
      await expect(deploy(batch)).rejects.toMatchObject({ code });
      expect(submissions.attempts).toEqual([]);
    },
  );

  it('no batch of the keeper leaves a single pre-confirmed deposit', async () => {
    const { statuses, submissions, deploy } = aCrowdOfFour();
    statuses.preConfirm(pool.address, 1);
    const ofAll = { count: 4, partial: true, requester: 'keeper' } as const;
    await expect(deploy(ofAll)).rejects.toMatchObject({ code: 'BATCH_TOO_YOUNG' });
    expect(submissions.attempts).toEqual([]);
  });

  it('a full batch of three deposits is allowed if six deposits wait and one more is pre-confirmed', async () => {
    const { statuses, deploy } = aCrowdOfFour();
    statuses.setStatus(pool.address, { ...waiting, undeployedCount: 6 });
    statuses.preConfirm(pool.address, 1);
    expect(await deploy({ count: 3 })).toMatchObject({ submissionId: 'attempt-1' });
  });
});

describe('T13: a batch of the operator', () => {
  it.each([
    { count: 3, partial: false },
    { count: 1, partial: true },
  ])('the operator may deploy the batch %o of four waiting deposits', async (batch) => {
    const { deploy } = aCrowdOfFour();
    const byOperator = { ...batch, requester: 'operator' } as const;
    expect(await deploy(byOperator)).toMatchObject({ submissionId: 'attempt-1' });
  });
});

describe('T13: a batch of the keeper', () => {
  it.each([
    { count: 3, partial: false, code: 'BATCH_SPLITS_CROWD' },
    { count: 3, partial: true, code: 'BATCH_TOO_YOUNG' },
  ])(
    'the keeper’s batch is rejected by the same rule as any caller’s batch: $count of four deposits (partial: $partial)',
    async ({ code, ...batch }) => {
      const { submissions, deploy } = aCrowdOfFour();
      await expect(deploy({ ...batch, requester: 'keeper' })).rejects.toMatchObject({ code });
      expect(submissions.attempts).toEqual([]);
    },
  );

  it('the keeper may deploy all four aged deposits in the mode `operator`', async () => {
    const { deploy } = aCrowdOfFour('operator');
    const ofAll = { count: 4, partial: true, requester: 'keeper' } as const;
    expect(await deploy(ofAll)).toMatchObject({ submissionId: 'attempt-1' });
  });
});

describe('a deployment that its caller follows', () => {
  it('calls onSubmission with the submission’s id before the wait for its outcome', async () => {
    const { deploy } = aDeployWorld();
    const named: string[] = [];
    const { submissionId } = await deploy({
      onSubmission: async (id) => void named.push(id),
    });
    expect(named).toEqual([submissionId]);
  });
});
