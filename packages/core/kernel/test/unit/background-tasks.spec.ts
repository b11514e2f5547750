import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, type Logger } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { startBackgroundTasks, type BackgroundTask } from '../../src/background-tasks.js';

class StagedError extends DomainError {
  readonly code = 'STAGED';
  readonly kind = 'unavailable';
}

/** Runs all pending work that does not wait for the clock. */
const settle = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('startBackgroundTasks', () => {
  let clock: ManualClock;
  let logged: [level: string, message: string][];
  let runs: string[];

  beforeEach(() => {
    clock = new ManualClock();
    logged = [];
    runs = [];
  });

  const log =
    (level: string): Logger['info'] =>
    (_fields, message) =>
      void logged.push([level, message]);
  const logger: Logger = {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  };
  const start = (...tasks: readonly BackgroundTask[]): (() => Promise<void>) =>
    startBackgroundTasks(tasks, { clock, logger });
  const task = (
    name: string,
    intervalMs: number,
    run: () => Promise<void> = async () => {},
  ): BackgroundTask => ({
    name,
    intervalMs,
    run: async () => {
      runs.push(name);
      await run();
    },
  });

  it('runs each task at once and then at the task’s own interval', async () => {
    const stop = start(task('often', 10), task('seldom', 25));
    expect(runs).toEqual(['often', 'seldom']);
    await settle();
    for (let tick = 0; tick < 3; tick += 1) {
      clock.advance(10);
      await settle();
    }
    expect(runs).toEqual(['often', 'seldom', 'often', 'often', 'seldom', 'often']);
    await stop();
  });

  it('runs a task again after a failure, and logs a bug differently from an expected error', async () => {
    const failures = [new StagedError('down'), new RangeError('bug')];
    const stop = start(
      task('failing', 10, async () => {
        const failure = failures[runs.length - 1];
        if (failure !== undefined) throw failure;
      }),
    );
    for (let tick = 0; tick < 3; tick += 1) {
      await settle();
      clock.advance(10);
    }
    await settle();
    expect(runs).toHaveLength(4);
    expect(logged).toEqual([
      ['warn', 'a background task failed'],
      ['error', 'a background task has a bug'],
    ]);
    await stop();
  });

  it('when the background tasks are stopped, waits for the running task and starts no other task', async () => {
    const run = new EventEmitter();
    const stop = start(task('slow', 10, async () => void (await once(run, 'ended'))));
    let stopped = false;
    const stopping = stop().then(() => (stopped = true));
    await settle();
    expect(stopped).toBe(false);
    run.emit('ended');
    await stopping;
    clock.advance(1_000);
    await settle();
    expect(runs).toEqual(['slow']);
  });

  it('when the background tasks are stopped, does not wait for the end of an interval', async () => {
    const stop = start(task('seldom', 1_000_000));
    await settle();
    await stop();
    expect(clock.sleeping).toBe(0);
  });
});
