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

describe('what callers were told, beside the chain', () => {
  it('has nothing to it where each has a transaction of its own that succeeded', () => {
    const told = new Map([
      [0, one],
      [1, two],
    ]);
    expect(contradictions(told, [inclusion, { ...inclusion, hash: two, nonce: 1n }])).toEqual([]);
  });

  it('names who was told what the chain does not have', () => {
    const told = new Map([
      [0, one],
      [1, two],
    ]);
    expect(contradictions(told, [{ ...inclusion, executionStatus: 'REVERTED' }])).toEqual([
      `withdrawal 0 was told ${one}, which the chain does not have as SUCCEEDED`,
      `withdrawal 1 was told ${two}, which the chain does not have as SUCCEEDED`,
    ]);
  });

  it('names who share a transaction', () => {
    const told = new Map([
      [0, one],
      [7, one],
    ]);
    expect(contradictions(told, [inclusion])).toEqual([`withdrawals 0 and 7 were told the same transaction ${one}`]);
  });
});
