import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { outcomeOf, scopeOf, type Attempt } from '../../src/index.js';
import { chooseLane, inFairOrder } from '../../src/domain/assign-lanes.js';
import { chooseNonce } from '../../src/domain/choose-nonce.js';
import { outbid, raised } from '../../src/domain/resource-bounds.js';
import { sameRef } from '../../src/domain/rows.js';
import { describeStuck, undecidedSince } from '../../src/domain/stuck.js';
import { attempt, claimOf, freeRow, pricedAt, row, sent, waiting } from '../support/rows.js';

const querying = (to: string): Pick<Attempt, 'target'> => ({
  target: { to: toFelt(to), entrypoint: 'withdraw' },
});

function order(
  waitingFor: readonly string[],
  inFlight: readonly (readonly [string, number])[] = [],
): string[] {
  const held = new Map(inFlight.map(([to, count]) => [toFelt(to), count]));
  return inFairOrder(waitingFor.map(querying), held).map(({ target }) => target.to);
}

describe('lane for the next attempt', () => {
  const plain = { name: 'plain', freeSlots: 2, gaps: 0, balanceFri: 5n, isRefused: false };
  it.each([
    ['has a free slot', { ...plain, freeSlots: 0, gaps: 1 }, plain, 'plain'],
    [
      'has a nonce gap before more free slots',
      plain,
      { ...plain, name: 'gap', freeSlots: 1, gaps: 1 },
      'gap',
    ],
    ['has more free slots', plain, { ...plain, name: 'roomy', freeSlots: 3 }, 'roomy'],
    [
      'T16 has its sends accepted',
      plain,
      { ...plain, name: 'refused', freeSlots: 3, gaps: 1, isRefused: true },
      'plain',
    ],
    ['is the richer one', plain, { ...plain, name: 'rich', balanceFri: 6n }, 'rich'],
  ])(
    'chooses the lane that %s, regardless of the order in which the lanes are listed',
    (_why, a, b, name) => {
      expect(chooseLane([a, b])?.name).toBe(name);
      expect(chooseLane([b, a])?.name).toBe(name);
    },
  );

  it('chooses no lane if no lane has a free slot', () => {
    expect(chooseLane([{ ...plain, freeSlots: 0 }])).toBeNull();
  });
});

describe('order of waiting attempts', () => {
  it('waiting attempts for different contracts alternate, independent of the attempts’ age', () => {
    expect(order(['0xa', '0xa', '0xa', '0xb', '0xb'])).toEqual(['0xa', '0xb', '0xa', '0xb', '0xa']);
  });

  it('waiting attempts for the contract with fewer attempts in flight come first', () => {
    expect(order(['0xa', '0xb', '0xb'], [['0xa', 2]])).toEqual(['0xb', '0xb', '0xa']);
  });
});

describe('nonce for the next attempt', () => {
  it('a nonce that an attempt owns is not chosen, even if none of the nonce’s transactions can land', () => {
    const held = { row, owner: null, transactions: [sent({ gone: 'refused' })] };
    expect(chooseNonce([held], 6n, 5n)).toEqual({ nonce: 6n, version: 0 });
  });
});

describe('raised price', () => {
  it('a raised price outbids the most expensive rival transaction in price and tip', () => {
    const dear = pricedAt(30_000_000_000n, 10n);
    const cheap = pricedAt(20_000_000_000n, 5n);
    for (const rivals of [
      [dear, cheap],
      [cheap, dear],
    ]) {
      const next = raised(pricedAt(1n), rivals, 10n ** 12n);
      expect(next).toMatchObject({ l2Gas: { maxPriceFri: 33_000_000_000n }, tipFri: 11n });
      expect(rivals.every((rival) => outbid(rival, next))).toBe(true);
    }
  });

  it('a raised price has no tip if no rival transaction has a tip', () => {
    expect(raised(pricedAt(1n), [pricedAt(2n)], 10n).tipFri).toBe(0n);
  });
});

describe('answer about an attempt', () => {
  it('reports the receipt of an executed attempt', () => {
    const hash = toFelt('0xaa');
    for (const [state, execution] of [
      ['succeeded', 'SUCCEEDED'],
      ['reverted', 'REVERTED'],
    ] as const) {
      const answer = outcomeOf({ ...attempt, state, transactionHash: hash }, [], 'preconfirmed');
      expect(answer).toMatchObject({
        kind: 'executed',
        execution,
        transactionHash: hash,
        finality: 'ACCEPTED_ON_L2',
      });
    }
  });

  it('throws for an executed attempt without a transaction hash', () => {
    expect(() => outcomeOf({ ...attempt, state: 'succeeded' }, [], 'preconfirmed')).toThrow(
      'has no transaction hash',
    );
  });

  it('reports the pre-confirmed result of any transaction of the attempt, not only of the first transaction', () => {
    const shown = sent({
      hash: toFelt('0xbb'),
      seen: { execution: 'SUCCEEDED', revertReason: null },
    });
    expect(outcomeOf(attempt, [sent(), shown], 'preconfirmed')).toMatchObject({
      kind: 'executed',
      transactionHash: '0xbb',
    });
  });
});

describe('description of an undecided nonce', () => {
  const facts = {
    sightings: new Map(),
    passedByChain: false,
    unwanted: null,
    sinceMs: 1_000,
    nowMs: 5_000,
  };

  it('the description of an undecided nonce contains a transaction without a claim too', () => {
    const [unclaimed, claimed] = describeStuck(
      { row, owner: attempt, transactions: [sent({ claimedAtMs: null }), sent()] },
      facts,
    ).transactions;
    expect(unclaimed).toMatchObject({ lastClaimAgoMs: null, seen: 'unknown' });
    expect(claimed).toMatchObject({ lastClaimAgoMs: 3_000 });
  });

  it('the age of an undecided nonce is measured from the acceptance of its attempt, or else from the first claim', () => {
    const transactions = [
      sent({ claimedAtMs: 3_000 }),
      sent({ claimedAtMs: 2_000 }),
      sent({ claimedAtMs: null }),
    ];
    expect(undecidedSince({ row, owner: attempt, transactions })).toBe(1_000);
    expect(undecidedSince({ row: freeRow, owner: null, transactions })).toBe(2_000);
    expect(undecidedSince({ row: freeRow, owner: null, transactions: [] })).toBeNull();
  });
});

describe('references to rows', () => {
  it('two references to attempts are equal only if both key and attempt number are equal', () => {
    const ref = { key: 'k', attempt: 1 };
    expect(sameRef(ref, { ...ref })).toBe(true);
    expect(sameRef(null, null)).toBe(true);
    expect(sameRef(ref, { ...ref, attempt: 2 })).toBe(false);
    expect(sameRef(ref, { ...ref, key: 'l' })).toBe(false);
    expect(sameRef(ref, null)).toBe(false);
    expect(sameRef(null, ref)).toBe(false);
  });

  it('the ledger reads no lane row for a command that ends a waiting attempt', () => {
    const scope = { key: waiting.key, lane: null, nonce: null };
    expect(
      scopeOf({ type: 'end_waiting', attempt: waiting, to: 'expired', code: 'X', notBeforeMs: 0 }),
    ).toEqual(scope);
    expect(scopeOf({ type: 'import', ...claimOf, through: 9n })).toEqual({
      key: null,
      lane: claimOf.lane,
      nonce: claimOf.nonce,
    });
    expect(scopeOf({ type: 'end_quarantine', lanes: [claimOf.lane] })).toEqual({
      key: null,
      lane: null,
      nonce: null,
    });
  });
});
