import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { soundOf } from '../../src/batch-check.js';
import { BatchLimit, MAX_BATCH } from '../../src/batch-limit.js';

/** Of an equation over so many proofs, in checks of one; measured. */
const costOf = (count: number): number => (count === 1 ? 1 : 0.69 + 0.31 * count);

/** What the checks of these proofs cost, with as many together as the limit allows. */
function costOfAll(proofs: readonly boolean[]): number {
  const limit = new BatchLimit();
  let cost = 0;
  for (let place = 0; place < proofs.length;) {
    const batch = proofs.slice(place, place + limit.size).map((holds) => ({ holds }));
    const sound = soundOf(batch, (asked) => {
      cost += costOf(asked.length);
      return asked.every(({ holds }) => holds);
    });
    if (sound.length < batch.length) limit.failed();
    else limit.passed(batch.length);
    place += batch.length;
  }
  return cost;
}

/** What one attacker may choose: how many sound proofs stand before each false one. */
const attack = fc.array(fc.oneof(fc.nat(20), fc.nat(400)), { minLength: 1, maxLength: 20 });

describe('the limit of batches', () => {
  it('lets false proofs cost a tenth more than checks one by one, wherever they stand', () => {
    fc.assert(
      fc.property(attack, fc.boolean(), (gaps, allFalse) => {
        const proofs = gaps.flatMap((gap) => [
          ...Array.from({ length: allFalse ? 0 : gap }, () => true),
          false,
        ]);
        // The first batch costs what it costs; it is not repeated.
        expect(costOfAll(proofs)).toBeLessThanOrEqual(1.1 * proofs.length + 2 * MAX_BATCH);
      }),
    );
  });

  it('lets an attacker who waits for batches to come back gain nothing', () => {
    // A whole batch of false proofs each time that proofs are checked together again.
    const round = [
      ...Array.from({ length: 256 }, () => true),
      ...Array.from({ length: 16 }, () => false),
    ];
    const proofs = Array.from({ length: 20 }, () => round).flat();

    expect(costOfAll(proofs)).toBeLessThanOrEqual(1.11 * proofs.length);
  });

  it('makes sound proofs cheap again', () => {
    const proofs = [false, ...Array.from({ length: 5_000 }, () => true)];

    expect(costOfAll(proofs)).toBeLessThan(0.5 * proofs.length);
  });

  it('checks one by one from the first false proof on until many have held', () => {
    const limit = new BatchLimit();
    expect(limit.size).toBe(MAX_BATCH);
    limit.failed();
    expect(limit.size).toBe(1);
    limit.passed(255);
    expect(limit.size).toBe(1);
    limit.passed(1);
    expect(limit.size).toBe(MAX_BATCH);
  });
});
