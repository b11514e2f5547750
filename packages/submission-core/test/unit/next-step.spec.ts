import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { boundsFor, type Attempt, type OpenNonce, type TransactionRow, type TransactionSighting } from '../../src/index.js';
import { nextStep, type NonceFacts } from '../../src/domain/next-step.js';
import { attempt } from '../support/rows.js';
import { LANE, submission } from './world.js';

const HASH = toFelt('0xaa');
const bounds = boundsFor(submission().limits, { l2GasFri: 8_000_000_000n, l1GasFri: 1n, l1DataGasFri: 1n });
const sent: TransactionRow = {
  hash: HASH,
  lane: LANE,
  nonce: 5n,
  kind: 'call',
  attempt: { key: 'A', attempt: 1 },
  priceStep: 0,
  bounds,
  claims: 1,
  claimFence: 7n,
  claimedAtMs: 100_000,
  dead: false,
  refusalCode: null,
  seen: null,
};
const owner: Attempt = { ...attempt, attempt: 1, acceptedAtMs: 0 };
const nonce: OpenNonce = {
  row: { lane: LANE, nonce: 5n, state: 'open', owner: { key: 'A', attempt: 1 }, settledBy: null, gasPaidFri: null },
  owner,
  transactions: [sent],
};
const free: OpenNonce = { row: { ...nonce.row, owner: null }, owner: null, transactions: [{ ...sent, dead: true }] };
const facts: NonceFacts = {
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
};
const showing = (sighting: TransactionSighting): Partial<NonceFacts> => ({ sightings: new Map([[HASH, sighting]]) });
const PRE_CONFIRMED: TransactionSighting = { kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null };
const WAIT = { do: 'wait' };
const AGAIN = { do: 'send', hash: HASH, again: true };

describe('the next step of an open nonce', () => {
  it.each<[string, OpenNonce, Partial<NonceFacts>, object]>([
    [
      'a receipt settles',
      nonce,
      showing({ kind: 'accepted', execution: 'SUCCEEDED', revertReason: null, feeFri: 1n, blockNumber: 1 }),
      { do: 'settle' },
    ],
    ['passed by the chain without a receipt: look who took it', nonce, { chainNonce: 6n }, { do: 'find_taker' }],
    [
      'a receipt comes before the chain’s nonce',
      nonce,
      { chainNonce: 6n, ...showing({ kind: 'accepted', execution: 'REVERTED', revertReason: 'x', feeFri: 1n, blockNumber: 1 }) },
      { do: 'settle' },
    ],
    ['free, nothing above: nothing', free, {}, WAIT],
    ['free, something above, not offered to those who wait yet: nothing', free, { liveAbove: true, workWaits: true }, WAIT],
    ['free, something above, offered in vain: a no-op', free, { liveAbove: true }, { do: 'fill' }],
    [
      'pre-confirmed: nothing, though it is no longer wanted and its price is too low',
      nonce,
      { ...showing(PRE_CONFIRMED), unwanted: true, l2GasPriceFri: 10n ** 11n },
      WAIT,
    ],
    ['unwanted: a no-op', nonce, { unwanted: true }, { do: 'cancel' }],
    ['unwanted and known to the node: a no-op all the same', nonce, { ...showing({ kind: 'waiting' }), unwanted: true }, { do: 'cancel' }],
    [
      'unwanted, with a no-op there: that one goes on',
      { ...nonce, transactions: [sent, { ...sent, hash: toFelt('0xbb'), kind: 'noop', priceStep: 1, claims: 0 }] },
      { unwanted: true },
      { do: 'send', hash: '0xbb', again: false },
    ],
    [
      'unwanted and never claimed: released',
      { ...nonce, owner: { ...owner, state: 'prepared' }, transactions: [{ ...sent, claims: 0 }] },
      { unwanted: true },
      { do: 'release' },
    ],
    ['never claimed: sent', { ...nonce, transactions: [{ ...sent, claims: 0 }] }, {}, { do: 'send', hash: HASH, again: false }],
    ['price below the chain’s: replaced', nonce, { l2GasPriceFri: 25_000_000_000n }, { do: 'replace' }],
    ['refused for its price: replaced', nonce, { refusedForPrice: new Set([HASH]) }, { do: 'replace' }],
    ['price as the chain’s: not replaced', nonce, { l2GasPriceFri: 24_000_000_000n }, WAIT],
    ['unwanted, held by nobody: there is nobody to release', { ...nonce, owner: null }, { unwanted: true }, WAIT],
    ['price too low, at the ceiling: not replaced', nonce, { l2GasPriceFri: 25_000_000_000n, ceilingL2PriceFri: 24_000_000_000n }, WAIT],
    ['known to the node: nothing, however long ago', nonce, { ...showing({ kind: 'waiting' }), nowMs: 900_000 }, WAIT],
    [
      'seen in a block that is gone: the same bytes at once',
      { ...nonce, transactions: [{ ...sent, seen: { execution: 'SUCCEEDED', revertReason: null } }] },
      {},
      AGAIN,
    ],
    ['silence, not for long: nothing', nonce, {}, WAIT],
    ['silence for long: the same bytes', nonce, { nowMs: 110_000 }, AGAIN],
    ['claimed under an older fence: the same bytes', nonce, { fence: 8n }, AGAIN],
  ])('%s', (_what, open, change, step) => {
    expect(nextStep(open, { ...facts, ...change })).toMatchObject(step);
  });
});
