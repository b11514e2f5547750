import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { SendResults } from '../../src/application/lane/send-results.js';
import { NONCE_REFUSED, type SendAnswer } from '../../src/index.js';

const FUNDS = { kind: 'refused', code: 'INSUFFICIENT_ACCOUNT_BALANCE', cause: 'funds' } as const;

function after(answers: readonly SendAnswer[], waitedMs = 0): string | null {
  const clock = new ManualClock(1_000);
  const results = new SendResults(clock);
  for (const answer of answers) results.note(answer);
  clock.advance(waitedMs);
  return results.rejection;
}

describe('SendResults', () => {
  it.each([
    ['INSUFFICIENT_ACCOUNT_BALANCE', 'funds'],
    ['INSUFFICIENT_RESOURCES_FOR_VALIDATE', 'price'],
    ['FEE_BELOW_MINIMUM', 'price'],
    ['GAS_PRICE_TOO_LOW', 'price'],
    ['NON_ACCOUNT', 'account'],
    ['UNSUPPORTED_TX_VERSION', 'account'],
  ] as const)('T16 reports the refusal code %s, which no caller can cause', (code, cause) => {
    expect(after([{ kind: 'refused', code, cause }])).toBe(code);
  });

  it.each([
    ['VALIDATION_FAILURE', 'account'],
    ['CALLDATA_TOO_LONG', 'call'],
  ] as const)('T16 ignores the refusal code %s, because a caller can cause it', (code, cause) => {
    expect(after([{ kind: 'refused', code, cause }])).toBeNull();
    expect(after([FUNDS, { kind: 'refused', code, cause }])).toBe(FUNDS.code);
  });

  it('the next accepted send of a lane clears the lane’s recorded refusal', () => {
    expect(after([FUNDS, { kind: 'unclear', code: 'TIMED_OUT' }])).toBe(FUNDS.code);
    expect(after([FUNDS, { kind: 'taken' }])).toBeNull();
  });

  const LOST = { kind: 'unclear', code: 'UPSTREAM_ANSWERED' } as const;

  it('T15: reports the code of three consecutive sends that no node accepted', () => {
    expect(after([LOST, LOST])).toBeNull();
    expect(after([LOST, LOST, LOST])).toBe(LOST.code);
    expect(after([LOST, LOST, { kind: 'taken' }, LOST])).toBeNull();
    expect(after([LOST, LOST, LOST, { kind: 'taken' }])).toBeNull();
  });

  it('T15: a send whose nonce is rejected does not count as a send that no node accepted', () => {
    const early = { kind: 'unclear', code: NONCE_REFUSED } as const;
    expect(after([early, early, early])).toBeNull();
  });

  it('a lane’s recorded refusal is dropped after half a minute without a new refusal', () => {
    expect(after([FUNDS], 29_999)).toBe(FUNDS.code);
    expect(after([FUNDS], 30_000)).toBeNull();
  });
});
