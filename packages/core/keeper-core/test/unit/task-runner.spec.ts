import { beforeEach, describe, expect, it } from '@jest/globals';
import { startBackgroundTasks } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';
import {
  LedgerUnavailable,
  NodeBehind,
  PreviousAttemptNotFinal,
  QueueFull,
} from '@sotto/submission-core';
import { skipped } from '../../src/index.js';
import { INTERVAL_MS, LEASE_MS, PRICE_FRI, World, acted } from '../support/world.js';

describe('TaskRunner', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  /** Creates an instance whose task watches paused subjects, and pauses the task or the subject. */
  const watching = async (of: string | null) => {
    const instance = world.instance('a');
    instance.task.watchesPaused = true;
    instance.task.names = ['trident'];
    await world.store.pause('curator', of, 'a doubt');
    return instance;
  };

  describe('checks', () => {
    it('checks nothing and acquires no lease while the task is switched off', async () => {
      const { task, run } = world.instance('a', { isOn: false });
      await run();
      expect(task.seen).toEqual([]);
      expect(await world.leases.holders()).toEqual([]);
    });

    it('checks each subject of the task and records the result', async () => {
      const { task, run } = world.instance('a');
      task.script = async (subject) =>
        subject === 'trident' ? acted('id-1') : skipped('BELOW_THRESHOLD', { idleSats: '7' });
      await run();
      expect(task.seen).toEqual(['sentinel', 'trident']);
      expect(await world.reasons()).toEqual({ sentinel: 'BELOW_THRESHOLD', trident: 'acted' });
    });

    it('checks only the subjects that the settings list, if the settings contain a list', async () => {
      const { task, run } = world.instance('a', { subjects: ['trident', 'unknown'] });
      await run();
      expect(task.seen).toEqual(['trident']);
    });

    it('checks the subjects again after each interval, as a background task', async () => {
      const { task, runner } = world.instance('a');
      const stop = startBackgroundTasks([runner], world);
      await until(() => world.clock.sleeping === 1);
      world.clock.advance(INTERVAL_MS);
      await until(() => world.clock.sleeping === 1 && task.seen.length === 4);
      await stop();
      expect(task.seen).toEqual(['sentinel', 'trident', 'sentinel', 'trident']);
    });

    it('skips paused subjects and records the reason of the pause', async () => {
      const { task, run } = world.instance('a');
      await world.store.pause('curator', 'trident', 'a doubt');
      await run();
      expect(task.seen).toEqual(['sentinel']);
      expect(await world.store.looks()).toContainEqual(
        expect.objectContaining({
          subject: 'trident',
          report: skipped('PAUSED', { reason: 'a doubt' }),
        }),
      );
      await world.store.pause('curator', null, 'upgrade');
      await run();
      expect(task.seen).toEqual(['sentinel']);
      await world.store.resume('curator', null);
      await world.store.resume('curator', 'trident');
      await run();
      expect(task.seen).toEqual(['sentinel', 'sentinel', 'trident']);
    });

    it('skips the remaining subjects if the task is paused during the round', async () => {
      const { task, run } = world.instance('a');
      task.script = async () => {
        await world.store.pause('curator', null, 'upgrade');
        return skipped('BELOW_THRESHOLD');
      };
      await run();
      expect(task.seen).toEqual(['sentinel']);
      expect(await world.reasons()).toEqual({ sentinel: 'BELOW_THRESHOLD', trident: 'PAUSED' });
    });
  });

  describe('task that watches paused subjects', () => {
    it.each([
      ['the task', null],
      ['the subject', 'trident'],
    ])(
      'a paused subject is checked after a pause of %s, but the gate rejects every call',
      async (_what, of) => {
        const { task, counters, run } = await watching(of);
        const seen: unknown[] = [];
        task.script = async (_subject, gate) => {
          seen.push(gate.isPaused, await gate.admit(0n));
          return skipped('AT_TARGET');
        };
        await run();
        expect(seen).toEqual([true, 'PAUSED']);
        expect(await world.store.looks()).toMatchObject([
          { report: skipped('PAUSED', { reason: 'a doubt' }) },
        ]);
        expect(counters.counts()).toEqual([{ task: 'curator', outcome: 'PAUSED', count: 1 }]);
        await world.store.resume('curator', of);
        seen.length = 0;
        await run();
        expect(seen).toEqual([undefined, null]);
      },
    );

    it('records the alert of a paused subject instead of its pause', async () => {
      const { task, run } = await watching(null);
      task.script = async () => skipped('HEALTH_BELOW_FLOOR', { because: 'PAUSED' });
      await run();
      expect(await world.reasons()).toEqual({ trident: 'HEALTH_BELOW_FLOOR' });
      expect(world.logger.lines).toMatchObject([
        { level: 'error', fields: { reason: 'HEALTH_BELOW_FLOOR' } },
      ]);
    });

    it('records PAUSED if a read of a paused subject fails', async () => {
      const { task, run } = await watching(null);
      task.script = async () => {
        throw new NodeBehind();
      };
      await run();
      expect(await world.reasons()).toEqual({ trident: 'PAUSED' });
      task.script = async () => {
        throw new TypeError('undefined is not a function');
      };
      await run();
      expect(await world.reasons()).toEqual({ trident: 'LOOK_FAILED' });
    });
  });

  describe('pause during a check', () => {
    it.each([
      ['the task', null],
      ['the subject', 'trident'],
    ])(
      'the gate of a task rejects a call if an operator pauses %s during the check',
      async (_what, subject) => {
        const { task, run } = world.instance('a');
        task.names = ['trident'];
        task.script = async (_subject, gate) => {
          await world.store.pause('curator', subject, 'a doubt');
          const reason = await gate.admit(0n);
          return reason === null ? acted('id-1') : skipped(reason);
        };
        await run();
        expect(await world.reasons()).toEqual({ trident: 'PAUSED' });
      },
    );

    it('the gate of a task ignores a pause of another subject or of another task', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      task.script = async (_subject, gate) => {
        await world.store.pause('curator', 'sentinel', 'a doubt');
        await world.store.pause('leverage', null, 'a doubt');
        const reason = await gate.admit(0n);
        return reason === null ? acted('id-1') : skipped(reason);
      };
      await run();
      expect(await world.reasons()).toEqual({ trident: 'acted' });
    });
  });

  describe('lasting failures', () => {
    it('raises LASTING_FAILURE with the original reason after 30 minutes of failed checks, until a check succeeds', async () => {
      const { task, counters, run } = world.instance('a');
      task.names = ['trident'];
      task.script = async () => skipped('SIMULATION_REVERTED', { reason: 'Not owner' });
      await run();
      await world.eachMinute(29, run);
      expect(await world.reasons()).toEqual({ trident: 'SIMULATION_REVERTED' });
      expect(world.logger.lines).toEqual([]);
      await world.eachMinute(1, run);
      expect(await world.store.looks()).toMatchObject([
        {
          report: {
            reason: 'LASTING_FAILURE',
            details: { because: 'SIMULATION_REVERTED', reason: 'Not owner' },
          },
        },
      ]);
      await world.eachMinute(3, run);
      expect(world.logger.lines).toMatchObject([
        { level: 'error', fields: { subject: 'trident', reason: 'LASTING_FAILURE' } },
      ]);
      expect(counters.counts()).toEqual([
        { task: 'curator', outcome: 'SIMULATION_REVERTED', count: 34 },
      ]);
      task.script = async () => acted('id-1');
      await run();
      expect(await world.reasons()).toEqual({ trident: 'acted' });
      task.script = async () => skipped('SIMULATION_REVERTED');
      await world.eachMinute(29, run);
      expect(await world.reasons()).toEqual({ trident: 'SIMULATION_REVERTED' });
    });

    it('a lasting failure starts at the first failed check, even if later checks fail for other reasons', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      const beganMs = world.clock.nowMs();
      await run();
      world.clock.advance(60_000);
      task.script = async () => skipped('NODE_BEHIND');
      await run();
      await world.eachMinute(20, run);
      task.script = async () => skipped('SIMULATION_REVERTED');
      await world.eachMinute(13, run);
      expect(await world.reasons()).toEqual({ trident: 'LASTING_FAILURE' });
      expect(await world.store.looks()).toMatchObject([{ sinceMs: beganMs + 60_000 }]);
    });

    it('failed checks with different reasons and checks with rejected reads form one lasting failure', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      let looks = 0;
      task.script = async () => {
        looks += 1;
        if (looks % 2 === 1) throw new NodeBehind();
        return skipped('PRICE_UNAVAILABLE');
      };
      await run();
      await world.eachMinute(30, run);
      expect(await world.reasons()).toEqual({ trident: 'LASTING_FAILURE' });
      expect(world.logger.lines.at(-1)).toMatchObject({
        level: 'error',
        fields: { reason: 'LASTING_FAILURE' },
      });
    });

    it('a long gap between checks restarts the time until a failure is lasting', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      task.script = async () => skipped('SIMULATION_REVERTED');
      await run();
      await world.eachMinute(20, run);
      world.clock.advance(600_000);
      await run();
      await world.eachMinute(29, run);
      expect(await world.reasons()).toEqual({ trident: 'SIMULATION_REVERTED' });
      await world.eachMinute(1, run);
      expect(await world.reasons()).toEqual({ trident: 'LASTING_FAILURE' });
    });

    it('raises lasting failures for at most ten subjects at a time', async () => {
      const { task, run } = world.instance('a');
      task.names = Array.from({ length: 13 }, (_, each) => `${each}`);
      task.script = async () => skipped('SIMULATION_REVERTED');
      await run();
      await world.eachMinute(40, run);
      const reasons = Object.values(await world.reasons());
      expect(reasons.filter((reason) => reason === 'LASTING_FAILURE')).toHaveLength(10);
      // The alert is limited to ten subjects. When one of them recovers, another failing subject
      // gets an alert.
      task.script = async (subject) =>
        subject === '0' ? acted('id-1') : skipped('SIMULATION_REVERTED');
      await world.eachMinute(2, run);
      const later = Object.values(await world.reasons());
      expect(later.filter((reason) => reason === 'LASTING_FAILURE')).toHaveLength(10);
    });

    it('raises lasting failures even if each round checks only some of the subjects', async () => {
      const { task, run } = world.instance('a');
      task.script = async () => skipped('SIMULATION_REVERTED');
      for (let minute = 0; minute <= 32; minute += 1) {
        task.names = [['first', 'second', 'third'][minute % 3] ?? ''];
        await run();
        world.clock.advance(60_000);
      }
      expect(await world.reasons()).toEqual({
        first: 'LASTING_FAILURE',
        second: 'LASTING_FAILURE',
        third: 'LASTING_FAILURE',
      });
      expect(world.logger.lines).toHaveLength(3);
    });

    it('raises the lasting failure of another subject once a subject with a lasting failure has disappeared', async () => {
      const { task, run } = world.instance('a');
      const names = Array.from({ length: 11 }, (_, each) => `${each}`);
      task.names = names;
      task.script = async () => skipped('SIMULATION_REVERTED');
      await run();
      await world.eachMinute(31, run);
      expect(await world.reasons()).toMatchObject({ 10: 'SIMULATION_REVERTED' });
      task.names = names.slice(1);
      await world.eachMinute(7, run);
      expect(await world.reasons()).toMatchObject({ 10: 'LASTING_FAILURE' });
    });

    it('raises no lasting failure for waits, or for failures that creators of purchase orders can cause', async () => {
      const { task, run } = world.instance('a');
      task.names = ['1', '2'];
      task.name = 'purchases';
      task.script = async (subject) => skipped(subject === '1' ? 'NO_QUOTES' : 'NOT_DUE');
      await run();
      await world.eachMinute(40, run);
      expect(await world.reasons()).toEqual({ 1: 'NO_QUOTES', 2: 'NOT_DUE' });
      expect(world.logger.lines).toEqual([]);
    });
  });

  describe('isolation', () => {
    it.each([
      [new NodeBehind(), 'NODE_BEHIND'],
      [new QueueFull({ retryAfterSeconds: 5 }), 'QUEUE_FULL'],
      [new PreviousAttemptNotFinal({ retryAfterSeconds: 60 }), 'PREVIOUS_NOT_FINAL'],
      [new LedgerUnavailable(), 'READ_FAILED'],
    ] as const)(
      'reports the error %s of one subject as a skip reason and checks the next subject',
      async (error, reason) => {
        const { task, counters, run } = world.instance('a');
        task.script = async (subject) => {
          if (subject === 'sentinel') throw error;
          return skipped('BELOW_THRESHOLD');
        };
        await run();
        expect(await world.reasons()).toEqual({ sentinel: reason, trident: 'BELOW_THRESHOLD' });
        expect((await world.store.looks())[0]?.report).toMatchObject({
          details: { code: error.code },
        });
        expect(counters.counts()).toContainEqual({ task: 'curator', outcome: reason, count: 1 });
      },
    );

    it('a subject is due again at the retry time of the error with which its check failed', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      task.script = async () => {
        throw new QueueFull({ retryAfterSeconds: 5 });
      };
      await run();
      expect(await world.store.looks()).toMatchObject([
        { report: { reason: 'QUEUE_FULL', dueAtMs: world.clock.nowMs() + 5_000 } },
      ]);
    });

    it('logs a defect at one subject and checks the next subject', async () => {
      const { task, run } = world.instance('a');
      task.script = async (subject) => {
        if (subject === 'sentinel') throw new TypeError('undefined is not a function');
        return skipped('BELOW_THRESHOLD');
      };
      await run();
      expect(await world.reasons()).toEqual({
        sentinel: 'LOOK_FAILED',
        trident: 'BELOW_THRESHOLD',
      });
      expect(world.logger.lines).toMatchObject([
        { level: 'error', fields: { task: 'curator', subject: 'sentinel' } },
      ]);
    });

    it('logs a continuing alert only once, and logs it again if it returns after its end', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      let debt = 0;
      const alert = async () => skipped('DELEVERAGE_BLOCKED', { debt: (debt += 1) });
      task.script = alert;
      await run();
      await run();
      const line = {
        level: 'error',
        fields: { task: 'curator', subject: 'trident', reason: 'DELEVERAGE_BLOCKED' },
        message: 'a task of the keeper needs an operator',
      };
      expect(world.logger.lines).toEqual([line]);
      task.script = async () => skipped('AT_TARGET');
      await run();
      task.script = alert;
      await run();
      expect(world.logger.lines).toEqual([line, line]);
    });

    it('logs the alert of each subject once, even if each round checks only some of the subjects', async () => {
      const { task, run } = world.instance('a');
      task.script = async () => skipped('FAILED_TOO_OFTEN');
      for (let round = 0; round < 40; round += 1) {
        task.names = [round % 2 === 0 ? 'first' : 'second'];
        await run();
        world.clock.advance(600_000);
      }
      expect(world.logger.lines.map(({ fields }) => fields['subject'])).toEqual([
        'first',
        'second',
      ]);
    });

    it('logs an alert again after a day, or after more than ten thousand newer alerts', async () => {
      const { task, run } = world.instance('a');
      const lines = () =>
        world.logger.lines.filter(({ fields }) => fields['subject'] === 'first').length;
      task.script = async () => skipped('FAILED_TOO_OFTEN');
      const poll = async (...names: readonly string[]) => {
        task.names = names;
        await run();
      };
      await poll('first');
      world.clock.advance(86_400_000);
      await poll('first');
      expect(lines()).toBe(2);
      const others = Array.from({ length: 10_000 }, (_, each) => `${each}`);
      await poll(...others.slice(1));
      await poll('first');
      expect(lines()).toBe(2);
      await poll(...others);
      await poll('first');
      await poll('first');
      expect(lines()).toBe(3);
    });

    it('checks no subject while the store is unavailable, because the subject may be paused', async () => {
      const { task, counters, run } = world.instance('a');
      world.store.fail();
      await run();
      expect(task.seen).toEqual([]);
      expect(counters.counts()).toEqual([{ task: 'curator', outcome: 'READ_FAILED', count: 2 }]);
      world.store.fail(null);
      await run();
      expect(task.seen).toEqual(['sentinel', 'trident']);
    });

    it('counts one failed check and rejects if the subjects of a task cannot be read', async () => {
      const { task, counters, run } = world.instance('a');
      task.failure = new NodeBehind();
      expect(await failure(run())).toBe(task.failure);
      expect(counters.counts()).toEqual([{ task: 'curator', outcome: 'NODE_BEHIND', count: 1 }]);
    });
  });

  describe('records', () => {
    it('records an unchanged report of a subject once a minute, and a changed report at once', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      await run();
      await run();
      expect(world.store.notes).toBe(1);
      task.script = async () => skipped('BELOW_THRESHOLD', { idleSats: '8' });
      await run();
      expect(world.store.notes).toBe(2);
      world.clock.advance(59_999);
      await run();
      expect(world.store.notes).toBe(2);
      world.clock.advance(1);
      await run();
      expect(world.store.notes).toBe(3);
    });

    it('records a subject’s report again if the store rejected the first record', async () => {
      const { task, run } = world.instance('a');
      task.names = ['trident'];
      task.script = async () => {
        world.store.fail();
        return skipped('BELOW_THRESHOLD');
      };
      await run();
      world.store.fail(null);
      task.script = async () => skipped('BELOW_THRESHOLD');
      await run();
      expect(await world.reasons()).toEqual({ trident: 'BELOW_THRESHOLD' });
    });

    it('records an unchanged report again if another instance has held the task in the time since the last record', async () => {
      const [a, b] = [world.instance('a'), world.instance('b')];
      a.task.names = ['trident'];
      b.task.names = ['trident'];
      await a.run();
      await world.leases.release('curator', 'a');
      b.task.script = async () => skipped('NOT_SETTLED');
      await b.run();
      await a.run();
      expect(await world.reasons()).toEqual({ trident: 'NOT_SETTLED' });
      await b.runner.stop();
      await a.run();
      expect(await world.reasons()).toEqual({ trident: 'BELOW_THRESHOLD' });
    });
  });

  describe('two concurrent instances', () => {
    it('only the instance that holds the task’s lease runs checks, also after the next interval', async () => {
      const [a, b] = [world.instance('a'), world.instance('b')];
      await Promise.all([a.run(), b.run()]);
      expect(a.task.seen.length + b.task.seen.length).toBe(2);
      const [holder, other] = a.task.seen.length > 0 ? [a, b] : [b, a];
      world.clock.advance(INTERVAL_MS);
      await other.run();
      await holder.run();
      expect(other.task.seen).toEqual([]);
      expect(holder.task.seen).toHaveLength(4);
    });

    it('a second instance acquires the task’s lease after the lease’s holder was killed in the middle of a check', async () => {
      const [killed, other] = [world.instance('killed'), world.instance('other')];
      // The script never returns, so the check does nothing after this line.
      killed.task.script = () => new Promise(() => {});
      void killed.run();
      await until(() => killed.task.seen.length === 1);
      world.clock.advance(LEASE_MS - 1);
      await other.run();
      expect(other.task.seen).toEqual([]);
      world.clock.advance(1);
      await other.run();
      expect(other.task.seen).toEqual(['sentinel', 'trident']);
    });

    it('a second instance acquires the task’s lease at once when the lease’s holder stops', async () => {
      const [a, b] = [world.instance('a'), world.instance('b')];
      await a.run();
      await b.runner.stop();
      await b.run();
      expect(b.task.seen).toEqual([]);
      await a.runner.stop();
      await b.run();
      expect(b.task.seen).toEqual(['sentinel', 'trident']);
    });

    it('ends the round of checks if the instance has lost the task’s lease during a check', async () => {
      const [slow, other] = [world.instance('slow'), world.instance('other')];
      slow.task.script = async () => {
        world.clock.advance(LEASE_MS);
        await other.run();
        return skipped('BELOW_THRESHOLD');
      };
      await slow.run();
      expect(slow.task.seen).toEqual(['sentinel']);
      expect(other.task.seen).toEqual(['sentinel', 'trident']);
    });

    it('extends the task’s lease between the checks of two subjects', async () => {
      const [slow, other] = [world.instance('slow'), world.instance('other')];
      slow.task.script = async () => {
        world.clock.advance(LEASE_MS - 1);
        await other.run();
        return skipped('BELOW_THRESHOLD');
      };
      await slow.run();
      expect(slow.task.seen).toEqual(['sentinel', 'trident']);
      expect(other.task.seen).toEqual([]);
    });
  });

  describe('stop', () => {
    it('a stop ends the round of checks before the next subject', async () => {
      const { task, run } = world.instance('a');
      const stopping = new AbortController();
      task.script = async () => {
        stopping.abort();
        return acted('id-1');
      };
      await run(stopping.signal);
      await run(stopping.signal);
      expect(task.seen).toEqual(['sentinel']);
      expect(await world.reasons()).toEqual({ sentinel: 'acted' });
    });

    it('a stop ends a check without counting it as a failure', async () => {
      const { task, counters, run } = world.instance('a');
      const stopping = new AbortController();
      task.script = (_subject, _gate, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      const running = run(stopping.signal);
      await until(() => task.seen.length === 1);
      stopping.abort();
      await running;
      expect(counters.counts()).toEqual([]);
      expect(world.store.notes).toBe(0);
      expect(world.logger.lines).toEqual([]);
    });
  });

  it('counts every check by its outcome, even if the check is not recorded', async () => {
    const { task, counters, run } = world.instance('a');
    await run();
    await run();
    task.script = async () => acted('id-1');
    await run();
    expect(counters.counts()).toEqual([
      { task: 'curator', outcome: 'BELOW_THRESHOLD', count: 4 },
      { task: 'curator', outcome: 'acted', count: 2 },
    ]);
  });

  it('passes a gate to the task; the gate includes the spent and live gas of the task’s submission kinds', async () => {
    const { task, run } = world.instance('a', { hourlyBudgetFri: 10n * PRICE_FRI });
    task.names = ['trident'];
    task.script = async (_subject, gate) => {
      const reason = await gate.admit(3n * PRICE_FRI);
      return reason === null ? acted('id-1') : skipped(reason);
    };
    world.store.end('deploy_idle_funds', 5n * PRICE_FRI);
    world.store.begin('deploy_idle_funds', 2n);
    world.store.begin('withdraw', 1_000n);
    await run();
    expect(await world.reasons()).toEqual({ trident: 'acted' });
    world.store.begin('deploy_idle_funds', 1n);
    await run();
    expect(await world.reasons()).toEqual({ trident: 'BUDGET_EXHAUSTED' });
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns += 1) {
    if (turns > 1_000) throw new Error('the condition was never met');
    await new Promise((resolve) => void setImmediate(resolve));
  }
}
