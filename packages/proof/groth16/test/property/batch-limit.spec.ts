import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { soundOf } from '../../src/batch-check.js';
import { ManualClock } from '@sotto/kernel/testing';
import { BatchLimit, MAX_BATCH } from '../../src/batch-limit.js';

/**
 * Returns the measured cost of one equation over this many proofs, in units of one separate check.
 */
const costOf = (count: number): number => (count === 1 ? 1 : 0.69 + 0.31 * count);

/** Returns the cost of checking these proofs, if each batch is as large as the limit allows. */
function costOfAll(proofs: readonly boolean[]): number {
  // The clock does not advance, and each proof has a different caller. So only valid proofs enable
  // batches again.
  const limit = new BatchLimit(new ManualClock(0));
  let cost = 0;
  for (let place = 0; place < proofs.length;) {
    const batch = proofs.slice(place, place + limit.size).map((holds) => ({ holds }));
    const sound = soundOf(batch, (requested) => {
      cost += costOf(requested.length);
      return requested.every(({ holds }) => holds);
    });
    const checked = batch.map(({ holds }, index) => ({ holds, caller: `${place + index}` }));
    if (sound.length < batch.length) limit.failed(checked);
    else limit.passed(checked);
    place += batch.length;
  }
  return cost;
}

const FALSE = { caller: 'stranger', holds: false };
const SOUND = { caller: 'user', holds: true };

/** Behaviour of an attacker: the number of valid proofs before each false proof. */
const attack = fc.array(fc.oneof(fc.nat(20), fc.nat(400)), { minLength: 1, maxLength: 20 });

describe('the limit of batches', () => {
  it('false proofs raise the cost of the checks by at most a tenth, compared with checks of single proofs', () => {
    fc.assert(
      fc.property(attack, fc.boolean(), (gaps, allFalse) => {
        const proofs = gaps.flatMap((gap) => [
          ...Array.from({ length: allFalse ? 0 : gap }, () => true),
          false,
        ]);
        // The first failed batch causes an extra cost that occurs only once.
        expect(costOfAll(proofs)).toBeLessThanOrEqual(1.1 * proofs.length + 2 * MAX_BATCH);
      }),
    );
  });

  it('an attacker with false proofs raises the cost by at most 11 %', () => {
    // Send a whole batch of false proofs each time that batches are enabled again.
    const round = [
      ...Array.from({ length: 256 }, () => true),
      ...Array.from({ length: 16 }, () => false),
    ];
    const proofs = Array.from({ length: 20 }, () => round).flat();

    expect(costOfAll(proofs)).toBeLessThanOrEqual(1.11 * proofs.length);
  });

  it('valid proofs are checked in cheap batches again after a false proof', () => {
    const proofs = [false, ...Array.from({ length: 5_000 }, () => true)];

    expect(costOfAll(proofs)).toBeLessThan(0.5 * proofs.length);
  });

  it('BatchLimit disables batches after a false proof until 256 consecutive proofs were valid', () => {
    const limit = new BatchLimit(new ManualClock(0));
    expect(limit.size).toBe(MAX_BATCH);
    limit.failed([FALSE, SOUND]);
    expect(limit.size).toBe(1);
    limit.passed(Array.from({ length: 255 }, () => SOUND));
    expect(limit.size).toBe(1);
    limit.passed([SOUND]);
    expect(limit.size).toBe(MAX_BATCH);
  });

  it('BatchLimit enables batches again 5 s after a false proof', () => {
    const clock = new ManualClock(0);
    const limit = new BatchLimit(clock);
    limit.failed([FALSE, SOUND]);
    clock.advance(4_999);
    expect(limit.size).toBe(1);
    clock.advance(1);
    expect(limit.size).toBe(MAX_BATCH);
  });

  it('a caller that sends a false proof every minute does not disable batches for other callers', () => {
    const clock = new ManualClock(0);
    const limit = new BatchLimit(clock);
    limit.failed([FALSE, SOUND]);
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(60_000);
      expect([limit.checksAlone('stranger'), limit.checksAlone('user')]).toEqual([true, false]);
      limit.failed([FALSE]);
      expect(limit.size).toBe(MAX_BATCH);
    }
  });

  it('BatchLimit puts a caller’s proofs into batches again ten minutes after the caller’s false proof', () => {
    const clock = new ManualClock(0);
    const limit = new BatchLimit(clock);
    limit.failed([FALSE]);
    limit.passed(Array.from({ length: 256 }, () => ({ ...FALSE, holds: true })));
    expect(limit.checksAlone('stranger')).toBe(false);
    limit.failed([FALSE]);
    clock.advance(600_000);
    expect(limit.checksAlone('stranger')).toBe(false);
  });

  it('BatchLimit remembers at most a thousand callers of false proofs', () => {
    const limit = new BatchLimit(new ManualClock(0));
    for (let caller = 0; caller <= 1_000; caller += 1)
      limit.failed([{ caller: `${caller}`, holds: false }]);
    expect(['0', '1', '1000'].map((caller) => limit.checksAlone(caller))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
