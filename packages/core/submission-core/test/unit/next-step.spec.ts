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
import { confirming } from '../../src/testing/index.js';
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
  refusalCode: null,
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
  l2GasPriceFri: 8_000_000_000n,
  ceilingL2PriceFri: 10n ** 12n,
  fence: 7n,
  nowMs: 101_000,
  resendAfterMs: 10_000,
  refusedForPrice: new Set(),
  refusedForNonce: new Set(),
  unanswered: new Set(),
};
const showing = (sighting: TransactionStatus): Partial<NonceFacts> => ({
  sightings: new Map([[HASH, sighting]]),
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
/** With a no-op against the owner, its send claimed as well. */
const withNoop = (): OpenNonce => ({
  ...nonce,
  transactions: [sent, { ...sent, hash: NOOP, kind: 'noop', attempt: null, priceStep: 1 }],
});
/** The call at this price of L2 gas. */
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

describe('the next step of an open nonce', () => {
  it.each<[string, OpenNonce, Partial<NonceFacts>, object]>([
    ['a receipt settles', nonce, showing(ACCEPTED), { do: 'settle' }],
    [
      'passed by the chain without a receipt: the consumer is looked for',
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
    ['free, nothing above: nothing', free, {}, WAIT],
    [
      'free, something above, not offered to waiting attempts yet: nothing',
      free,
      { liveAbove: true, workWaits: true },
      WAIT,
    ],
    [
      'free, something above, offered without a taker: a no-op',
      free,
      { liveAbove: true },
      { do: 'fill' },
    ],
    [
      'pre-confirmed: nothing, though it is no longer wanted and its price is too low',
      nonce,
      { ...showing(PRE_CONFIRMED), unwanted: true, l2GasPriceFri: 10n ** 11n },
      WAIT,
    ],
    ['unwanted: a no-op', nonce, { unwanted: true }, { do: 'cancel' }],
    [
      'unwanted and known to the node: a no-op all the same',
      nonce,
      { ...showing({ kind: 'waiting' }), unwanted: true },
      { do: 'cancel' },
    ],
    [
      'unwanted, with a no-op there: that one goes on',
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
      'unwanted, the no-op too cheap by now: a further one',
      withNoop(),
      { unwanted: true, l2GasPriceFri: 30_000_000_000n },
      { do: 'cancel' },
    ],
    [
      'unwanted, the no-op at the ceiling: nothing further',
      withNoop(),
      { unwanted: true, l2GasPriceFri: 30_000_000_000n, ceilingL2PriceFri: 24_000_000_000n },
      WAIT,
    ],
    [
      'unwanted, the no-op silent for long, whatever the node has of the call: the no-op again',
      withNoop(),
      { ...showing({ kind: 'waiting' }), unwanted: true, nowMs: 110_000 },
      { do: 'send', hash: NOOP, again: true },
    ],
    [
      'unwanted, the no-op known to the node: nothing',
      withNoop(),
      { sightings: new Map([[NOOP, { kind: 'waiting' }]]), unwanted: true, nowMs: 110_000 },
      WAIT,
    ],
    [
      'wanted, with a no-op there: whatever the node has of the two, nothing',
      withNoop(),
      { ...showing({ kind: 'waiting' }), nowMs: 110_000 },
      WAIT,
    ],
    [
      'wanted, with a no-op there that is silent with the call: the dearer one again',
      withNoop(),
      { nowMs: 110_000 },
      { do: 'send', hash: NOOP, again: true },
    ],
    [
      'a receipt of the second of two transactions settles',
      withNoop(),
      { sightings: new Map([[NOOP, ACCEPTED]]) },
      { do: 'settle', consumer: { hash: NOOP } },
    ],
    [
      'never claimed: sent',
      { ...nonce, transactions: [{ ...sent, sendCount: 0 }] },
      {},
      { do: 'send', hash: HASH, again: false },
    ],
    [
      'price below the chain’s: replaced',
      nonce,
      { l2GasPriceFri: 25_000_000_000n },
      { do: 'replace' },
    ],
    [
      'refused for its price: replaced',
      nonce,
      { refusedForPrice: new Set([HASH]) },
      { do: 'replace' },
    ],
    ['price as the chain’s: not replaced', nonce, { l2GasPriceFri: 24_000_000_000n }, WAIT],
    ['a call whose attempt has moved on: a no-op', { ...nonce, owner: null }, {}, { do: 'cancel' }],
    [
      'a call whose attempt has moved on, in a block: nothing',
      { ...nonce, owner: null },
      showing(PRE_CONFIRMED),
      WAIT,
    ],
    [
      'a call whose attempt has moved on, with a no-op that is too cheap by now: a further one',
      { ...withNoop(), owner: null },
      { l2GasPriceFri: 30_000_000_000n },
      { do: 'cancel' },
    ],
    [
      'unwanted at the ceiling, the no-op too cheap by now: a further one all the same',
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
      'refused for its price, one of two at the ceiling: not replaced',
      { ...nonce, transactions: [priced(10n ** 12n), { ...sent, hash: NOOP, priceStep: 1 }] },
      { refusedForPrice: new Set([NOOP]) },
      WAIT,
    ],
    ['a lone no-op: nothing', loneNoop, { unwanted: true }, WAIT],
    [
      'a lone no-op, too cheap by now: replaced',
      loneNoop,
      { unwanted: true, l2GasPriceFri: 30_000_000_000n },
      { do: 'replace' },
    ],
    [
      'unwanted, while another transaction can not be read: a no-op',
      nonce,
      { ...showing({ kind: 'unread' }), unwanted: true },
      { do: 'cancel' },
    ],
    [
      'unread: nothing, though its price is too low and it was silent for long',
      nonce,
      { ...showing({ kind: 'unread' }), l2GasPriceFri: 25_000_000_000n, nowMs: 900_000 },
      WAIT,
    ],
    [
      'unread, and passed by the chain: the consumer is looked for',
      nonce,
      { ...showing({ kind: 'unread' }), chainNonce: 6n },
      { do: 'find_consumer' },
    ],
    [
      'refused for its price and known to the node: replaced',
      nonce,
      { ...showing({ kind: 'waiting' }), refusedForPrice: new Set([HASH]) },
      { do: 'replace' },
    ],
    [
      'a receipt of a transaction that had been refused settles too',
      { ...nonce, transactions: [{ ...sent, gone: 'refused' }] },
      showing(ACCEPTED),
      { do: 'settle', consumer: { hash: HASH, execution: 'SUCCEEDED', block: BLOCK } },
    ],
    [
      'price too low, at the ceiling: not replaced',
      nonce,
      { l2GasPriceFri: 25_000_000_000n, ceilingL2PriceFri: 24_000_000_000n },
      WAIT,
    ],
    [
      'known to the node: nothing, however long ago',
      nonce,
      { ...showing({ kind: 'waiting' }), nowMs: 900_000 },
      WAIT,
    ],
    [
      'seen in a block that is gone: the same bytes at once',
      {
        ...nonce,
        transactions: [{ ...sent, seen: { execution: 'SUCCEEDED', revertReason: null } }],
      },
      {},
      AGAIN,
    ],
    ['silence, not for long: nothing', nonce, {}, WAIT],
    ['silence for long: the same bytes', nonce, { nowMs: 110_000 }, AGAIN],
    [
      'T15: silence after no node has accepted it, for two seconds: the same bytes',
      nonce,
      { unanswered: new Set([HASH]), nowMs: 102_000 },
      AGAIN,
    ],
    [
      'silence after no node has accepted it, for less: nothing',
      nonce,
      { unanswered: new Set([HASH]), nowMs: 101_999 },
      WAIT,
    ],
    [
      'refused for its nonce, which the chain has reached: the same bytes at once',
      nonce,
      { refusedForNonce: new Set([HASH]) },
      AGAIN,
    ],
    [
      'refused for its nonce, which the chain has not reached: nothing',
      nonce,
      { refusedForNonce: new Set([HASH]), chainNonce: 4n },
      WAIT,
    ],
    [
      'refused for its nonce a second time: nothing before it was silent for long',
      { ...nonce, transactions: [{ ...sent, sendCount: 2 }] },
      { refusedForNonce: new Set([HASH]) },
      WAIT,
    ],
    [
      'another one was refused for its nonce: nothing',
      nonce,
      { refusedForNonce: new Set([NOOP]) },
      WAIT,
    ],
    ['claimed under an older fence: the same bytes', nonce, { fence: 8n }, AGAIN],
  ])('%s', (_what, open, change, step) => {
    expect(nextStep(open, { ...facts, ...change })).toMatchObject(step);
  });
});
