import { toFelt } from '@sotto/kernel';
import { clean } from '@sotto/submission-core/testing';
import type { GuardedPool } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { OperatedLane, Operations } from '../../status/application/get-operator-status.js';

const LANE = toFelt('0x7a1e5f');
const POOL = toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33');

/** State of a pool that an operator has paused, as shown to operators. */
export const guardedPool: GuardedPool = {
  pool: {
    key: 'sentinel_1x',
    address: POOL,
    kind: 'withdraw',
    token: { symbol: 'WBTC', address: toFelt('0xb7c'), decimals: 8 },
    batchSizes: [3, 5, 7],
  },
  relays: { kind: 'paused', cause: 'operator', reason: 'upgrade', untilMs: null },
  batches: { kind: 'exhausted', scope: 'all', untilMs: 1_800_000_000_500 },
  deposits: { kind: 'paused', cause: 'operator', reason: 'upgrade', untilMs: null },
  isStrict: true,
  money: {
    pool: POOL,
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

/** State of a paused lane, as shown to operators. */
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

/** Operator status in which no field has its default value. */
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
  lastPollMs: 1_800_000_000_999,
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
  nodes: [
    {
      name: 'node-0',
      up: false,
      score: 0,
      isInUse: false,
      headBlock: 811,
      headAgeMs: 61_400,
      chainOk: true,
      lastErrorCode: 'ECONNREFUSED',
      disagreements: ['head'],
      disagreementsBegun: { head: 1, block: 0, nonce: 0 },
    },
  ],
  build: { version: '0.1.0', commit: '0123abc' },
  alarms: {
    foreign: 1,
    reopened: 2,
    reopenedFinal: 5,
    disprovedRefusals: 3,
    sharedInstanceIds: 4,
  },
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
  verdict: {
    asOfMs: 1_800_000_000_400,
    reasons: [
      {
        code: 'STORE_NOT_WRITABLE',
        component: 'store',
        details: { error: 'LEDGER_UNAVAILABLE', cause: 'ENOSPC' },
        sinceMs: 1_799_999_990_700,
      },
    ],
    pools: [
      {
        key: 'sentinel_1x',
        address: toFelt('0x5e47'),
        canWithdraw: false,
        reasons: [
          {
            code: 'POOL_PAUSED',
            component: 'breakers',
            details: { cause: 'operator' },
            sinceMs: 1_799_999_980_000,
          },
        ],
      },
    ],
    warnings: [
      {
        code: 'NODES_DISAGREE',
        component: 'nodes',
        details: { nodes: 'node-1', what: 'head' },
        sinceMs: 1_799_999_990_700,
      },
    ],
  },
  load: {
    admissions: { running: 1, waiting: 2, refused: 3 },
    requests: { requests: 4, clients: 5, refused: 6 },
  },
  notAnswered: {
    node: { code: 'TIMED_OUT', cause: null, knownAgoMs: 12_500 },
    store: null,
    pools: { code: 'LEDGER_UNAVAILABLE', cause: 'ECONNREFUSED', knownAgoMs: null },
  },
};
