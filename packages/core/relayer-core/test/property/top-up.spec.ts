import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Felts, toFelt } from '@sotto/kernel';
import { topUp, type LaneFunds } from '../../src/treasury/domain/top-up.js';
import { readTransferCall, transferCall } from '@sotto/keeper-core';

const STRK = toFelt('0x5712');
const amount = fc.bigInt({ min: 0n, max: 1_000n });
const funds: fc.Arbitrary<LaneFunds> = fc
  .record({
    floorFri: amount,
    aboveFloor: amount,
    balanceFri: amount,
    treasuryFri: fc.bigInt({ min: 0n, max: 5_000n }),
    reserveFri: amount,
    onItsWayFri: amount,
    paidBefore: amount,
    maxPerDayFri: fc.bigInt({ min: 0n, max: 4_000n }),
  })
  .map(({ floorFri, aboveFloor, paidBefore, ...rest }) => ({
    ...rest,
    levels: { floorFri, ceilingFri: floorFri + aboveFloor },
    paidFri: rest.onItsWayFri + paidBefore,
  }));

/** Returns the amount of the top-up; 0 if there is no top-up. */
function paid(of: LaneFunds): bigint {
  const decision = topUp(of);
  return decision.due ? decision.amountFri : 0n;
}

function least(...amounts: readonly bigint[]): bigint {
  return amounts.reduce((smallest, each) => (each < smallest ? each : smallest));
}

describe('a top-up', () => {
  it('a top-up raises a lane from below its floor to between its floor and its ceiling', () => {
    fc.assert(
      fc.property(funds, (of) => {
        const after = of.balanceFri + paid(of);
        const { floorFri, ceilingFri } = of.levels;
        const isPaid = paid(of) > 0n;
        expect(isPaid && of.balanceFri >= floorFri).toBe(false);
        expect(isPaid && (after < floorFri || after > ceilingFri)).toBe(false);
      }),
    );
  });

  it('a top-up leaves the reserve and the amounts in flight in the treasury', () => {
    fc.assert(
      fc.property(funds, (of) => {
        const left = of.treasuryFri - of.onItsWayFri - paid(of);
        expect(paid(of) > 0n && left < of.reserveFri).toBe(false);
      }),
    );
  });

  it('a top-up never exceeds the amount that the daily limit still permits', () => {
    fc.assert(
      fc.property(funds, (of) => {
        expect(paid(of) > 0n && of.paidFri + paid(of) > of.maxPerDayFri).toBe(false);
      }),
    );
  });

  it('a top-up is as large as the ceiling, the treasury and the daily limit allow', () => {
    fc.assert(
      fc.property(funds, (of) => {
        const missing = of.levels.floorFri - of.balanceFri;
        const available = of.treasuryFri - of.reserveFri - of.onItsWayFri;
        const leftOfDay = of.maxPerDayFri - of.paidFri;
        const largest = least(of.levels.ceilingFri - of.balanceFri, available, leftOfDay);
        const forbidden =
          (missing <= 0n && 'ABOVE_FLOOR') ||
          (available < missing && 'TREASURY_EMPTY') ||
          (leftOfDay < missing && 'DAILY_LIMIT');
        expect(topUp(of)).toEqual(
          forbidden === false
            ? { due: true, amountFri: largest }
            : { due: false, reason: forbidden },
        );
      }),
    );
  });
});

describe('the call of a top-up', () => {
  it('recognizes a top-up’s call and returns its lane and amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 250n }),
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        (address, amountFri) => {
          const lane = toFelt(address);
          const { target, calldata } = transferCall(STRK, lane, amountFri);
          expect(readTransferCall(STRK, target, calldata)).toEqual({
            recipient: lane,
            amount: amountFri,
          });
        },
      ),
    );
  });

  it('does not recognize a call with another token, method or layout', () => {
    const { target, calldata } = transferCall(STRK, toFelt('0x1a'), 7n);
    const read = (changes: Partial<typeof target>, felts = calldata): unknown =>
      readTransferCall(STRK, { ...target, ...changes }, felts);
    expect([
      read({ to: toFelt('0x1') }),
      read({ entrypoint: 'approve' }),
      read({}, Felts.of([1n, 2n])),
      read({}, Felts.of([1n, 2n, 3n, 4n])),
      read({}, Felts.of([1n, 2n ** 128n, 0n])),
      read({}, Felts.of([1n, 0n, 2n ** 128n])),
    ]).toEqual([null, null, null, null, null, null]);
  });
});
