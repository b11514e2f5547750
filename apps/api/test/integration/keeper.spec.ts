import { describe, expect, it } from '@jest/globals';
import { LeverageUnreachable } from '@sotto/curator-core';
import { TASK_NAMES } from '@sotto/facts';
import request, { type Response } from 'supertest';
import {
  TERMS,
  calledTask,
  curatorTask,
  manySubjects,
  spentTasks,
  treasuryTask,
} from './keeper-fixture.js';
import { OPERATOR_TOKEN, testApp, type TestApp } from './test-app.js';

const as = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
const order = ({ app }: TestApp, what: string, body?: object): PromiseLike<Response> =>
  request(app).post(`/api/operator/${what}`).set(as).send(body);

const WINDOW = { limitFri: String(2n ** 70n), spentFri: String(2n ** 60n), leftFri: '7' };

describe('the keeper’s routes', () => {
  it('the keeper’s status contains the actions, skips and due times of each task', async () => {
    const { app } = await testApp();
    const { status, body } = await request(app).get('/api/keeper/status');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        tasks: [
          {
            task: 'curator',
            does: 'Moves the idle funds of a vault into the vault’s strategy.',
            on: true,
            held: true,
            paused: null,
            leftOut: 0,
            subjects: [
              {
                subject: 'citadel',
                paused: { reason: 'an upgrade', since: 1_799_999_995 },
                lastLookAt: 1_800_000_000,
                outcome: 'skipped',
                reason: 'NOT_SETTLED',
                meaning: 'The idle funds have not been in the vault for the whole settle time.',
                details: { idleSats: '7' },
                dueAt: 1_800_000_002,
                lastActed: null,
              },
              {
                subject: 'sentinel',
                paused: null,
                lastLookAt: 1_800_000_000,
                outcome: 'acted',
                reason: null,
                meaning: null,
                details: {},
                dueAt: null,
                lastActed: { at: 1_800_000_000, submission: 'a' },
              },
            ],
          },
        ],
      },
    });
  });

  it('the keeper’s public status hides the balances and earnings of the service’s accounts', async () => {
    const test = await testApp();
    test.useCases.keeperStatus = async () => [treasuryTask];
    const { body, text } = await request(test.app).get('/api/keeper/status');
    expect(body.tasks[0].subjects).toEqual([
      {
        subject: 'relay-0',
        paused: null,
        lastLookAt: 1_800_000_000,
        outcome: 'skipped',
        reason: null,
        meaning: null,
        details: {},
        dueAt: null,
        lastActed: null,
      },
    ]);
    for (const secret of ['balanceFri', 'treasuryFri', 'earned', 'TREASURY_EMPTY', 'NODE_BEHIND'])
      expect(text).not.toContain(secret);
  });

  it('the keeper’s public status contains no budget in any unit', async () => {
    const { app } = await testApp();
    const { status, text } = await request(app).get('/api/keeper/status');
    expect(status).toBe(200);
    for (const secret of ['budget', 'Fri', WINDOW.limitFri, WINDOW.spentFri])
      expect(text).not.toContain(secret);
  });

  it('the keeper’s public status does not reveal that a task has spent its budget', async () => {
    const test = await testApp();
    test.useCases.keeperStatus = async () => spentTasks;
    const { body, text } = await request(test.app).get('/api/keeper/status');
    expect(text).not.toContain('BUDGET_EXHAUSTED');
    expect(
      body.tasks.map(({ subjects }: { readonly subjects: readonly object[] }) => subjects[0]),
    ).toMatchObject([
      { reason: null, meaning: null, details: { executed: 3 }, dueAt: null },
      { reason: 'HEALTH_BELOW_FLOOR', details: { debt: '7' }, dueAt: null },
    ]);
    const { text: operated } = await request(test.app).get('/api/operator/status').set(as);
    expect(operated).toContain('BUDGET_EXHAUSTED');
  });

  it.each(TASK_NAMES)(
    'the keeper’s public status hides a call of the task %s until the call is on chain',
    async (task) => {
      const { submissionId, ...others } = TERMS;
      const terms = Object.values(others);
      const requested = async (isSettled: boolean) => {
        const test = await testApp();
        test.useCases.keeperStatus = async () => [calledTask(task, isSettled)];
        const { body, text } = await request(test.app).get('/api/keeper/status');
        for (const term of terms) expect(text).not.toContain(String(term));
        const { text: operated } = await request(test.app).get('/api/operator/status').set(as);
        for (const term of terms) expect(operated).toContain(String(term));
        return { text, subject: body.tasks[0].subjects[0] };
      };
      const before = await requested(false);
      expect(before.text).not.toContain(submissionId);
      expect(before.subject).toMatchObject({
        outcome: 'skipped',
        reason: task === 'treasury' ? null : 'IN_FLIGHT',
        details: {},
        lastActed: null,
      });
      expect((await requested(true)).subject).toMatchObject({
        outcome: 'acted',
        reason: null,
        details: {},
        lastActed: { at: 1_800_000_000, submission: submissionId },
      });
    },
  );

  it('the keeper’s public status lists at most two hundred subjects with an alert and two hundred without an alert', async () => {
    const test = await testApp();
    test.useCases.keeperStatus = async () => [manySubjects(10_000, 40)];
    const { body } = await request(test.app).get('/api/keeper/status');
    const [{ subjects, leftOut }] = body.tasks;
    const names: number[] = subjects.map(({ subject }: { subject: string }) => Number(subject));
    expect(leftOut).toBe(9_600);
    expect(names).toEqual(names.toSorted((a, b) => a - b));
    expect(names.filter((name) => name % 40 === 0)).toEqual(
      Array.from({ length: 200 }, (_, index) => 40 * index),
    );
    expect(names.filter((name) => name % 40 !== 0).at(-1)).toBe(205);
    const { body: operated } = await request(test.app).get('/api/operator/status').set(as);
    expect(operated.keeper.tasks[0].subjects).toHaveLength(10_000);
  });

  it('the keeper’s public status lists all subjects of a task that has two hundred subjects', async () => {
    const test = await testApp();
    test.useCases.keeperStatus = async () => [manySubjects(200, 1_000)];
    const { body } = await request(test.app).get('/api/keeper/status');
    expect(body.tasks[0].subjects).toHaveLength(200);
    expect(body.tasks[0].leftOut).toBe(0);
  });

  it('the operator’s status reports a keeper task whose keepers have all died', async () => {
    const test = await testApp();
    test.useCases.keeperStatus = async () => [
      { ...curatorTask, isOn: false, holder: null, notHeldSinceMs: 1_799_999_000_000 },
    ];
    const { body } = await request(test.app).get('/api/operator/status').set(as);
    expect(body.keeper.alerts).toEqual([
      {
        task: 'curator',
        subject: null,
        reason: 'NOT_HELD',
        meaning: expect.stringContaining('no process holds it now'),
        at: 1_799_999_000,
      },
    ]);
  });

  it('the operator’s status has all details of the keeper’s tasks, and an alert for each subject that needs an operator', async () => {
    const test = await testApp();
    test.useCases.keeperStatus = async () => [curatorTask, treasuryTask];
    const { body } = await request(test.app).get('/api/operator/status').set(as);
    expect(body.keeper.alerts).toEqual([
      {
        task: 'treasury',
        subject: 'relay-0',
        reason: 'TREASURY_EMPTY',
        meaning: 'The treasury has less STRK than the transfer needs.',
        at: 1_800_000_000,
      },
    ]);
    const earned = [{ token: '0xb7c', amount: String(2n ** 65n) }];
    expect(body.keeper.tasks).toMatchObject([
      {
        task: 'curator',
        on: true,
        held: true,
        budget: { hour: { ...WINDOW, earned }, day: { ...WINDOW, leftFri: null, earned } },
        subjects: [
          {
            subject: 'citadel',
            reason: 'NOT_SETTLED',
            since: 1_799_999_910,
            dueAt: 1_800_000_002,
          },
          { subject: 'sentinel', outcome: 'acted', lastActed: { submission: 'a' } },
        ],
      },
      {
        task: 'treasury',
        subjects: [
          {
            subject: 'relay-0',
            details: { balanceFri: '31', treasuryFri: '41', code: 'NODE_BEHIND' },
          },
        ],
      },
    ]);
  });

  it('the Mayer Multiple’s route returns null for unknown values', async () => {
    const { app } = await testApp();
    const { status, body } = await request(app).get('/api/keeper/mayer');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        block: 7,
        at: 1_800_000_000,
        contract: { multiple: '0.900000', band: '1.25' },
        own: null,
        verdict: 'unknown',
        spotUsd: '100000.00',
        meanUsd: null,
        days: { agreed: 194, missing: 5, disputed: 1 },
        bands: ['1.5', '1.25', '1', '0.75', '0.5'],
      },
    });
  });

  it('the keeper’s purchase orders are listed in pages, including unreadable orders', async () => {
    const test = await testApp();
    const { status, body } = await request(test.app).get('/api/keeper/orders?after=17');
    expect(test.useCases.listed).toEqual([{ after: 17n, limit: 100 }]);
    expect({ status, next: body.next, known: body.knownThroughBlock }).toEqual({
      status: 200,
      next: '2',
      known: 6,
    });
    expect(body.orders).toEqual([
      {
        order: '1',
        state: 'due',
        sellToken: '0xdc',
        sellSymbol: 'USDC',
        amount: String(2n ** 70n),
        remaining: '5',
        frequencySeconds: 3_600,
        total: 3,
        executed: 1,
        smart: true,
        nextDueAt: 1_799_999_000,
      },
      expect.objectContaining({ order: '2', state: 'unreadable', amount: null }),
    ]);
  });

  it.each(['-1', '1.5', 'x', ''])(
    'a request for purchase orders with the invalid cursor %j is rejected',
    async (after) => {
      const { app } = await testApp();
      const { status, body } = await request(app).get(`/api/keeper/orders?after=${after}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    },
  );
});

describe('the operator’s routes of the keeper', () => {
  it('an operator can pause and resume a keeper task or one subject of the task', async () => {
    const test = await testApp();
    expect((await order(test, 'tasks/curator/pause', { reason: ' upgrade ' })).status).toBe(200);
    const one = { reason: 'upgrade', subject: 'sentinel' };
    expect((await order(test, 'tasks/curator/pause', one)).body.task).toBe('curator');
    expect((await order(test, 'tasks/curator/resume', { subject: 'sentinel' })).status).toBe(200);
    expect((await order(test, 'tasks/curator/resume', {})).status).toBe(200);
    expect(test.useCases.taskControls).toEqual([
      ['curator', null, 'upgrade'],
      ['curator', 'sentinel', 'upgrade'],
      ['curator', 'sentinel', null],
      ['curator', null, null],
    ]);
  });

  it('an operator’s request to resume an unknown keeper task is rejected', async () => {
    const { status, body } = await order(await testApp(), 'tasks/mining/resume', {});
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'TASK_NOT_FOUND' });
  });

  it.each([
    [3, 30_000],
    [1, 10_000],
    [2.7183, 27_183],
    [null, null],
  ])('a leverage target can be set or removed: %p', async (target, targetBps) => {
    const test = await testApp();
    const { status, body } = await order(test, 'leverage/turbo', { target });
    expect(test.useCases.leverage).toEqual([{ vaultId: 'turbo', targetBps }]);
    expect({ status, body }).toEqual({
      status: 200,
      body: { vault: 'turbo', target, setAt: target === null ? null : 1_800_000_000 },
    });
  });

  it('a leverage target between two allowed steps is passed to the use case without rounding', async () => {
    const test = await testApp();
    await order(test, 'leverage/turbo', { target: 2.71828 });
    expect(Number.isInteger(test.useCases.leverage[0]?.targetBps)).toBe(false);
  });

  it('the response to a rejected leverage target contains the possible leverage of the vault', async () => {
    const test = await testApp();
    test.useCases.leverageTarget = () =>
      Promise.reject(new LeverageUnreachable({ details: { limit: '2.8' } }));
    const { status, body } = await order(test, 'leverage/turbo', { target: 5 });
    expect({ status, code: body.code, details: body.details }).toEqual({
      status: 422,
      code: 'LEVERAGE_UNREACHABLE',
      details: { limit: '2.8' },
    });
  });

  it.each(['tasks/curator/pause', 'tasks/curator/resume', 'leverage/turbo'])(
    'only the operator may call the route %s',
    async (what) => {
      const { app } = await testApp();
      const { status } = await request(app).post(`/api/operator/${what}`).send({});
      expect(status).toBe(401);
    },
  );
});
