import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { ControlTasks, GetKeeperStatus, TaskNotFound, alertsOf, skipped } from '../../src/index.js';
import { INTERVAL_MS, LEASE_MS, PRICE_FRI, SETTINGS, World, acted } from '../support/world.js';

const untouched = (limitFri: bigint) => ({
  limitFri,
  spentFri: 0n,
  liveFri: 0n,
  leftFri: limitFri,
  earned: [],
});

describe('GetKeeperStatus', () => {
  let world: World;
  let status: GetKeeperStatus;
  let control: ControlTasks;
  beforeEach(() => {
    world = new World();
    status = new GetKeeperStatus(world, [
      {
        name: 'curator',
        kinds: ['deploy_idle_funds'],
        intervalMs: INTERVAL_MS,
        settings: SETTINGS,
      },
      {
        name: 'leverage',
        kinds: ['leverage_round'],
        intervalMs: INTERVAL_MS,
        settings: { ...SETTINGS, isOn: false, subjects: ['turbo'] },
      },
    ]);
    control = new ControlTasks(status, world.store);
  });

  /** Kills a keeper and advances the clock by `forMs`. Returns the end of the keeper's lease. */
  const died = async (forMs: number): Promise<number> => {
    await world.instance('killed').run();
    const untilMs = world.clock.nowMs() + INTERVAL_MS + LEASE_MS;
    world.clock.advance(INTERVAL_MS + LEASE_MS + forMs);
    return untilMs;
  };
  const alerts = async () => alertsOf(await status.execute());
  /** Creates the status of a restarted service that runs no task. */
  const withoutTasks = () =>
    new GetKeeperStatus(
      world,
      (['curator', 'leverage'] as const).map((name) => ({
        name,
        kinds: [],
        intervalMs: INTERVAL_MS,
        settings: { ...SETTINGS, isOn: false },
      })),
    );

  it('returns every configured task, including a task that is off and was never checked', async () => {
    expect(await status.execute()).toMatchObject([
      { task: 'curator', isOn: true, holder: null, paused: null, subjects: [] },
      {
        task: 'leverage',
        isOn: false,
        holder: null,
        paused: null,
        budget: {
          hour: untouched(SETTINGS.hourlyBudgetFri),
          day: untouched(SETTINGS.dailyBudgetFri),
        },
        subjects: [
          { subject: 'turbo', paused: null, lastPoll: null, dueAtMs: null, lastActed: null },
        ],
      },
    ]);
  });

  it('O6 returns the last known status within a limited time if the store does not respond', async () => {
    const known = await status.execute();
    expect(await status.lastKnown()).toEqual({ value: known, notAnswered: null });
    world.store.looks = () => new Promise(() => undefined);
    const late = status.lastKnown();
    world.clock.advance(700);
    expect(await late).toEqual({
      value: known,
      notAnswered: { code: 'TIMED_OUT', cause: null, knownAgoMs: 700 },
    });
  });

  it('returns the holder of a task and the last checks of its subjects', async () => {
    const { task, run } = world.instance('a');
    const atMs = world.clock.nowMs();
    task.script = async (subject) =>
      subject === 'trident' ? acted('id-1') : skipped('NOT_SETTLED', {}, atMs + 60_000);
    await run();
    const [curator] = await status.execute();
    expect(curator?.holder).toMatchObject({ instance: 'a' });
    expect(curator?.subjects).toEqual([
      {
        subject: 'sentinel',
        paused: null,
        lastPoll: {
          atMs,
          sinceMs: atMs,
          report: skipped('NOT_SETTLED', {}, atMs + 60_000),
        },
        dueAtMs: atMs + 60_000,
        lastActed: null,
      },
      {
        subject: 'trident',
        paused: null,
        lastPoll: { atMs, sinceMs: atMs, report: acted('id-1') },
        dueAtMs: null,
        lastActed: { atMs, submissionId: 'id-1', isSettled: false },
      },
    ]);
  });

  it('returns a task’s gas spending of the last hour and of the last day, and the gas of its live submissions', async () => {
    world.store.end('deploy_idle_funds', 3n * PRICE_FRI, { token: toFelt('0xb7c'), amount: 12n });
    world.clock.advance(2 * 3_600_000);
    world.store.end('deploy_idle_funds', 4n * PRICE_FRI);
    world.store.begin('deploy_idle_funds', 5n);
    const [curator] = await status.execute();
    expect(curator?.budget).toEqual({
      hour: {
        limitFri: 1_000n * PRICE_FRI,
        spentFri: 4n * PRICE_FRI,
        liveFri: 5n * PRICE_FRI,
        leftFri: 991n * PRICE_FRI,
        earned: [],
      },
      day: {
        limitFri: 5_000n * PRICE_FRI,
        spentFri: 7n * PRICE_FRI,
        liveFri: 5n * PRICE_FRI,
        leftFri: 4_988n * PRICE_FRI,
        earned: [{ token: toFelt('0xb7c'), amount: 12n }],
      },
    });
  });

  it('the keeper’s status contains an alert only if the reason of a skipped check requires an operator', async () => {
    const { task, run } = world.instance('a');
    task.names = ['sentinel', 'trident', 'turbo'];
    task.script = async (subject) => {
      if (subject === 'sentinel') return skipped('NOT_DUE');
      return subject === 'trident' ? skipped('TREASURY_EMPTY') : acted('id-1');
    };
    await run();
    const atMs = world.clock.nowMs();
    expect(alertsOf(await status.execute())).toEqual([
      { task: 'curator', subject: 'trident', reason: 'TREASURY_EMPTY', atMs },
    ]);
  });

  it('returns when an unchanged outcome began, and returns isSettled as true after the submission was executed', async () => {
    const { task, run } = world.instance('a');
    task.names = ['trident'];
    task.script = async () => acted('id-1');
    const sinceMs = world.clock.nowMs();
    await run();
    world.clock.advance(INTERVAL_MS);
    world.store.settle('id-1');
    await run();
    const [curator] = await status.execute();
    expect(curator?.subjects).toMatchObject([
      { lastPoll: { sinceMs }, lastActed: { submissionId: 'id-1', isSettled: true } },
    ]);
  });

  describe('a task without a holder', () => {
    it('any process reports NOT_HELD for a task that no instance has held for three intervals', async () => {
      const untilMs = await died(3 * INTERVAL_MS - 1);
      expect(await alerts()).toEqual([]);
      world.clock.advance(1);
      const alert = { task: 'curator', subject: null, reason: 'NOT_HELD', atMs: untilMs };
      expect(await alerts()).toEqual([alert]);
      status = withoutTasks();
      expect(await alerts()).toEqual([alert]);
      expect(await status.execute()).toMatchObject([
        { task: 'curator', isOn: false, holder: null, notHeldSinceMs: untilMs },
        { task: 'leverage', isOn: false, holder: null, notHeldSinceMs: null },
      ]);
    });

    it('reports NOT_HELD for a task whose last keeper was stopped, even weeks after the stop', async () => {
      const { runner, run } = world.instance('stopped');
      await run();
      const atMs = world.clock.nowMs();
      await runner.stop();
      world.clock.advance(30 * 24 * 3_600_000);
      status = withoutTasks();
      expect(await alerts()).toEqual([
        { task: 'curator', subject: null, reason: 'NOT_HELD', atMs },
      ]);
    });

    it('does not report NOT_HELD for a task that a process holds again', async () => {
      await died(3 * INTERVAL_MS);
      await control.pause('curator', null, 'off for good');
      expect(await alerts()).toEqual([]);
      await control.resume('curator', null);
      expect(await alerts()).toHaveLength(1);
      await world.instance('next').run();
      expect(await alerts()).toEqual([]);
    });
  });

  it('builds the status of 5,000 subjects without a quadratic number of row reads', async () => {
    const { task, run } = world.instance('a');
    task.names = Array.from({ length: 5_000 }, (_, index) => String(index));
    await run();
    const looks = await world.store.looks();
    let reads = 0;
    world.store.looks = async () =>
      looks.map(
        (poll) =>
          new Proxy(poll, {
            get: (target, name, receiver): unknown => {
              reads += 1;
              return Reflect.get(target, name, receiver);
            },
          }),
      );
    const [curator] = await status.execute();
    expect(curator?.subjects.map(({ subject }) => subject)).toEqual(task.names);
    expect(reads).toBeLessThan(20 * looks.length);
  });

  it('returns the keeper’s status if the gas price is unavailable, but rejects if the store is unavailable', async () => {
    world.priceFri = () => Promise.reject(new LedgerUnavailable());
    const [curator] = await status.execute();
    expect(curator?.budget.hour).toMatchObject({ spentFri: 0n, liveFri: null, leftFri: null });
    world.store.fail();
    expect(await failure(status.execute())).toBeInstanceOf(LedgerUnavailable);
  });

  it('reports the pause of a task or subject until it is resumed', async () => {
    await world.instance('a').run();
    const sinceMs = world.clock.nowMs();
    const paused = await control.pause('curator', 'trident', 'a doubt');
    expect(paused).toMatchObject({
      task: 'curator',
      paused: null,
      subjects: [
        { subject: 'sentinel', paused: null },
        { subject: 'trident', paused: { reason: 'a doubt', sinceMs } },
      ],
    });
    expect(await control.pause('leverage', null, 'upgrade')).toMatchObject({
      task: 'leverage',
      paused: { reason: 'upgrade', sinceMs },
    });
    expect(await control.resume('curator', 'trident')).toMatchObject({
      subjects: [
        { subject: 'sentinel', paused: null },
        { subject: 'trident', paused: null },
      ],
    });
    expect(await world.store.controls()).toMatchObject([
      { subject: 'trident', resumedAtMs: sinceMs },
      { subject: null, resumedAtMs: 0 },
    ]);
  });

  it.each([
    ['treasury', null],
    ['unknown', null],
    ['curator', 'no such vault'],
    ['leverage', 'trident'],
  ])(
    'rejects a pause and a resume of task %s with subject %s, and writes nothing',
    async (task, subject) => {
      expect(await failure(control.pause(task, subject, 'a doubt'))).toBeInstanceOf(TaskNotFound);
      expect(await failure(control.resume(task, subject))).toBeInstanceOf(TaskNotFound);
      expect(await world.store.controls()).toEqual([]);
    },
  );

  it('accepts a pause of a configured subject before its first check', async () => {
    expect(await control.pause('leverage', 'turbo', 'a doubt')).toMatchObject({
      subjects: [{ subject: 'turbo', paused: { reason: 'a doubt' }, lastPoll: null }],
    });
  });
});
