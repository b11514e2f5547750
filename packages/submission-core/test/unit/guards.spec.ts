import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { foreign } from '../../src/testing/index.js';
import { decide, type SubmissionEvent, type View } from '../../src/index.js';
import { isFree } from '../../src/domain/transitions/common.js';
import { CEILING_FRI, HASH, attempt, claimOf, freeRow, prepared, pricedAt, row, sent, signed, view, waiting } from '../support/rows.js';

type Of<Type extends SubmissionEvent['type']> = Extract<SubmissionEvent, { type: Type }>;

const claim: Of<'claim'> = { type: 'claim', ...claimOf, hash: HASH, atMs: 9 };
const refusal: Of<'refusal'> = { type: 'refusal', ...claimOf, hash: HASH, code: 'X', cause: 'call', atMs: 9 };
const release: Of<'release'> = { type: 'release', ...claimOf, to: 'accepted', atMs: 9 };
const replace: Of<'replace'> = { type: 'replace', ...claimOf, transaction: signed(30_000_000_000n), ceilingL2PriceFri: CEILING_FRI };
const cancel: Of<'cancel'> = { ...replace, type: 'cancel' };
const fill: Of<'fill'> = { type: 'fill', ...claimOf, transaction: signed() };
const settle: Of<'settle'> = { type: 'settle', ...claimOf, taker: foreign, loser: { to: 'accepted' }, atMs: 9 };
const prepare: Of<'prepare'> = { type: 'prepare', ...claimOf, attempt: waiting, transaction: signed(), claim: true, atMs: 9 };
const catchUp: Of<'catch_up'> = { type: 'catch_up', ...claimOf };
const endWaiting: Of<'end_waiting'> = { type: 'end_waiting', attempt: waiting, to: 'expired', code: 'X', atMs: 9 };
const observe: Of<'observe'> = { type: 'observe', lane: claimOf.lane, nonce: 5n, hash: HASH, seen: null };

const releasable = view({ owner: prepared, transactions: [sent({ claims: 0, claimFence: null, claimedAtMs: null })] });
const hole = view({ nonce: freeRow, owner: null, transactions: [sent({ dead: true })], liveAbove: true });
const nextRow = view({ lastAttempt: waiting, nonce: null, owner: null, transactions: [], highestNonce: 4n });
const behind = view({ nonce: null, owner: null, transactions: [], highestNonce: 4n });

const allowed: readonly (readonly [SubmissionEvent, View])[] = [
  [claim, view()],
  [refusal, view()],
  [release, releasable],
  [replace, view()],
  [cancel, view()],
  [fill, hole],
  [settle, view()],
  [prepare, nextRow],
  [catchUp, behind],
];

describe('each event alone', () => {
  it.each(allowed.map(([event, before]) => [event.type, event, before] as const))(
    '%s is written, and under no other fence',
    (_type, event, before) => {
      expect(decide(event, before)).toMatchObject({ written: true });
      const { lane } = before;
      if (lane === null) throw new Error('the lane is there');
      for (const found of [null, { ...lane, fence: 8n }, { ...lane, fence: 6n }]) {
        expect(decide(event, { ...before, lane: found })).toEqual({ written: false, because: 'stale_fence' });
      }
    },
  );

  it.each(
    allowed
      .filter(([{ type }]) => type !== 'prepare' && type !== 'catch_up')
      .map(([event, before]) => [event.type, event, before] as const),
  )('%s needs an open nonce', (_type, event, before) => {
    expect(decide(event, { ...before, nonce: null })).toEqual({ written: false, because: 'unknown_row' });
    const settled = { ...(before.nonce ?? row), state: 'settled' } as const;
    expect(decide(event, { ...before, nonce: settled })).toEqual({ written: false, because: 'nonce_settled' });
  });
});

describe('what makes an event stand back', () => {
  const dearCall = sent({ hash: toFelt('0xcc'), priceStep: 1, bounds: pricedAt(29_000_000_000n) });
  const ended = { ...attempt, state: 'refused' } as const;
  it.each<readonly [string, SubmissionEvent, View, string]>([
    ['prepare: the key is unknown', prepare, { ...nextRow, lastAttempt: null }, 'attempt_moved_on'],
    ['prepare: a newer attempt has begun', prepare, { ...nextRow, lastAttempt: { ...waiting, attempt: 3 } }, 'attempt_moved_on'],
    ['prepare: the attempt holds a nonce', prepare, { ...nextRow, lastAttempt: prepared }, 'attempt_moved_on'],
    ['prepare: not the next nonce', prepare, { ...nextRow, highestNonce: 3n }, 'nonce_taken'],
    [
      'prepare: the nonce is held, dead as all of it is',
      prepare,
      { ...nextRow, nonce: row, transactions: [sent({ dead: true })] },
      'nonce_taken',
    ],
    ['prepare: a no-op could land', prepare, { ...nextRow, nonce: freeRow, transactions: [sent({ kind: 'noop' })] }, 'nonce_taken'],
    ['release: nobody holds it', release, { ...releasable, owner: null }, 'attempt_moved_on'],
    ['release: the attempt is broadcast', release, { ...releasable, owner: attempt }, 'attempt_moved_on'],
    ['release: one of two was claimed', release, { ...releasable, transactions: [...releasable.transactions, dearCall] }, 'already_sent'],
    ['replace: nothing could land', replace, view({ transactions: [sent({ dead: true })] }), 'attempt_moved_on'],
    ['replace: its attempt has ended', replace, view({ owner: ended }), 'attempt_moved_on'],
    ['replace: outbids one of two', replace, view({ transactions: [sent(), dearCall] }), 'price_too_low'],
    ['cancel: outbids one of two', cancel, view({ transactions: [sent(), dearCall] }), 'price_too_low'],
    ['cancel: its attempt has ended', cancel, view({ owner: ended }), 'attempt_moved_on'],
    ['fill: held', fill, { ...hole, nonce: row }, 'nonce_taken'],
    ['fill: something could land', fill, { ...hole, transactions: [sent()] }, 'nonce_taken'],
    ['catch_up: the row is there', catchUp, { ...behind, nonce: freeRow }, 'nonce_taken'],
    ['catch_up: the lane has no rows', catchUp, { ...behind, highestNonce: null }, 'nonce_taken'],
    ['catch_up: it would leave a gap', catchUp, { ...behind, highestNonce: 3n }, 'nonce_taken'],
    ['end_waiting: the key is unknown', endWaiting, view({ lastAttempt: null }), 'unknown_row'],
    ['end_waiting: a newer attempt waits', endWaiting, view({ lastAttempt: { ...waiting, attempt: 3 } }), 'attempt_moved_on'],
    ['claim: no such transaction', claim, view({ transactions: [] }), 'unknown_row'],
    ['refusal: no such transaction', refusal, view({ transactions: [] }), 'unknown_row'],
    ['observe: no such nonce', observe, view({ nonce: null }), 'unknown_row'],
    ['observe: no such transaction', observe, view({ transactions: [] }), 'unknown_row'],
  ])('%s', (_what, event, before, because) => {
    expect(decide(event, before)).toEqual({ written: false, because });
  });

  it('a nonce is free when it is open, nobody holds it and nothing of it can land', () => {
    const dead = view({ transactions: [sent({ dead: true })] });
    expect(isFree(freeRow, dead)).toBe(true);
    expect(isFree({ ...freeRow, state: 'settled' }, dead)).toBe(false);
    expect(isFree(row, dead)).toBe(false);
    expect(isFree(freeRow, view())).toBe(false);
  });
});

describe('what is written', () => {
  it('a lane without rows starts at the nonce that it is given', () => {
    expect(decide(prepare, { ...nextRow, highestNonce: null })).toMatchObject({ written: true, writes: { nonces: [{ nonce: 5n }] } });
  });

  it('who gave a nonce back needs no second admission, who lost one does', () => {
    expect(decide(release, releasable)).toMatchObject({ writes: { attempts: [{ state: 'accepted', readmit: false }] } });
    expect(decide(settle, view())).toMatchObject({ writes: { attempts: [{ state: 'accepted', readmit: true }] } });
  });

  it('a refused no-op that nobody holds ends no attempt', () => {
    const noop = sent({ kind: 'noop', attempt: null });
    const decision = decide(refusal, view({ nonce: freeRow, owner: null, transactions: [noop] }));
    expect(decision).toMatchObject({ written: true, writes: { nonces: [{ owner: null }] } });
    expect(decision).not.toHaveProperty('writes.attempts');
  });

  it('a settled nonce names who took it and what that cost, a stranger’s without a price', () => {
    expect(decide(settle, view())).toMatchObject({ writes: { nonces: [{ settledBy: 'stranger', gasPaidFri: null, owner: null }] } });
    const taker = { hash: HASH, execution: 'SUCCEEDED', revertReason: null, feeFri: 3n } as const;
    expect(decide({ ...settle, taker }, view())).toMatchObject({
      writes: { nonces: [{ settledBy: HASH, gasPaidFri: 3n, owner: row.owner }] },
    });
  });
});
