import { describe, expect, it } from '@jest/globals';
import { Scheduler } from '../../src/scheduler.js';

const never = (): boolean => false;

describe('Scheduler', () => {
  it('the scheduler runs events of the same time in the order in which they were scheduled', async () => {
    const scheduler = new Scheduler();
    const happened: string[] = [];
    for (const [ms, name] of [
      [30, 'late'],
      [10, 'first'],
      [10, 'second'],
      [20, 'between'],
      [5, 'early'],
    ] as const)
      scheduler.after(ms, () => void happened.push(`${name} at ${scheduler.nowMs}`));
    await scheduler.run(100, never);
    expect(happened).toEqual([
      'early at 5',
      'first at 10',
      'second at 10',
      'between at 20',
      'late at 30',
    ]);
    expect(scheduler.nowMs).toBe(100);
  });

  it('the scheduler completes all work of an event before it runs the next event', async () => {
    const scheduler = new Scheduler();
    const happened: string[] = [];
    scheduler.after(1, () => {
      void Promise.resolve()
        .then(() => undefined)
        .then(() => happened.push('what the first one set going'));
    });
    scheduler.after(1, () => void happened.push('the second'));
    await scheduler.run(10, never);
    expect(happened).toEqual(['what the first one set going', 'the second']);
  });

  it('the scheduler stops at the given time, and its next run continues from there', async () => {
    const scheduler = new Scheduler();
    const happened: number[] = [];
    for (const ms of [10, 20, 30]) scheduler.after(ms, () => void happened.push(ms));
    await scheduler.run(20, never);
    expect(happened).toEqual([10, 20]);
    await scheduler.run(40, never);
    expect(happened).toEqual([10, 20, 30]);
  });

  it('the scheduler does not advance time after `isOver` has returned true', async () => {
    const scheduler = new Scheduler();
    let count = 0;
    for (const ms of [1, 2, 3]) scheduler.after(ms, () => void (count += 1));
    await scheduler.run(10, () => count === 2);
    expect([count, scheduler.nowMs]).toEqual([2, 2]);
  });

  it('the scheduler waits for the real I/O of an event before it advances time', async () => {
    const scheduler = new Scheduler();
    const happened: string[] = [];
    scheduler.after(1, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      happened.push('a file is written');
    });
    scheduler.after(2, () => void happened.push('the next'));
    await scheduler.run(10, never);
    expect(happened).toEqual(['a file is written', 'the next']);
  });
});
