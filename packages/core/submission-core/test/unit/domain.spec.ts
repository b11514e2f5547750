import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import {
  outcomeOf,
  boundsFor,
  worstCaseFri,
  type ResourceBounds,
  type TransactionRow,
} from '../../src/index.js';
import { chooseNonce } from '../../src/domain/choose-nonce.js';
import { canBeOutbid, outbid, raised } from '../../src/domain/resource-bounds.js';
import type { OpenNonce } from '../../src/domain/rows.js';
import { attempt, row } from '../support/rows.js';
import { LANE, submission } from './world.js';

const { limits } = submission();
const prices = { l2GasFri: 1n, l1GasFri: 1_000n, l1DataGasFri: 10n };
const bounds = boundsFor(limits, prices);

function transaction(change: Partial<TransactionRow> = {}): TransactionRow {
  return {
    hash: toFelt('0xaa'),
    lane: LANE,
    nonce: 0n,
    kind: 'call',
    attempt: { key: 'k', attempt: 1 },
    priceStep: 0,
    bounds,
    sendCount: 1,
    claimFence: 1n,
    claimedAtMs: 0,
    claimNode: 'node-0',
    gone: null,
    rejectionCode: null,
    seen: null,
    ...change,
  };
}

function priced(maxPriceFri: bigint, tipFri = 0n): ResourceBounds {
  return { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri }, tipFri };
}

function openNonce(
  nonce: bigint,
  transactions: readonly TransactionRow[] = [],
  owned = transactions.length > 0,
): OpenNonce {
  const owner = owned ? { key: 'k', attempt: 1 } : null;
  return { row: { ...row, nonce, through: nonce, version: 2, owner }, owner: null, transactions };
}

describe('resource bounds', () => {
  it('resource bounds are at least the L2 floor price, and cost at most 28.8 STRK of L2 gas with the spec’s limits', () => {
    expect(bounds.l2Gas).toEqual({ maxAmount: 1_200_000_000n, maxPriceFri: 24_000_000_000n });
    const others = 256n * 3_000n + 20_480n * 30n;
    expect(worstCaseFri(bounds)).toBe(28_800_000_000_000_000_000n + others);
  });

  it('the worst-case cost adds the tip to the price of every unit of L2 gas', () => {
    expect(worstCaseFri({ ...bounds, tipFri: 2n }) - worstCaseFri(bounds)).toBe(2n * limits.l2Gas);
  });

  it('a transaction outbids another transaction if its price and its tip are a tenth higher', () => {
    expect(outbid(priced(100n), priced(110n))).toBe(true);
    expect(outbid(priced(100n), priced(109n))).toBe(false);
    expect(outbid(priced(101n), priced(111n))).toBe(false);
    expect(outbid(priced(100n, 10n), priced(110n, 10n))).toBe(false);
    expect(outbid(priced(100n, 10n), priced(110n, 11n))).toBe(true);
  });

  it('canBeOutbid is true if a price one tenth higher is at most the ceiling', () => {
    expect(canBeOutbid(priced(100n), 110n)).toBe(true);
    expect(canBeOutbid(priced(100n), 109n)).toBe(false);
  });

  it('raised resource bounds outbid all rivals, are not below the current price, and never exceed the ceiling', () => {
    const rival = priced(30_000_000_000n);
    const next = raised(bounds, [rival], 10n ** 12n);
    expect(next.l2Gas.maxPriceFri).toBe(33_000_000_000n);
    expect(outbid(rival, next)).toBe(true);
    expect(raised(bounds, [rival], 31_000_000_000n).l2Gas.maxPriceFri).toBe(31_000_000_000n);
    expect(raised(rival, [bounds], 10n ** 12n).l2Gas.maxPriceFri).toBe(30_000_000_000n);
  });
});

describe('chooseNonce', () => {
  it.each([
    [
      'uses the lane’s next nonce when no row is free',
      [openNonce(3n, [transaction()])],
      4n,
      3n,
      { nonce: 4n, version: 0 },
    ],
    [
      'uses the lowest free row first',
      [openNonce(3n), openNonce(4n), openNonce(5n, [transaction()])],
      6n,
      3n,
      { nonce: 3n, version: 2 },
    ],
    [
      'uses a nonce whose transactions are all gone',
      [openNonce(3n, [transaction({ gone: 'refused' })], false)],
      4n,
      3n,
      { nonce: 3n, version: 2 },
    ],
    [
      'skips a free nonce that the chain has passed',
      [openNonce(3n)],
      4n,
      4n,
      { nonce: 4n, version: 0 },
    ],
    ['uses the next nonce of a lane without open rows', [], 57n, 57n, { nonce: 57n, version: 0 }],
    ['returns null while the chain has passed nonces without a row', [], 4n, 7n, null],
    [
      'continues above rows that are ahead of the chain',
      [openNonce(3n, [transaction()])],
      4n,
      1n,
      { nonce: 4n, version: 0 },
    ],
    [
      'continues above rows that are newer than the read of the lane',
      [openNonce(4n, [transaction()])],
      4n,
      4n,
      { nonce: 5n, version: 0 },
    ],
    [
      'uses the lane’s next nonce when those in between are settled',
      [openNonce(3n, [transaction()])],
      6n,
      3n,
      { nonce: 6n, version: 0 },
    ],
    [
      'skips a nonce under which a no-op could land',
      [openNonce(3n, [transaction({ kind: 'noop' })], false)],
      4n,
      3n,
      { nonce: 4n, version: 0 },
    ],
  ] as const)('%s', (_what, open, nextNonce, chainNonce, choice) => {
    expect(chooseNonce(open, nextNonce, chainNonce)).toEqual(choice);
  });
});

describe('outcomeOf', () => {
  const seen = { execution: 'REVERTED', revertReason: 'unknown root' } as const;

  it('reports UNKNOWN while no transaction of the attempt was seen', () => {
    const rows = [
      transaction(),
      transaction({ hash: toFelt('0xbb') }),
      transaction({ hash: toFelt('0xcc'), gone: 'refused' }),
    ];
    expect(outcomeOf(attempt, rows, 'preconfirmed')).toMatchObject({
      kind: 'pending',
      transactionHash: '0xbb',
    });
    expect(outcomeOf({ ...attempt, state: 'accepted' }, [], 'preconfirmed')).toMatchObject({
      kind: 'pending',
      transactionHash: null,
    });
  });

  it('reports a PRE_CONFIRMED result only if the settings request it', () => {
    const rows = [transaction({ seen })];
    expect(outcomeOf(attempt, rows, 'preconfirmed')).toMatchObject({
      kind: 'executed',
      ...seen,
      finality: 'PRE_CONFIRMED',
    });
    expect(outcomeOf(attempt, rows, 'accepted_on_l2')).toMatchObject({ kind: 'pending' });
  });

  it('does not report the stored result of a transaction that can no longer land', () => {
    expect(
      outcomeOf(attempt, [transaction({ seen, gone: 'refused' })], 'preconfirmed'),
    ).toMatchObject({ kind: 'pending' });
  });

  it('reports whether the outcome of an executed attempt can still be undone', () => {
    const executed = {
      ...attempt,
      state: 'reverted',
      transactionHash: toFelt('0xaa'),
      revertReason: 'no',
    } as const;
    expect(outcomeOf(executed, [], 'preconfirmed')).toMatchObject({
      kind: 'executed',
      execution: 'REVERTED',
      finality: 'ACCEPTED_ON_L2',
    });
    const final = { ...executed, isFinal: true };
    expect(outcomeOf(final, [], 'preconfirmed')).toMatchObject({
      kind: 'executed',
      revertReason: 'no',
      finality: 'ACCEPTED_ON_L1',
    });
  });

  it('reports UNKNOWN for an attempt whose outcome was undone, with the hash that may land again', () => {
    const undone = {
      transactionHash: toFelt('0xaa'),
      execution: 'SUCCEEDED',
      undoneAtMs: 1,
    } as const;
    expect(outcomeOf({ ...attempt, undone }, [transaction()], 'preconfirmed')).toMatchObject({
      kind: 'pending',
      transactionHash: '0xaa',
      attempt: { undone },
    });
  });

  it('reports the end of an attempt that is stored in the attempt’s row', () => {
    const ended = { ...attempt, state: 'refused', rejectionCode: 'NULLIFIER_SPENT' } as const;
    expect(outcomeOf(ended, [transaction({ seen })], 'preconfirmed')).toMatchObject({
      kind: 'rejected',
      code: 'NULLIFIER_SPENT',
    });
  });
});
