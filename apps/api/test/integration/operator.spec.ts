import { describe, expect, it } from '@jest/globals';
import { REASONS } from '@sotto/facts';
import { PoolNotSupported, LaneNotFound } from '@sotto/relayer-core';
import request, { type Response } from 'supertest';
import { signedStatus } from './operator-fixture.js';
import { OPERATOR_TOKEN, testApp, type TestApp } from './test-app.js';

const as = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
const control = ({ app }: TestApp, what: string, body?: object): PromiseLike<Response> =>
  request(app).post(`/api/operator/pools/${what}`).set(as).send(body);

const TOLD_LANE = {
  address: '0x7a1e5f',
  role: 'relay',
  state: 'paused',
  reason: 'a change of keys',
  openNonces: 1,
  configured: true,
  retiring: false,
  paused: 'a change of keys',
  quarantine: null,
  nonce: '7',
  balanceFri: String(2n ** 80n),
};

describe('the operator’s routes', () => {
  it('an operator can pause a pool by its key or its address, with a reason', async () => {
    const test = await testApp();
    expect((await control(test, 'sentinel_1x/pause', { reason: '  upgrade ' })).status).toBe(200);
    expect((await control(test, '0X00AA1/pause', { reason: 'upgrade' })).status).toBe(200);
    expect((await control(test, 'sentinel_1x/resume')).status).toBe(200);
    expect(test.useCases.controls).toEqual([
      ['sentinel_1x', 'upgrade'],
      ['0xaa1', 'upgrade'],
      ['sentinel_1x', null],
    ]);
  });

  it('the response to a pause or resume of a pool contains the pool’s state, with amounts as text', async () => {
    const { body } = await control(await testApp(), 'sentinel_1x/resume');
    expect(body).toEqual({
      key: 'sentinel_1x',
      address: expect.stringMatching(/^0x/),
      withdrawals: { state: 'paused', cause: 'operator', reason: 'upgrade', until: null },
      batches: { state: 'exhausted', cause: 'all', reason: null, until: 1_800_000_001 },
      strict: true,
      money: {
        earned: String(2n ** 70n),
        earnedFri: String(2n ** 100n),
        spentFri: String(2n ** 90n),
        reservedFri: '0',
        succeeded: 3,
        reverted: 1,
        unsent: 2,
        losses: 1,
        lostFri: String(2n ** 80n),
      },
    });
  });

  it.each([
    ['no reason', {}],
    ['an empty reason', { reason: '  ' }],
    ['a reason that is too long', { reason: 'x'.repeat(201) }],
    ['an unknown field', { reason: 'upgrade', until: 5 }],
  ])('an operator’s pool pause with %s is rejected', async (_, body) => {
    const test = await testApp();
    const answer = await control(test, 'sentinel_1x/pause', body);
    expect([answer.status, answer.body.code, test.useCases.controls]).toEqual([
      400,
      'INVALID_REQUEST',
      [],
    ]);
  });

  it('a pause or resume of an unknown pool is rejected', async () => {
    const test = await testApp();
    test.useCases.control = async () => {
      throw new PoolNotSupported();
    };
    const answer = await control(test, 'unknown/resume');
    expect([answer.status, answer.body.code]).toEqual([404, 'POOL_NOT_SUPPORTED']);
  });

  it('the operator’s status contains balances and nonces of lanes, alerts, money and load', async () => {
    const { app } = await testApp();
    const { status, body } = await request(app).get('/api/operator/status').set(as);
    expect(status).toBe(200);
    expect(body).toEqual({
      lanes: [
        TOLD_LANE,
        {
          address: '0x7a1e60',
          role: 'curator',
          state: 'quarantined',
          reason: 'LEDGER_BEHIND_CHAIN',
          openNonces: 3,
          configured: false,
          retiring: true,
          paused: null,
          quarantine: { cause: 'behind', until: '40', since: 1_800_000_000, taking: true },
          nonce: null,
          balanceFri: null,
        },
      ],
      ledger: {
        state: 'LEDGER_BEHIND_CHAIN',
        chainId: '0x534e5f4d41494e',
        genesisHash: '0x47c3',
        lastBlock: 812,
      },
      audit: {
        lastBlock: 9,
        behindBlocks: 3,
        completedSecondsAgo: 2,
        findings: expect.objectContaining({ FOREIGN: 1, ATTEMPT_PAID_TWICE: 0 }),
        problem: 'NODE_UNAVAILABLE',
      },
      alarms: {
        foreignTransactions: 1,
        reopenedNonces: 2,
        reopenedFinalNonces: 5,
        disprovedRefusals: 3,
        sharedInstanceIds: 4,
      },
      nodes: [
        {
          name: 'node-0',
          up: false,
          score: 0,
          inUse: false,
          headBlock: 811,
          headAgeSeconds: 61.4,
          chainOk: true,
          lastErrorCode: 'ECONNREFUSED',
          disagreements: ['head'],
        },
      ],
      refusalsBelieved: false,
      clockSkewSeconds: { store: -1.234, chain: null },
      lastLookAt: 1_800_000_000,
      attention: [
        {
          lane: '0x7a1e5f',
          nonce: '6',
          submission: 'public-id',
          state: 'broadcast',
          forSeconds: 400,
          passedByChain: true,
          unwanted: 'DEADLINE_PASSED',
          transactions: [
            {
              hash: '0x4a5',
              kind: 'call',
              sends: 2,
              lastSentSecondsAgo: 30,
              dead: true,
              gone: 'lost',
              seen: 'unknown',
            },
          ],
        },
      ],
      notAnswered: [
        { part: 'node', code: 'TIMED_OUT', cause: null, knownSecondsAgo: 12.5 },
        {
          part: 'pools',
          code: 'LEDGER_UNAVAILABLE',
          cause: 'ECONNREFUSED',
          knownSecondsAgo: null,
        },
      ],
      pools: [expect.objectContaining({ key: 'sentinel_1x' })],
      keeper: { alerts: [], tasks: [expect.objectContaining({ task: 'curator' })] },
      build: { version: '0.1.0', commit: '0123abc' },
      verdict: {
        asOf: 1_800_000_000,
        reasons: [
          {
            code: 'STORE_NOT_WRITABLE',
            meaning: REASONS.STORE_NOT_WRITABLE,
            component: 'store',
            details: { error: 'LEDGER_UNAVAILABLE', cause: 'ENOSPC' },
            since: 1_799_999_990,
          },
        ],
        pools: [
          {
            key: 'sentinel_1x',
            address: '0x5e47',
            canWithdraw: false,
            reasons: [
              {
                code: 'POOL_PAUSED',
                meaning: REASONS.POOL_PAUSED,
                component: 'breakers',
                details: { cause: 'operator' },
                since: 1_799_999_980,
              },
            ],
          },
        ],
        warnings: [
          {
            code: 'NODES_DISAGREE',
            meaning: REASONS.NODES_DISAGREE,
            component: 'nodes',
            details: { nodes: 'node-1', what: 'head' },
            since: 1_799_999_990,
          },
        ],
      },
      load: {
        admissions: { running: 1, waiting: 2, refused: 3 },
        requests: { requests: 4, clients: 5, refused: 6 },
      },
    });
  });
});

const lanes = ({ app }: TestApp, what: string, body?: object): PromiseLike<Response> =>
  request(app).post(`/api/operator/lanes/${what}`).set(as).send(body);

describe('the operator’s control of one account', () => {
  it('an operator pauses and resumes a lane by its address, and receives the lane’s state', async () => {
    const test = await testApp();
    const paused = await lanes(test, '0X007A1E5F/pause', { reason: ' a change of keys ' });
    expect([paused.status, paused.body]).toEqual([200, TOLD_LANE]);
    expect((await lanes(test, '8003167/resume')).status).toBe(200);
    expect(test.useCases.laneControls).toEqual([
      ['0x7a1e5f', 'a change of keys'],
      ['0x7a1e5f', null],
    ]);
  });

  it('a pause or resume of an unknown lane is rejected', async () => {
    const test = await testApp();
    test.useCases.laneControl = async () => {
      throw new LaneNotFound();
    };
    const answer = await lanes(test, '0x1/resume');
    expect([answer.status, answer.body.code]).toEqual([404, 'LANE_NOT_FOUND']);
  });

  it.each([
    ['no address', 'not-a-felt/resume', undefined, 'INVALID_FELT'],
    ['no reason', '0x7a1e5f/pause', {}, 'INVALID_REQUEST'],
    ['an empty reason', '0x7a1e5f/pause', { reason: ' ' }, 'INVALID_REQUEST'],
  ])('a pause or resume of a lane with %s is rejected', async (_, what, body, code) => {
    const test = await testApp();
    const answer = await lanes(test, what, body);
    expect([answer.status, answer.body.code, test.useCases.laneControls]).toEqual([400, code, []]);
  });

  it('a pause or resume of a lane requires an operator’s API token', async () => {
    const { app } = await testApp();
    expect((await request(app).post('/api/operator/lanes/0x7a1e5f/resume')).status).toBe(401);
  });
});

describe('GET /status', () => {
  it('the route /status returns the signed status unchanged, cacheable for 5 s', async () => {
    const { app } = await testApp();
    const { status, body, headers } = await request(app).get('/status');
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=5']);
    // The reply must not lose a signed field.
    expect(body).toEqual(signedStatus);
  });
});
