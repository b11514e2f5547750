import { describe, expect, it } from '@jest/globals';
import { ClockAgreement } from '../../src/domain/head-time.js';

describe('agreement of a clock with the newest block', () => {
  it('T4: a block that is older than the last agreement between clock and chain is not treated as young, even if the clock was set back', () => {
    const beganS = 1_700_000_000;
    let [nowMs, monotonicMs] = [beganS * 1_000, 0];
    const agreement = new ClockAgreement({ nowMs: () => nowMs, monotonicMs: () => monotonicMs });
    agreement.note([beganS]);
    monotonicMs += 60_000;
    nowMs += 10_000;
    expect(agreement.isYoung(beganS - 1)).toBe(false);
    expect(agreement.isYoung(beganS + 1)).toBe(true);
  });
});
