import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClockAgreement } from '../../src/domain/head-time.js';

const BEGAN_S = 1_700_000_000;

let nowMs: number;
let monotonicMs: number;
let agreement: ClockAgreement;
beforeEach(() => {
  nowMs = BEGAN_S * 1_000;
  monotonicMs = 0;
  agreement = new ClockAgreement({ nowMs: () => nowMs, monotonicMs: () => monotonicMs });
});

function pass(ms: number): void {
  nowMs += ms;
  monotonicMs += ms;
}

describe('agreement of a clock with the newest block', () => {
  it('T4: a clock that was set back does not make an old block count as young', () => {
    agreement.note([BEGAN_S]);
    monotonicMs += 60_000;
    nowMs += 10_000;
    expect(agreement.isYoung(BEGAN_S - 1)).toBe(false);
    expect(agreement.isYoung(BEGAN_S + 1)).toBe(true);
  });

  it('a block is young only after the clock has agreed for a minute', () => {
    agreement.note([BEGAN_S]);
    pass(59_999);
    expect(agreement.isYoung(BEGAN_S + 1)).toBe(false);
    pass(1);
    expect(agreement.isYoung(BEGAN_S + 1)).toBe(true);
  });

  it.each([
    ['a clock agrees with a block that is a minute old', [-60], true],
    ['a clock disagrees with a block that is older than a minute', [-61], false],
    ['a clock agrees with a block that is 15 s ahead', [15], true],
    ['a clock disagrees with a block that is more than 15 s ahead', [16], false],
    [
      'a clock agrees with the newest of several heads, even if another node is far behind',
      [-900, 0, -900],
      true,
    ],
    ['a clock disagrees if any of several heads is too far ahead', [0, 16, 0], false],
  ])('%s', (_what, heads, agrees) => {
    agreement.note(heads.map((aheadS) => BEGAN_S + aheadS));
    pass(60_000);
    expect(agreement.isYoung(BEGAN_S + 60)).toBe(agrees);
  });
});
