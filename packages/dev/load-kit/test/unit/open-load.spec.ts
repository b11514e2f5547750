import { describe, expect, it } from '@jest/globals';
import { OpenLoad } from '../../src/index.js';

const FAST = { perSecond: 1_000 };

describe('an open load', () => {
  it('OpenLoad starts work at a constant rate, even if earlier work is unfinished', async () => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    await new Promise<void>((resolve) => {
      const load = new OpenLoad((index) => {
        begun.push(index);
        return new Promise((end) => {
          ends.push(end);
          if (index === 4) resolve(afterwards(load));
        });
      });
      load.start(FAST);
    });
    expect(begun.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);

    async function afterwards(load: OpenLoad): Promise<void> {
      let isOver = false;
      const ending = (async () => {
        await load.end();
        isOver = true;
      })();
      await Promise.resolve();
      expect([isOver, load.underway]).toEqual([false, load.begun]);
      for (const end of ends) end();
      await ending;
      expect(load.underway).toBe(0);
    }
  });

  it('OpenLoad never has more unfinished work than its maximum', async () => {
    let most = 0;
    let underway = 0;
    const enough = new Promise<void>((resolve) => {
      const load = new OpenLoad(async (index) => {
        underway += 1;
        most = Math.max(most, underway);
        await new Promise((end) => {
          setTimeout(end, 5);
        });
        underway -= 1;
        if (index === 10) resolve(load.end());
      });
      load.start({ ...FAST, mostUnderway: 2 });
    });
    await enough;
    expect(most).toBe(2);
  });

  it('OpenLoad rejects with the first error of its work when it ends', async () => {
    const failed = Promise.withResolvers<undefined>();
    const load = new OpenLoad(async (index) => {
      failed.resolve(undefined);
      throw new Error(`number ${index}`);
    });
    load.start(FAST);
    await failed.promise;
    await expect(load.end()).rejects.toThrow('number 0');
  });
});
