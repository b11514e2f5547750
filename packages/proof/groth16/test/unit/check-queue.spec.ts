import { describe, expect, it } from '@jest/globals';
import { CheckQueue } from '../../src/check-queue.js';

function queueOf(...checks: readonly (readonly [string, number])[]): CheckQueue<number> {
  const queue = new CheckQueue<number>();
  for (const [caller, check] of checks) queue.add(caller, check);
  return queue;
}

describe('the queue of checks', () => {
  it('the check queue serves callers in rotation', () => {
    const queue = queueOf(['a', 1], ['a', 2], ['a', 3], ['b', 10], ['b', 11]);

    expect([queue.take(1), queue.take(1), queue.take(1), queue.take(1), queue.take(1)]).toEqual([
      [1],
      [10],
      [2],
      [11],
      [3],
    ]);
    expect([queue.take(1), queue.size]).toEqual([[], 0]);
  });

  it('the check queue fills at most half of a batch with the checks of one caller', () => {
    const many = Array.from({ length: 40 }, (_, check) => ['a', check] as const);
    const alone = queueOf(...many);
    const beside = queueOf(...many, ['b', 100], ['c', 200]);

    expect(alone.take(16)).toHaveLength(8);
    expect(alone.size).toBe(32);
    const batch = beside.take(16);
    expect(batch).toEqual(expect.arrayContaining([100, 200]));
    expect(batch.filter((check) => check < 100)).toHaveLength(8);
  });

  it('the check queue can fill a whole batch with the checks of several callers', () => {
    const queue = new CheckQueue<string>();
    for (let check = 0; check < 5; check += 1)
      for (const caller of ['a', 'b', 'c', 'd']) queue.add(caller, `${caller}${check}`);

    expect(queue.take(16)).toHaveLength(16);
    expect(queue.take(16)).toEqual(['a4', 'b4', 'c4', 'd4']);
  });

  it('the check queue never combines the checks of a suspected caller with other checks', () => {
    const queue = new CheckQueue<number>((caller) => caller === 'stranger');
    for (let check = 0; check < 3; check += 1) {
      queue.add('stranger', check);
      queue.add('a', 10 + check);
      queue.add('b', 20 + check);
    }
    expect([queue.take(16), queue.take(16), queue.take(16), queue.take(16)]).toEqual([
      [0],
      [10, 20, 11, 21, 12, 22],
      [1],
      [2],
    ]);
    expect([queue.size, queue.take(16)]).toEqual([0, []]);
  });

  it('drain removes and returns all checks of the queue', () => {
    const queue = queueOf(['a', 1], ['b', 2], ['a', 3]);

    expect(new Set(queue.drain())).toEqual(new Set([1, 2, 3]));
    expect([queue.size, queue.take(4)]).toEqual([0, []]);
  });
});
