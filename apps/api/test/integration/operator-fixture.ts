import { toFelt } from '@sotto/kernel';
import type { GuardedPool, SignedServiceStatus } from '@sotto/relayer-core';
import { EXAMPLE_POOL } from '../../src/http/schemas.js';
import type { Operations } from '../../src/operations/describe-operations.js';

const LANE = toFelt('0x7a1e5f');

export const guardedPool: GuardedPool = {
  pool: { key: 'sentinel_1x', address: toFelt(EXAMPLE_POOL), token: { symbol: 'WBTC', address: toFelt('0xb7c'), decimals: 8 } },
  relays: { kind: 'paused', cause: 'operator', reason: 'upgrade', untilMs: null },
  batches: { kind: 'exhausted', scope: 'all', untilMs: 1_800_000_000_500 },
  money: {
    pool: toFelt(EXAMPLE_POOL),
    earnedFeeToken: 2n ** 70n,
    earnedFri: 2n ** 100n,
    spentFri: 2n ** 90n,
    reservedFri: 0n,
    succeeded: 3,
    reverted: 1,
    unsent: 2,
    losses: 1,
  },
};

export const operations: Operations = {
  lanes: [
    { address: LANE, role: 'relay', state: 'ready', account: { nonce: 7n, balanceFri: 2n ** 80n } },
    { address: toFelt('0x7a1e60'), role: 'curator', state: 'unknown', account: null },
  ],
  lastLookMs: 1_800_000_000_999,
  stuck: [
    {
      lane: LANE,
      nonce: 6n,
      attempt: { id: 'public-id', state: 'broadcast' },
      forMs: 400_000,
      passedByChain: true,
      unwanted: 'DEADLINE_PASSED',
      transactions: [
        { hash: toFelt('0x4a5'), kind: 'call', priceStep: 0, claims: 2, lastClaimAgoMs: 30_000, dead: false, seen: 'unknown' },
      ],
    },
  ],
  pools: [guardedPool],
  load: { admissions: { running: 1, waiting: 2, refused: 3 }, requests: { requests: 4, clients: 5, refused: 6 } },
};

const asOf = 1_800_000_000;
export const signedStatus: SignedServiceStatus = {
  status: {
    version: 1,
    chainId: toFelt('0x534e5f4d41494e'),
    relayer: LANE,
    issuedAt: asOf,
    pools: [
      {
        key: 'sentinel_1x',
        address: toFelt(EXAMPLE_POOL),
        token: 'WBTC',
        fee: { value: '166', asOf },
        accepting: { value: false, asOf },
        pausedFor: 'operator',
        reason: 'upgrade',
      },
    ],
    capacity: { value: true, asOf },
    success: { percent: 95, windowSeconds: 86_400, asOf },
    inclusion: { p50Seconds: 10, p95Seconds: null, windowSeconds: 86_400, asOf },
  },
  signer: LANE,
  signature: [toFelt('0x1'), toFelt('0x2')],
};
