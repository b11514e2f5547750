import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@sotto/kernel';
import { LedgerUnavailable } from '../../src/index.js';
import { withTimeout } from '../../src/application/bounded.js';

describe('a store read for a public answer', () => {
  it('resolves with the result of a store read that ends within the timeout', async () => {
    expect(await withTimeout(Promise.resolve(1), systemClock, 1_000)).toBe(1);
  });

  it('a store read that does not end within the timeout rejects with LEDGER_UNAVAILABLE', async () => {
    await expect(withTimeout(new Promise(() => undefined), systemClock, 10)).rejects.toMatchObject({
      code: 'LEDGER_UNAVAILABLE',
    });
  });

  it('rejects with the error of a store read that fails', async () => {
    const failure = new LedgerUnavailable({ message: 'away' });
    await expect(withTimeout(Promise.reject(failure), systemClock, 1_000)).rejects.toBe(failure);
  });

  it('stops its timer after the store read has ended', async () => {
    const waits: AbortSignal[] = [];
    const clock: Clock = {
      ...systemClock,
      sleep: async (ms, signal) => {
        if (signal !== undefined) waits.push(signal);
        await systemClock.sleep(ms, signal);
      },
    };
    await withTimeout(Promise.resolve(1), clock, 60_000);
    expect(waits.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
