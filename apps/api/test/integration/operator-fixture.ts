import { toFelt } from '@sotto/kernel';
import type { GuardedPool, SignedServiceStatus } from '@sotto/relayer-core';
import { EXAMPLE_POOL } from '@sotto/routes';
import { clean } from './engine-status-fixture.js';
import type { OperatedLane, Operations } from '../../src/operations/get-operator-status.js';

const LANE = toFelt('0x7a1e5f');

export const guardedPool: GuardedPool = {
  pool: {
    key: 'sentinel_1x',
    address: toFelt(EXAMPLE_POOL),
    kind: 'withdraw',
    token: { symbol: 'WBTC', address: toFelt('0xb7c'), decimals: 8 },
  },
  relays: { kind: 'paused', cause: 'operator', reason: 'upgrade', untilMs: null },
  batches: { kind: 'exhausted', scope: 'all', untilMs: 1_800_000_000_500 },
  isStrict: true,
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
    lostFri: 2n ** 80n,
  },
};

export const operatedLane: OperatedLane = {
  address: LANE,
  role: 'relay',
  state: 'paused',
  reason: 'a change of keys',
  openNonces: 1,
  isConfigured: true,
  pausedFor: 'a change of keys',
  quarantine: null,
  account: { nonce: 7n, balanceFri: 2n ** 80n },
};

export const operations: Operations = {
  lanes: [
    operatedLane,
    {
      address: toFelt('0x7a1e60'),
      role: 'curator',
      state: 'quarantined',
      reason: 'LEDGER_BEHIND_CHAIN',
      openNonces: 3,
      isConfigured: false,
      isRetiring: true,
      pausedFor: null,
      quarantine: { cause: 'behind', until: 40n, sinceMs: 1_800_000_000_500, isAged: true },
      account: null,
    },
  ],
  lastLookMs: 1_800_000_000_999,
  ledger: {
    state: 'LEDGER_BEHIND_CHAIN',
    chain: { chainId: toFelt('0x534e5f4d41494e'), genesisHash: toFelt('0x47c3') },
    lastBlock: 812,
  },
  audit: {
    lastBlock: 9,
    behindBlocks: 3,
    findings: { ...clean.findings, FOREIGN: 1 },
    problem: 'NODE_UNAVAILABLE',
    completedAgoMs: 1_600,
  },
  alarms: { foreign: 1, reopened: 2, disprovedRefusals: 3 },
  clockSkewMs: { store: -1_234.4, chain: null },
  isStrict: true,
  stuck: [
    {
      lane: LANE,
      nonce: 6n,
      attempt: { id: 'public-id', state: 'broadcast' },
      forMs: 400_000,
      passedByChain: true,
      unwanted: 'DEADLINE_PASSED',
      transactions: [
        {
          hash: toFelt('0x4a5'),
          kind: 'call',
          priceStep: 0,
          claims: 2,
          lastClaimAgoMs: 30_000,
          gone: 'lost',
          seen: 'unknown',
        },
      ],
    },
  ],
  pools: [guardedPool],
  load: {
    admissions: { running: 1, waiting: 2, refused: 3 },
    requests: { requests: 4, clients: 5, refused: 6 },
  },
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
