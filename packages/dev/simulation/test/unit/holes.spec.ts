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
const CALL = { to: CONTRACTS.plain, entrypoint: 'pay', key: 1, serial: 1 };
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
  it('returns our call or no-op above the free nonce, for any next nonce of the lane', () => {
    for (const nextNonce of [FREE, FREE + 1n, FREE + 2n, null]) {
      expect(found(call(FREE + 1n), nextNonce)).toBe(true);
      expect(found(noop(FREE + 1n), nextNonce)).toBe(true);
    }
  });

  it('returns a foreign transaction if the ledger has passed the free nonce', () => {
    expect(found(foreign(FREE + 1n), FREE + 1n)).toBe(true);
    expect(found(foreign(FREE + 2n), FREE + 1n)).toBe(true);
    expect(found(foreign(FREE + 1n), FREE + 2n)).toBe(true);
  });

  it("ignores a foreign transaction if the lane’s next call gets the free nonce", () => {
    expect(found(foreign(FREE + 1n), FREE)).toBe(false);
    expect(found(foreign(FREE + 4n), FREE)).toBe(false);
    expect(found(foreign(FREE + 4n), null)).toBe(false);
  });

  it('ignores transactions at the free nonce', () => {
    for (const tx of [call(FREE), noop(FREE), foreign(FREE)])
      expect(found(tx, FREE + 1n)).toBe(false);
  });

  it('ignores a transaction that was falsely rejected', () => {
    expect(found(call(FREE + 1n), FREE + 1n, [call(FREE + 1n)])).toBe(false);
    expect(found(call(FREE + 1n), FREE + 1n, [call(FREE)])).toBe(true);
  });
});
