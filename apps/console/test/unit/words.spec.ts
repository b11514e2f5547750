import { describe, expect, it } from '@jest/globals';
import { waitMs } from '../../src/polling.js';
import {
  age,
  ageMs,
  failureSaid,
  permitted,
  priceReasonsOf,
  reasonsOf,
  secondsOf,
  staleSaid,
  stateSaid,
  strk,
  timeFieldOf,
  verdictSaid,
} from '../../src/words.js';
import { actionFailureSaid } from '../../src/actions.js';
import { attentionOf } from '../../src/attention.js';
import { failure, reason, status, submission, verdict } from './examples.js';

const busy = { ...failure, httpStatus: 429, code: 'RATE_LIMITED' };

describe('amounts and ages', () => {
  it.each([
    ['0', '0'],
    ['281000000000000000', '0.281'],
    ['999', '<0.001'],
    ['-999', '−<0.001'],
    ['-1500000000000000000', '−1.500'],
    ['18250000000000000000000', '18 250.000'],
    [null, 'not known'],
  ])('amounts are formatted in STRK: %s fri are %s', (fri, text) => {
    expect(strk(fri)).toBe(text);
  });

  it.each([
    [-2_000, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [7_200_000, '2 h'],
    [172_800_000, '2 d'],
  ])('durations are formatted in the largest unit: %d ms are %s', (ms, text) => {
    expect(age(ms)).toBe(text);
  });

  it('the displayed ages do not depend on the difference between the browser’s clock and the service’s clock', () => {
    // The browser's clock is one hour ahead of the service's clock. The response arrived 3 s ago.
    // It contains a time that was 2 s before the response.
    const receipt = { servedAtMs: 10_000, receivedAtMs: 3_610_000 };
    expect(ageMs(8_000, receipt, 3_613_000)).toBe(5_000);
    expect(ageMs(8_000, { ...receipt, servedAtMs: null }, 3_613_000)).toBe(3_605_000);
  });
});

describe('the texts about prices', () => {
  it('the console’s texts about prices include failed price checks', () => {
    const late = { ...reason, code: 'TIMED_OUT', component: 'prices' } as const;
    const down = { ...reason, code: 'PRICE_SOURCE_DOWN', component: 'price_sources' } as const;
    expect(priceReasonsOf(verdict({ reasons: [reason] }))).toEqual([]);
    expect(priceReasonsOf(verdict({ reasons: [reason, late], warnings: [down] }))).toEqual([
      late,
      down,
    ]);
  });
});

describe('the verdict', () => {
  it('the verdict on the service is formatted as one sentence', () => {
    const [one, two] = verdict().pools;
    if (one === undefined || two === undefined) throw new Error('two pools');
    expect(verdictSaid(verdict())).toEqual({ tone: 'good', text: 'Withdrawals can succeed' });
    expect(verdictSaid(verdict({ asOf: 0 })).tone).toBe('care');
    expect(verdictSaid(verdict({ pools: [{ ...one, canWithdraw: false }, two] }))).toEqual({
      tone: 'care',
      text: 'Withdrawals can succeed in 1 of 2 pools',
    });
    // Reasons of the instance apply to every pool, in addition to the pools' reasons.
    expect(verdictSaid(verdict({ reasons: [reason] })).tone).toBe('bad');
    expect(verdictSaid(verdict({ pools: [] })).tone).toBe('bad');
  });

  it('the console displays the service’s reasons for a pool that states no reason', () => {
    const pool = { key: 'one', address: '0x1', canWithdraw: false, reasons: [] };
    expect(reasonsOf(pool, verdict({ reasons: [reason] }))).toEqual([reason]);
  });

  const receipt = { receivedAtMs: 100_000, servedAtMs: 2_001_000 };

  it('the console displays no warning about the data’s age while the service’s status report is current', () => {
    expect(staleSaid(null, verdict(), receipt, 104_000)).toBeNull();
  });

  it('a failed request of the console causes a warning with the age of the displayed data', () => {
    expect(staleSaid(failure, verdict(), receipt, 112_000)).toBe(
      'Connection lost · shown is 12 s old',
    );
    expect(staleSaid(busy, verdict(), receipt, 112_000)).toContain('Too many requests');
  });

  it('the console displays a warning if no responses arrive, or if the service no longer checks its state', () => {
    expect(staleSaid(null, verdict(), receipt, 160_000)).toBe('Shown is 1 min old');
    expect(staleSaid(null, verdict({ asOf: 1_900 }), receipt, 101_000)).toBe(
      'The last check by the service was 1 min ago',
    );
  });
});

describe('failures', () => {
  it('a failure is formatted with its error code', () => {
    expect(failureSaid({ ...failure, message: 'It has ended.', code: 'X', httpStatus: 409 })).toBe(
      'It has ended (X)',
    );
    expect(failureSaid({ ...failure, httpStatus: 401 })).toContain('token');
  });

  it('the text for an operator’s failed action states if the action may have had an effect', () => {
    expect(actionFailureSaid(failure)).toContain('may have had an effect');
    expect(actionFailureSaid({ ...failure, httpStatus: 503 })).toContain('may have had an effect');
    expect(actionFailureSaid({ ...failure, httpStatus: 409 })).toContain('Not done');
  });
});

describe('the request interval', () => {
  it('the console’s request interval is longer while the page is hidden and after a 429', () => {
    expect(waitMs(null, 0, true)).toBe(5_000);
    expect(waitMs(null, 0, false)).toBeGreaterThan(5_000);
    expect(waitMs(failure, 0, true)).toBe(5_000);
    expect(waitMs({ ...busy, retryAfterMs: 45_000 }, 1, true)).toBe(45_000);
    expect(waitMs(busy, 2, true)).toBe(20_000);
    expect(waitMs(busy, 30, true)).toBe(60_000);
  });
});

describe('a submission', () => {
  it('a submission that a reorg removed is described as undone until it has ended again', () => {
    expect(stateSaid(submission({ state: 'broadcast', reorged: true })).text).toContain('reorg');
    expect(stateSaid(submission({ state: 'succeeded', reorged: true, endedAt: 9 })).text).toBe(
      'succeeded',
    );
  });

  it('a submission in flight can be retried, and can be cancelled while no transaction is signed', () => {
    const detail = {
      deadline: 1,
      readmitted: false,
      block: null,
      transactions: [],
      undone: null,
      timeline: [],
      cancellable: true,
      submission: submission(),
    };
    expect(permitted(detail)).toEqual({ retry: true, cancel: true });
    expect(permitted({ ...detail, cancellable: false })).toEqual({ retry: true, cancel: false });
    const ended = submission({ state: 'expired', endedAt: 9 });
    expect(permitted({ ...detail, submission: ended })).toEqual({ retry: false, cancel: false });
  });
});

describe('the items for an operator', () => {
  it('the console’s list for an operator has the most severe item first', () => {
    expect(attentionOf(status())).toEqual([]);
    const { alarms, audit } = status();
    const said = attentionOf(
      status({
        alarms: { ...alarms, foreignTransactions: 1, reopenedNonces: 2, reopenedFinalNonces: 1 },
        audit: { ...audit, findings: { ...audit.findings, ATTEMPT_PAID_TWICE: 1 } },
        notAnswered: [{ part: 'node', code: 'TIMED_OUT', cause: null, knownSecondsAgo: 12.5 }],
      }),
    );
    expect(said.map(({ tone }) => tone)).toEqual(['bad', 'bad', 'bad', 'care', 'care']);
    expect(said.at(-1)?.text).toBe('node did not answer (TIMED_OUT): shown as it was 12 s ago');
  });
});

describe('selected times', () => {
  it('the console treats a time that an operator selects as a local time', () => {
    const atSeconds = new Date(2026, 10, 24, 9, 5).getTime() / 1_000;
    expect(secondsOf('2026-11-24T09:05')).toBe(String(atSeconds));
    expect(timeFieldOf(String(atSeconds))).toBe('2026-11-24T09:05');
    expect(timeFieldOf(undefined)).toBe('');
  });
});
