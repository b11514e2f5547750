import { describe, expect, it } from '@jest/globals';
import {
  DomainError,
  findCause,
  systemClock,
  u256FromHalves,
  u256ToHalves,
} from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

class TooHot extends DomainError {
  readonly code = 'TOO_HOT';
  readonly kind = 'unprocessable';
}

const isDomainError = (error: unknown): error is DomainError => error instanceof DomainError;

describe('DomainError', () => {
  it('a DomainError has the name of its class, the passed details and the passed cause', () => {
    const cause = new Error('below');
    const failure = new TooHot('too hot', {
      cause,
      details: { degrees: 40 },
      retryAfterSeconds: 3,
    });
    expect(failure).toMatchObject({
      name: 'TooHot',
      code: 'TOO_HOT',
      details: { degrees: 40 },
      retryAfterSeconds: 3,
      cause,
    });
  });

  it('findCause finds an error anywhere in a chain of causes, and stops if the chain is circular', () => {
    const failure = new TooHot('too hot');
    expect(
      findCause(new Error('a', { cause: new Error('b', { cause: failure }) }), isDomainError),
    ).toBe(failure);
    const loop = new Error('loop');
    loop.cause = loop;
    expect(findCause(loop, isDomainError)).toBeUndefined();
  });
});

describe('u256', () => {
  it.each([0n, 1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n])(
    'restores a u256 from its two halves: %s',
    (value) => {
      expect(u256FromHalves(...u256ToHalves(value))).toBe(value);
    },
  );

  it('rejects values outside the range of a u256', () => {
    expect(() => u256ToHalves(2n ** 256n)).toThrow(RangeError);
    expect(() => u256ToHalves(-1n)).toThrow(RangeError);
    expect(() => u256FromHalves(2n ** 128n, 0n)).toThrow(RangeError);
    expect(() => u256FromHalves(0n, 2n ** 128n)).toThrow(RangeError);
  });
});

describe('clocks', () => {
  it.each([
    ['system', () => systemClock],
    ['manual', () => new ManualClock()],
  ] as const)('the %s clock ends a sleep when its signal aborts', async (_name, clock) => {
    const abort = new AbortController();
    const sleep = clock().sleep(60_000, abort.signal);
    abort.abort();
    await expect(sleep).resolves.toBeUndefined();
    await expect(clock().sleep(60_000, abort.signal)).resolves.toBeUndefined();
  });

  it('the manual clock ends each sleep when the clock reaches the end time of the sleep', async () => {
    const clock = new ManualClock(0);
    const woken: number[] = [];
    const sleeps = [10, 20].map((ms) => clock.sleep(ms).then(() => woken.push(ms)));
    clock.advance(10);
    await sleeps[0];
    expect(woken).toEqual([10]);
    expect(clock.sleeping).toBe(1);
    clock.advance(10);
    await sleeps[1];
    expect(woken).toEqual([10, 20]);
  });
});
