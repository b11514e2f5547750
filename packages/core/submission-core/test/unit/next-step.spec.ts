import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import {
  boundsFor,
  type Attempt,
  type OpenNonce,
  type TransactionRow,
  type TransactionStatus,
} from '../../src/index.js';
import { nextStep, type NonceFacts } from '../../src/domain/next-step.js';
import { BLOCK, attempt, row } from '../support/rows.js';
import { confirming, contradicting } from '../../src/testing/index.js';
import { LANE, submission } from './world.js';

const HASH = toFelt('0xaa');
const bounds = boundsFor(submission().limits, {
  l2GasFri: 8_000_000_000n,
  l1GasFri: 1n,
  l1DataGasFri: 1n,
});
const sent: TransactionRow = {
  hash: HASH,
  lane: LANE,
  nonce: 5n,
  kind: 'call',
  attempt: { key: 'A', attempt: 1 },
  priceStep: 0,
  bounds,
  sendCount: 1,
  claimFence: 7n,
  claimedAtMs: 100_000,
  claimNode: 'node-0',
  gone: null,
  rejectionCode: null,
  seen: null,
};
const owner: Attempt = { ...attempt, attempt: 1, acceptedAtMs: 0 };
const nonce: OpenNonce = {
  row: { ...row, owner: { key: 'A', attempt: 1 } },
  owner,
  transactions: [sent],
};
const free: OpenNonce = {
  row: { ...nonce.row, owner: null },
  owner: null,
  transactions: [{ ...sent, gone: 'refused' }],
};
const facts: NonceFacts = {
  evidence: confirming(BLOCK),
  sightings: new Map(),
  chainNonce: 5n,
  liveAbove: false,
  workWaits: false,
  unwanted: false,
  blocksLeft: 'enough',
  l2GasPriceFri: 8_000_000_000n,
  ceilingL2PriceFri: 10n ** 12n,
  fence: 7n,
  nowMs: 101_000,
  resendAfterMs: 10_000,
  refusedForPrice: new Set(),
  refusedForNonce: new Set(),
  unanswered: new Set(),
};
const showing = (reportedStatus: TransactionStatus): Partial<NonceFacts> => ({
  sightings: new Map([[HASH, reportedStatus]]),
});
const ACCEPTED: TransactionStatus = {
  kind: 'accepted',
  execution: 'SUCCEEDED',
  revertReason: null,
  feeFri: 1n,
  block: BLOCK,
};
const PRE_CONFIRMED: TransactionStatus = {
  kind: 'pre_confirmed',
  execution: 'SUCCEEDED',
  revertReason: null,
};
const NOOP = toFelt('0xbb');
/**
 * Returns the nonce with a second transaction: a no-op against the owner's call, which was sent
 * too.
 */
const withNoop = (): OpenNonce => ({
  ...nonce,
  transactions: [sent, { ...sent, hash: NOOP, kind: 'noop', attempt: null, priceStep: 1 }],
});
/** Returns the call with this maximum L2 gas price. */
const priced = (maxPriceFri: bigint): TransactionRow => ({
  ...sent,
  bounds: { ...bounds, l2Gas: { ...bounds.l2Gas, maxPriceFri } },
});
const loneNoop: OpenNonce = {
  ...free,
  transactions: [{ ...sent, hash: NOOP, kind: 'noop', attempt: null }],
};
const WAIT = { do: 'wait' };
const AGAIN = { do: 'send', hash: HASH, again: true };

describe('next step of an open nonce', () => {
  it.each<[string, OpenNonce, Partial<NonceFacts>, object]>([
    ['a receipt settles the nonce', nonce, showing(ACCEPTED), { do: 'settle' }],
    [
      'a receipt without a closing read: it waits',
      nonce,
      { ...showing(ACCEPTED), evidence: null },
      WAIT,
    ],
    [
      'a receipt whose block the closing read contradicts: it waits',
      nonce,
      { ...showing(ACCEPTED), evidence: contradicting(BLOCK) },
      WAIT,
    ],
    [
      'passed by the chain without a receipt: the consumer is searched',
      nonce,
      { chainNonce: 6n },
      { do: 'find_consumer' },
    ],
    [
      'a receipt comes before the chain’s nonce',
      nonce,
      {
        chainNonce: 6n,
        ...showing({
          kind: 'accepted',
          execution: 'REVERTED',
          revertReason: 'x',
          feeFri: 1n,
          block: BLOCK,
        }),
      },
      { do: 'settle' },
    ],
    ['free, nothing above: it waits', free, {}, WAIT],
    [
      'free, a transaction above, not offered to waiting attempts yet: it waits',
      free,
      { liveAbove: true, workWaits: true },
      WAIT,
    ],
    [
      'free, a transaction above, offered and not used: a no-op is stored',
      free,
      { liveAbove: true },
      { do: 'fill' },
    ],
    [
      'pre-confirmed: it waits, though it is no longer wanted and its price is too low',
      nonce,
      { ...showing(PRE_CONFIRMED), unwanted: true, l2GasPriceFri: 10n ** 11n },
      WAIT,
    ],
    ['unwanted: a no-op is stored', nonce, { unwanted: true }, { do: 'cancel' }],
    [
      'unwanted and known to the node: a no-op is still stored',
      nonce,
      { ...showing({ kind: 'waiting' }), unwanted: true },
      { do: 'cancel' },
    ],
    [
      'unwanted, with a no-op: the no-op is sent again',
      {
        ...nonce,
        transactions: [
          sent,
          { ...sent, hash: toFelt('0xbb'), kind: 'noop', priceStep: 1, sendCount: 0 },
        ],
      },
      { unwanted: true },
      { do: 'send', hash: '0xbb', again: false },
    ],
    [
      'unwanted, the no-op too cheap by now: a further no-op is stored',
      withNoop(),
      { unwanted: true, l2GasPriceFri: 30_000_000_000n },
      { do: 'cancel' },
    ],
    [
      'unwanted, the no-op at the ceiling: it waits',
      withNoop(),
      { unwanted: true, l2GasPriceFri: 30_000_000_000n, ceilingL2PriceFri: 24_000_000_000n },
      WAIT,
    ],
    [
      'unwanted, the no-op silent for long: the no-op is sent again, even if the node has the call',
      withNoop(),
      { ...showing({ kind: 'waiting' }), unwanted: true, nowMs: 110_000 },
      { do: 'send', hash: NOOP, again: true },
    ],
    [
      'unwanted, the no-op known to the node: it waits',
      withNoop(),
      { sightings: new Map([[NOOP, { kind: 'waiting' }]]), unwanted: true, nowMs: 110_000 },
      WAIT,
    ],
    [
      'wanted, with a no-op: it waits if the node has either of the two',
      withNoop(),
      { ...showing({ kind: 'waiting' }), nowMs: 110_000 },
      WAIT,
    ],
    [
      'wanted, with a no-op, both silent: the dearer one is sent again',
      withNoop(),
      { nowMs: 110_000 },
      { do: 'send', hash: NOOP, again: true },
    ],
    [
      'a receipt of the second of two transactions settles the nonce',
      withNoop(),
      { sightings: new Map([[NOOP, ACCEPTED]]) },
      { do: 'settle', consumer: { hash: NOOP } },
    ],
    [
      'never claimed: it is sent',
      { ...nonce, transactions: [{ ...sent, sendCount: 0 }] },
      {},
      { do: 'send', hash: HASH, again: false },
    ],
    [
      'price below the chain’s: it is replaced',
      nonce,
      { l2GasPriceFri: 25_000_000_000n },
      { do: 'replace' },
    ],
    [
      'refused for its price: it is replaced',
      nonce,
      { refusedForPrice: new Set([HASH]) },
      { do: 'replace' },
    ],
    [
      'price equal to the chain’s: it is not replaced',
      nonce,
      { l2GasPriceFri: 24_000_000_000n },
      WAIT,
    ],
    [
      'a call whose attempt has moved on: a no-op is stored',
      { ...nonce, owner: null },
      {},
      { do: 'cancel' },
    ],
    [
      'a call whose attempt has moved on, in a block: it waits',
      { ...nonce, owner: null },
      showing(PRE_CONFIRMED),
      WAIT,
    ],
    [
      'a call whose attempt has moved on, with a no-op that is too cheap by now: a further no-op is stored',
      { ...withNoop(), owner: null },
      { l2GasPriceFri: 30_000_000_000n },
      { do: 'cancel' },
    ],
    [
      'unwanted at the ceiling, the no-op too cheap by now: a further no-op is still stored',
      {
        ...nonce,
        transactions: [
          priced(10n ** 12n),
          { ...sent, hash: NOOP, kind: 'noop', attempt: null, priceStep: 1 },
        ],
      },
      { unwanted: true, l2GasPriceFri: 30_000_000_000n },
      { do: 'cancel' },
    ],
    [
      'refused for its price, one of two at the ceiling: it is not replaced',
      { ...nonce, transactions: [priced(10n ** 12n), { ...sent, hash: NOOP, priceStep: 1 }] },
      { refusedForPrice: new Set([NOOP]) },
      WAIT,
    ],
    ...(['few', 'none'] as const).flatMap<[string, OpenNonce, Partial<NonceFacts>, object]>(
      (blocksLeft) => [
        [
          `${blocksLeft} blocks left, price too low: the call is not signed again`,
          nonce,
          { blocksLeft, l2GasPriceFri: 25_000_000_000n },
          WAIT,
        ],
        [
          `${blocksLeft} blocks left, unwanted: a no-op is stored`,
          nonce,
          { blocksLeft, unwanted: true },
          { do: 'cancel' },
        ],
        [
          `${blocksLeft} blocks left, unwanted, the no-op too cheap by now: a further no-op is stored`,
          withNoop(),
          { blocksLeft, unwanted: true, l2GasPriceFri: 30_000_000_000n },
          { do: 'cancel' },
        ],
        [
          `${blocksLeft} blocks left, with a no-op, both silent: the no-op is sent again`,
          withNoop(),
          { blocksLeft, nowMs: 110_000 },
          { do: 'send', hash: NOOP, again: true },
        ],
      ],
    ),
    [
      'few blocks left, silent for long: the same bytes are sent again',
      nonce,
      { blocksLeft: 'few', nowMs: 110_000 },
      AGAIN,
    ],
    [
      'no block left, silent for long: the call is not sent again',
      nonce,
      { blocksLeft: 'none', nowMs: 110_000 },
      WAIT,
    ],
    [
      'no block left, never claimed: the call is not sent',
      { ...nonce, transactions: [{ ...sent, sendCount: 0 }] },
      { blocksLeft: 'none' },
      WAIT,
    ],
    [
      'no block left, a receipt settles the nonce',
      nonce,
      { ...showing(ACCEPTED), blocksLeft: 'none' },
      { do: 'settle' },
    ],
    ['a lone no-op: it waits', loneNoop, { unwanted: true }, WAIT],
    [
      'a lone no-op, too cheap by now: it is replaced',
      loneNoop,
      { unwanted: true, l2GasPriceFri: 30_000_000_000n },
      { do: 'replace' },
    ],
    [
      'unwanted, another transaction unreadable: a no-op is stored',
      nonce,
      { ...showing({ kind: 'unread' }), unwanted: true },
      { do: 'cancel' },
    ],
    [
      'unread: it waits, though its price is too low and it was silent for long',
      nonce,
      { ...showing({ kind: 'unread' }), l2GasPriceFri: 25_000_000_000n, nowMs: 900_000 },
      WAIT,
    ],
    [
      'unread, and passed by the chain: the consumer is searched',
      nonce,
      { ...showing({ kind: 'unread' }), chainNonce: 6n },
      { do: 'find_consumer' },
    ],
    [
      'refused for its price and known to the node: it is replaced',
      nonce,
      { ...showing({ kind: 'waiting' }), refusedForPrice: new Set([HASH]) },
      { do: 'replace' },
    ],
    [
      'a receipt of a transaction that had been refused settles the nonce too',
      { ...nonce, transactions: [{ ...sent, gone: 'refused' }] },
      showing(ACCEPTED),
      { do: 'settle', consumer: { hash: HASH, execution: 'SUCCEEDED', block: BLOCK } },
    ],
    [
      'price too low, at the ceiling: it is not replaced',
      nonce,
      { l2GasPriceFri: 25_000_000_000n, ceilingL2PriceFri: 24_000_000_000n },
      WAIT,
    ],
    [
      'known to the node: it waits, for any length of time',
      nonce,
      { ...showing({ kind: 'waiting' }), nowMs: 900_000 },
      WAIT,
    ],
    [
      'seen in a block that is gone: the same bytes are sent at once',
      {
        ...nonce,
        transactions: [{ ...sent, seen: { execution: 'SUCCEEDED', revertReason: null } }],
      },
      {},
      AGAIN,
    ],
    ['silent, not for long: it waits', nonce, {}, WAIT],
    ['silent for long: the same bytes are sent', nonce, { nowMs: 110_000 }, AGAIN],
    [
      'T15: silent for two seconds after no node has accepted it: the same bytes are sent',
      nonce,
      { unanswered: new Set([HASH]), nowMs: 102_000 },
      AGAIN,
    ],
    [
      'silent for less after no node has accepted it: it waits',
      nonce,
      { unanswered: new Set([HASH]), nowMs: 101_999 },
      WAIT,
    ],
    [
      'refused for its nonce, which the chain has reached: the same bytes are sent at once',
      nonce,
      { refusedForNonce: new Set([HASH]) },
      AGAIN,
    ],
    [
      'refused for its nonce, which the chain has not reached: it waits',
      nonce,
      { refusedForNonce: new Set([HASH]), chainNonce: 4n },
      WAIT,
    ],
    [
      'refused for its nonce a second time: it waits until it was silent for long',
      { ...nonce, transactions: [{ ...sent, sendCount: 2 }] },
      { refusedForNonce: new Set([HASH]) },
      WAIT,
    ],
    [
      'another transaction was refused for its nonce: it waits',
      nonce,
      { refusedForNonce: new Set([NOOP]) },
      WAIT,
    ],
    ['claimed under an older fence: the same bytes are sent', nonce, { fence: 8n }, AGAIN],
  ])('%s', (_what, open, change, step) => {
    expect(nextStep(open, { ...facts, ...change })).toMatchObject(step);
  });
});
