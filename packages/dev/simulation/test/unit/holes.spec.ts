import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { hashOf } from '@sotto/submission-core/testing';
import { CONTRACTS, FLOOR_FRI } from '../../src/chain/chain.js';
import type { Tx } from '../../src/chain/transaction.js';
import { aboveHoles } from '../../src/holes.js';

const LANE = toFelt('0xa1');
/** First nonce that the chain has not consumed. */
const FREE = 3n;

const BASE = {
  account: LANE,
  l2PriceFri: FLOOR_FRI,
  tipFri: 0n,
  worstCaseFri: 1n,
  calls: [],
};
const CALL = { to: CONTRACTS.plain, entrypoint: 'pay', key: 1, serial: 1, lastBlock: null };
const noop = (nonce: bigint): Tx => ({ ...BASE, nonce, hash: hashOf(`noop|${nonce}`), call: null });
const call = (nonce: bigint): Tx => ({ ...BASE, nonce, hash: hashOf(`${nonce}`), call: CALL });
const foreign = (nonce: bigint): Tx => ({
  ...noop(nonce),
  hash: hashOf(`foreign|${nonce}`),
  calls: null,
});

const found = (waiting: Tx, nextNonce: bigint | null, refused: readonly Tx[] = []) =>
  aboveHoles({
    waiting: [waiting],
    freeNonce: () => FREE,
    nextNonce: () => nextNonce,
    wasRefused: (hash) => refused.some((tx) => tx.hash === hash),
  }).length > 0;

describe('aboveHoles', () => {
  it('aboveHoles returns a call or a no-op of the service above the free nonce', () => {
    for (const nextNonce of [FREE, FREE + 1n, FREE + 2n, null]) {
      expect(found(call(FREE + 1n), nextNonce)).toBe(true);
      expect(found(noop(FREE + 1n), nextNonce)).toBe(true);
    }
  });

  it('aboveHoles returns a foreign transaction if the ledger will not assign the free nonce below it', () => {
    expect(found(foreign(FREE + 1n), FREE + 1n)).toBe(true);
    expect(found(foreign(FREE + 2n), FREE + 1n)).toBe(true);
    expect(found(foreign(FREE + 1n), FREE + 2n)).toBe(true);
  });

  it('aboveHoles ignores a foreign transaction if the lane will assign the free nonce below it', () => {
    expect(found(foreign(FREE + 1n), FREE)).toBe(false);
    expect(found(foreign(FREE + 4n), FREE)).toBe(false);
    expect(found(foreign(FREE + 4n), null)).toBe(false);
  });

  it('aboveHoles ignores transactions at the free nonce', () => {
    for (const tx of [call(FREE), noop(FREE), foreign(FREE)])
      expect(found(tx, FREE + 1n)).toBe(false);
  });

  it('aboveHoles ignores a rejected transaction, even if the provider has it in its mempool', () => {
    expect(found(call(FREE + 1n), FREE + 1n, [call(FREE + 1n)])).toBe(false);
    expect(found(call(FREE + 1n), FREE + 1n, [call(FREE)])).toBe(true);
  });
});
