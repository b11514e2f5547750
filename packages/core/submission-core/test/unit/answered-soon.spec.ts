import { describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@sotto/kernel';
import { LedgerUnavailable } from '../../src/index.js';
import { withTimeout } from '../../src/application/bounded.js';

describe('what is asked of the store for a public read', () => {
  it('is returned when it comes in time', async () => {
    expect(await withTimeout(Promise.resolve(1), systemClock, 1_000)).toBe(1);
  });

  it('is not waited for longer than it may take', async () => {
    await expect(withTimeout(new Promise(() => undefined), systemClock, 10)).rejects.toMatchObject({
      code: 'LEDGER_UNAVAILABLE',
    });
  });

  it('fails with its own error', async () => {
    const failure = new LedgerUnavailable({ message: 'away' });
    await expect(withTimeout(Promise.reject(failure), systemClock, 1_000)).rejects.toBe(failure);
  });

  it('leaves no timer behind', async () => {
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
