import { describe, expect, it } from '@jest/globals';
import { KeyedMutex, SingleFlight } from '../../src/index.js';

const turn = (): Promise<unknown> => new Promise(setImmediate);

describe('KeyedMutex', () => {
  it('runs work of one key in the order of the calls, and work of different keys concurrently', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const held = Promise.withResolvers<undefined>();
    const first = mutex.run('a', async () => {
      log.push('first');
      await held.promise;
    });
    const second = mutex.run('a', async () => log.push('second'));
    const third = mutex.run('a', async () => log.push('third'));
    await mutex.run('b', async () => log.push('other'));
    await turn();
    expect(log).toEqual(['first', 'other']);
    held.resolve(undefined);
    await Promise.all([first, second, third]);
    expect(log).toEqual(['first', 'other', 'second', 'third']);
  });

  it('a failed call does not prevent the next call of the same key', async () => {
    const mutex = new KeyedMutex();
    const failing = mutex.run('a', async () => Promise.reject(new Error('no')));
    const next = mutex.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});

describe('SingleFlight', () => {
  it('concurrent calls of one key share one run of the work', async () => {
    const flights = new SingleFlight<number>();
    let runs = 0;
    const start = async (): Promise<number> => {
      runs += 1;
      await turn();
      if (runs === 1) throw new Error('no');
      return runs;
    };
    const shared = [flights.run('a', start), flights.run('a', start)];
    for (const one of shared) await expect(one).rejects.toThrow('no');
    expect(await Promise.all([flights.run('a', start), flights.run('b', start)])).toEqual([3, 3]);
  });
});
