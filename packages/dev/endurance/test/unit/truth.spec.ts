import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { contradictions } from '../../src/recovery/truth.js';

const [one, two] = [toFelt(0x10n), toFelt(0x11n)];
const inclusion = {
  hash: one,
  sender: toFelt(0x1n),
  nonce: 0n,
  executionStatus: 'SUCCEEDED',
  feeFri: 1n,
  finality: 'ACCEPTED_ON_L2',
} as const;

describe('callers’ answers compared with the chain', () => {
  it('contradictions reports no finding if each caller received the hash of a different succeeded transaction', () => {
    const answers = new Map([
      [0, one],
      [1, two],
    ]);
    expect(contradictions(answers, [inclusion, { ...inclusion, hash: two, nonce: 1n }])).toEqual(
      [],
    );
  });

  it('contradictions reports callers whose transaction did not succeed on chain', () => {
    const answers = new Map([
      [0, one],
      [1, two],
    ]);
    expect(contradictions(answers, [{ ...inclusion, executionStatus: 'REVERTED' }])).toEqual([
      `request 0 was answered ${one}, which the chain does not have as SUCCEEDED`,
      `request 1 was answered ${two}, which the chain does not have as SUCCEEDED`,
    ]);
  });

  it('contradictions reports a transaction hash that two callers received', () => {
    const answers = new Map([
      [0, one],
      [7, one],
    ]);
    expect(contradictions(answers, [inclusion])).toEqual([
      `requests 0 and 7 were answered the same transaction ${one}`,
    ]);
  });
});
