import { describe, expect, it } from '@jest/globals';

import { SCALAR_FIELD, type ChainEvent } from '../../src/advanced.js';
import { poolStateOf } from '../../src/pools/pool-state.js';
import { codeOf } from '../support/code-of.js';

const event = (name: string, keys: bigint[], data: bigint[]): ChainEvent => ({
  name,
  blockNumber: 1,
  transactionHash: '0x1',
  keys,
  data,
});
const deposit = (leafIndex: bigint, low: bigint, high = 0n) =>
  event('Deposit', [low, high], [leafIndex, 1_700_000_000n]);
const batch = (start: bigint, size: bigint) =>
  event('BatchDeployed', [0n], [start, size, 60_000n, 0n]);
const deposits = Array.from({ length: 8 }, (_, index) => deposit(BigInt(index), 11n));

describe('leaves', () => {
  it('poolStateOf returns the leaves sorted by leaf index', () => {
    expect(poolStateOf([deposit(1n, 7n), deposit(0n, 1n, 2n)]).leaves).toEqual([
      2n * 2n ** 128n + 1n,
      7n,
    ]);
  });

  it('poolStateOf returns no leaves for a pool without deposits', () => {
    expect(poolStateOf([]).leaves).toEqual([]);
  });

  it('poolStateOf rejects events if a leaf index is missing', () => {
    expect(() => poolStateOf([deposit(0n, 1n), deposit(2n, 3n)])).toThrow('leaf 1');
  });

  it('poolStateOf rejects events in which two deposits have the same leaf index', async () => {
    expect(await codeOf(() => poolStateOf([deposit(0n, 1n), deposit(0n, 2n)]))).toBe(
      'EVENTS_INCOMPLETE',
    );
  });

  it.each<[string, ChainEvent]>([
    ['without a half', event('Deposit', [1n], [0n])],
    ['without a leaf index', event('Deposit', [1n, 0n], [])],
    ['with a leaf index beyond 32 bits', deposit(2n ** 32n, 1n)],
    ['with a half beyond 128 bits', deposit(0n, 2n ** 128n)],
    ['with the empty leaf', deposit(0n, 0n)],
    ['with a leaf outside the field', deposit(0n, SCALAR_FIELD % 2n ** 128n, SCALAR_FIELD >> 128n)],
    ['of a swap without its token', event('SwapDeposit', [1n, 0n], [0n])],
    ['of a swap without its amount', event('SwapDeposit', [1n, 0n], [0n, 1n, 1n])],
    ['of a batch without its size', event('BatchDeployed', [0n], [0n])],
    ['of a withdrawal without its nullifier hash', event('Withdrawal', [], [])],
  ])('poolStateOf rejects an event %s', async (_, malformed) => {
    expect(await codeOf(() => poolStateOf([malformed]))).toBe('NODE_MALFORMED_ANSWER');
  });

  it('poolStateOf rejects a leaf index above the capacity of a tree', async () => {
    const many = Array.from({ length: 1_025 }, (_, index) => deposit(BigInt(index), 1n));
    expect(await codeOf(() => poolStateOf(many))).toBe('NODE_MALFORMED_ANSWER');
  });
});

describe('batches', () => {
  it('poolStateOf returns the batches in the order of their leaves', () => {
    expect(poolStateOf([...deposits, batch(3n, 5n), batch(0n, 3n)])).toMatchObject({
      batches: [
        { start: 0, size: 3 },
        { start: 3, size: 5 },
      ],
      deployedLeaves: 8,
    });
  });

  it.each([
    ['one leaf is in two batches', [batch(0n, 3n), batch(2n, 3n)]],
    ['a batch has no leaf', [batch(0n, 0n)]],
    ['a batch exceeds the leaves', [batch(6n, 3n)]],
  ])('poolStateOf rejects the batches if %s', async (_, batches) => {
    expect(await codeOf(() => poolStateOf([...deposits, ...batches]))).toBe('EVENTS_INCOMPLETE');
  });
});
