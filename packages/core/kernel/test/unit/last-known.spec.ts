import { describe, expect, it } from '@jest/globals';
import { LastKnown, domainError } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

class Away extends domainError('LEDGER_UNAVAILABLE') {}

/** Creates a `LastKnown` whose reads a test ends in any order. */
function scene() {
  const clock = new ManualClock();
  const reads: PromiseWithResolvers<string>[] = [];
  const known = new LastKnown(() => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  }, clock);
  const late = async () => {
    const requested = known.get();
    clock.advance(700);
    return requested;
  };
  return { clock, reads, known, late };
}

describe('LastKnown', () => {
  it('each caller gets a value that was read after the caller’s request', async () => {
    const { reads, known } = scene();
    const requested = [known.get(), known.get()];
    reads[1]?.resolve('second');
    reads[0]?.resolve('first');
    expect(await Promise.all(requested)).toEqual([
      { value: 'first', notAnswered: null },
      { value: 'second', notAnswered: null },
    ]);
  });

  it('starts no second read while the first read is late', async () => {
    const { reads, late, known } = scene();
    const missing = { code: 'TIMED_OUT', cause: null };
    expect(await late()).toEqual({ value: null, notAnswered: { ...missing, knownAgoMs: null } });
    expect(await late()).toEqual({ value: null, notAnswered: { ...missing, knownAgoMs: null } });
    expect(reads).toHaveLength(1);
    reads[0]?.resolve('at last');
    await new Promise((resolve) => setImmediate(resolve));
    const next = await late();
    expect(reads).toHaveLength(2);
    expect(next).toEqual({ value: 'at last', notAnswered: { ...missing, knownAgoMs: 2_100 } });
    reads[1]?.resolve('now');
    expect(await known.get()).toEqual({ value: 'now', notAnswered: null });
  });

  it('the late result of an abandoned read does not replace a newer value', async () => {
    const { clock, reads, late, known } = scene();
    await late();
    clock.advance(30_000);
    const requested = known.get();
    reads[1]?.resolve('newer');
    expect(await requested).toEqual({ value: 'newer', notAnswered: null });
    reads[0]?.resolve('older');
    expect((await late()).value).toBe('newer');
  });

  it('returns the error codes of a failed read and of its cause', async () => {
    const { reads, known } = scene();
    const failed = known.get();
    reads[0]?.reject(new Away({ cause: { code: 'ECONNREFUSED' } }));
    expect((await failed).notAnswered).toEqual({
      code: 'LEDGER_UNAVAILABLE',
      cause: 'ECONNREFUSED',
      knownAgoMs: null,
    });
    const broken = known.get();
    reads[1]?.reject(new TypeError('a bug'));
    await expect(broken).rejects.toThrow(TypeError);
  });

  it('ignores the failure of a late read that no caller waits for', async () => {
    const { reads, late } = scene();
    await late();
    reads[0]?.reject(new TypeError('too late'));
    expect((await late()).notAnswered?.code).toBe('TIMED_OUT');
  });
});
