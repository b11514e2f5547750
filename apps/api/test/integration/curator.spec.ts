import { beforeEach, describe, expect, it } from '@jest/globals';
import { retryOf } from '@sotto/facts';
import {
  DeploymentExpired,
  DeploymentRefused,
  DeploymentReverted,
  VaultNotFound,
} from '@sotto/curator-core';
import type { DomainError } from '@sotto/kernel';
import request, { type Response } from 'supertest';
import { HASH, SUBMISSION_ID } from './answers-fixture.js';
import { CURATOR_TOKEN, testApp, type TestApp } from './test-app.js';

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const post = (body: object): PromiseLike<Response> =>
  request(test.app).post('/api/curator').set('Authorization', `Bearer ${CURATOR_TOKEN}`).send(body);
const deploy = (): PromiseLike<Response> => post({ vaultId: 'sentinel' });

function failWith(failure: DomainError): void {
  test.useCases.deploy = async () => {
    throw failure;
  };
}

describe('POST /api/curator', () => {
  it('returns the transaction hash and the amount of a vault deployment', async () => {
    const amountSats = 2n ** 64n;
    test.useCases.deploy = async () => ({
      status: 'deployed',
      submissionId: SUBMISSION_ID,
      transactionHash: HASH,
      amountSats,
    });
    const { status, body } = await deploy();
    expect(status).toBe(200);
    expect(body).toStrictEqual({ status: 'deployed', tx: HASH, amount: '18446744073709551616' });
    expect(test.useCases.deployments).toEqual([
      expect.objectContaining({ vaultId: 'sentinel', waitMs: 30_000 }),
    ]);
  });

  it('a dry run of a vault deployment returns amount and gas, and deploys nothing', async () => {
    test.useCases.tryDeployment = async () => ({
      status: 'deployable',
      method: 'deploy_to_lending',
      amountSats: 2n ** 64n,
      gas: { l2Gas: 3_000_000n, l1Gas: 0n, l1DataGas: 640n },
      costFri: 24n * 10n ** 15n,
    });
    test.useCases.deploy = async () => {
      throw new Error('a dry run deployed');
    };
    const { status, body } = await request(test.app)
      .post('/api/curator?dryRun=true')
      .set('Authorization', `Bearer ${CURATOR_TOKEN}`)
      .send({ vaultId: 'sentinel' });
    expect([status, body]).toStrictEqual([
      200,
      {
        dryRun: true,
        status: 'deployable',
        method: 'deploy_to_lending',
        amount: '18446744073709551616',
        gas: { l2Gas: 3_000_000, l1Gas: 0, l1DataGas: 640, costFri: '24000000000000000' },
      },
    ]);
  });

  it('a dry run of a vault deployment requires the API token too', async () => {
    const { status } = await request(test.app)
      .post('/api/curator?dryRun=true')
      .send({ vaultId: 'sentinel' });
    expect(status).toBe(401);
    expect(test.useCases.deployments).toEqual([]);
  });

  it('returns only the status no_idle_funds if the vault has nothing to deploy', async () => {
    const { status, body } = await deploy();
    expect([status, body]).toStrictEqual([200, { status: 'no_idle_funds' }]);
  });

  it.each([
    [HASH, { submissionId: SUBMISSION_ID, transactionHash: HASH }],
    [null, { submissionId: SUBMISSION_ID }],
  ])(
    'a vault deployment with an unknown outcome is reported neither as deployed nor as failed: hash %s',
    async (transactionHash, details) => {
      test.useCases.deploy = async () => ({
        status: 'undecided',
        submissionId: SUBMISSION_ID,
        transactionHash,
        amountSats: 5n,
      });
      const { status, body, headers } = await deploy();
      expect(status).toBe(504);
      expect(body).toMatchObject({
        error: expect.stringContaining('not known yet'),
        code: 'DEPLOYMENT_UNDECIDED',
        details,
      });
      expect(body).not.toHaveProperty('status');
      expect(headers).toMatchObject({ 'retry-after': '5' });
    },
  );

  it.each([
    [new VaultNotFound(), 404, {}],
    [
      new DeploymentReverted({ details: { transactionHash: HASH, reason: 'paused' } }),
      502,
      { details: { transactionHash: HASH, reason: 'paused' } },
    ],
    [
      new DeploymentRefused({ details: { refusal: 'INSUFFICIENT_BALANCE' } }),
      502,
      { details: { refusal: 'INSUFFICIENT_BALANCE' } },
    ],
    [
      new DeploymentExpired({ details: { refusal: 'DEADLINE' } }),
      503,
      { details: { refusal: 'DEADLINE' } },
    ],
  ])(
    'reports the message of a failed vault deployment in the field `error`: %s',
    async (failure, status, more) => {
      failWith(failure);
      const response = await deploy();
      expect(response.status).toBe(status);
      expect(response.body).toEqual({
        error: failure.message,
        code: failure.code,
        retry: retryOf(failure.code),
        requestId: response.headers['x-request-id'],
        docs: `/docs/errors#${failure.code}`,
        ...more,
      });
    },
  );

  it.each([
    ['no field', {}],
    ['an empty name', { vaultId: '' }],
    ['a name that is a number', { vaultId: 1 }],
    ['an unknown field', { vaultId: 'sentinel', amount: '1' }],
  ])('rejects the body of a vault deployment with %s', async (_name, body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', error: expect.any(String) },
    });
    expect(test.useCases.deployments).toEqual([]);
  });

  it('logs the name of the API token’s holder, but no part of the API token', async () => {
    await deploy();
    await request(test.app)
      .post('/api/curator')
      .set('Authorization', 'Bearer marker-wrong')
      .send({ vaultId: 'sentinel' });
    const lines = test.logged.map((line): unknown => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({ route: '/api/curator', status: 200, holder: 'keeper' }),
      expect.objectContaining({ route: '/api/curator', status: 401, code: 'CURATOR_UNAUTHORIZED' }),
    ]);
    expect(lines[1]).not.toHaveProperty('holder');
    expect(test.logged.join('')).not.toContain('marker');
  });
});
