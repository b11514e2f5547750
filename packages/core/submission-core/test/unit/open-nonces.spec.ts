import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { afterWrite } from '../../src/domain/open-nonces.js';
import type { NonceRow, OpenNonce } from '../../src/domain/rows.js';
import { attempt, freeRow, row, sent, settledRow } from '../support/rows.js';
import { LANE } from './world.js';

const OTHER_LANE = toFelt('0x2a2e');
const FURTHER_HASH = toFelt('0xbb');
/** Nonce 5, which the attempt holds with two transactions. */
const held: OpenNonce = {
  row: { ...row, version: 2, owner: { key: attempt.key, attempt: attempt.attempt } },
  owner: attempt,
  transactions: [sent({ gone: 'refused' }), sent({ hash: FURTHER_HASH, priceStep: 1 })],
};
const free: OpenNonce = { row: { ...freeRow, version: 2 }, owner: null, transactions: [] };

/** Returns the first version of the row of a free nonce. */
const freeRowOf = (nonce: bigint): NonceRow => ({ ...freeRow, nonce, through: nonce });

describe('open nonces after a write', () => {
  it('afterWrite adds a new nonce with its owner and its transaction', () => {
    expect(
      afterWrite([], LANE, { attempts: [attempt], nonces: [row], transactions: [sent()] }),
    ).toEqual([{ row, owner: attempt, transactions: [sent()] }]);
  });

  it('afterWrite removes a settled nonce and ignores its transactions', () => {
    const written = { nonces: [settledRow], transactions: [sent({ gone: 'lost' })] };
    expect(afterWrite([held], LANE, written)).toEqual([]);
  });

  it('afterWrite ignores rows of another lane', () => {
    const written = {
      nonces: [{ ...settledRow, lane: OTHER_LANE }],
      transactions: [sent({ lane: OTHER_LANE, sendCount: 2 })],
    };
    expect(afterWrite([held], LANE, written)).toEqual([held]);
  });

  it('afterWrite replaces only the written transaction of a nonce', () => {
    const [refused, further] = [sent({ gone: 'refused' }), sent({ hash: FURTHER_HASH })];
    const claimed = { ...further, sendCount: 2 } as const;
    const open = { ...held, transactions: [refused, further] };
    expect(afterWrite([open], LANE, { transactions: [claimed] })).toEqual([
      { ...open, transactions: [refused, claimed] },
    ]);
  });

  it.each([
    ['afterWrite returns null for a row that is older than the known one', 1, false],
    ['afterWrite uses a row of the known version', 2, true],
    ['afterWrite uses a row that is newer than the known one', 4, true],
  ])('%s', (_what, version, isUsed) => {
    const written = { ...freeRow, version };
    const after = [{ row: written, owner: null, transactions: held.transactions }];
    expect(afterWrite([held], LANE, { nonces: [written] })).toEqual(isUsed ? after : null);
  });

  it('afterWrite returns null for an unknown nonce whose row is not new', () => {
    expect(afterWrite([], LANE, { nonces: [{ ...freeRow, version: 2 }] })).toBeNull();
  });

  it('afterWrite keeps the known owner of a row whose owner was not written', () => {
    const written = { ...held.row, version: 3 };
    expect(afterWrite([held], LANE, { nonces: [written] })).toEqual([{ ...held, row: written }]);
  });

  it('afterWrite returns null if the owner of a row is neither known nor written', () => {
    const written = { nonces: [{ ...row, version: 3 }] };
    expect(afterWrite([free], LANE, written)).toBeNull();
    const other = { ...attempt, attempt: attempt.attempt + 1 };
    expect(afterWrite([free], LANE, { ...written, attempts: [other] })).toBeNull();
  });

  it('afterWrite returns the lowest nonce first, in any order of the writes', () => {
    const writes = [7n, 4n, 6n].map((nonce) => ({ nonces: [freeRowOf(nonce)] }));
    const after = writes.reduce<readonly OpenNonce[]>(
      (open, written) => afterWrite(open, LANE, written) ?? [],
      [held],
    );
    expect(after.map((nonce) => nonce.row.nonce)).toEqual([4n, 5n, 6n, 7n]);
  });
});
