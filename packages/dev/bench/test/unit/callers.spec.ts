import { describe, expect, it } from '@jest/globals';
import { Callers, type Outcome } from '../../src/load/relay.js';

describe('Callers', () => {
  it('responses that arrived before the outcome on chain was known are counted separately', async () => {
    const outcomes: Outcome[] = ['succeeded', 'unknown', 'succeeded', 'unknown', 'unknown'];
    let stopped: Promise<void> | undefined;
    const callers: Callers = new Callers(1, async () => {
      await Promise.resolve();
      const next = outcomes.shift() ?? 'succeeded';
      if (outcomes.length === 0) stopped ??= callers.stop();
      return next;
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    await stopped;
    expect(callers.answered).toEqual({ succeeded: 2, unknown: 3 });
  });

  it('stop() rejects with the error of the first failed request', async () => {
    const callers = new Callers(2, () => Promise.reject(new Error('refused')));
    await expect(callers.stop()).rejects.toThrow('refused');
  });
});
