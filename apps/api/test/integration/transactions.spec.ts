import request, { type Response } from 'supertest';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { BatchTooYoung } from '@sotto/relayer-core';
import { NoQuotesAvailable, SlippageTooTight } from '@sotto/market-core';
import {
  HASH,
  SUBMISSION_ID,
  attempt,
  refused,
  reverted,
  succeeded,
  undecided,
  unsigned,
} from './answers-fixture.js';
import { OPERATOR_TOKEN, testApp, type TestApp } from './test-app.js';

const LOCATION = `/api/relayer/submissions/${SUBMISSION_ID}`;

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const post = (
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): PromiseLike<Response> =>
  request(test.app)
    .post(path)
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(JSON.stringify(body));

describe('POST /api/relayer/withdraw', () => {
  it('passes the quote id of a withdrawal request to the use case, in dry runs too', async () => {
    const body = { poolAddress: '0xaa1', calldata: ['1'], quoteId: 'q-1' };
    await post('/api/relayer/withdraw', body);
    await post('/api/relayer/withdraw?dryRun=true', body);
    expect(test.useCases.submitted[0]?.quoteId).toBe('q-1');
    expect(test.useCases.dryRuns[0]?.quoteId).toBe('q-1');
  });

  it.each(['', 'a b', 'q'.repeat(65), 7, null])('rejects the quote id %j', async (quoteId) => {
    const response = await post('/api/relayer/withdraw', {
      poolAddress: '0xaa1',
      calldata: ['1'],
      quoteId,
    });
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('POST /api/relayer/deposit', () => {
  const path = '/api/relayer/deposit';
  const body = {
    poolAddress: '0x00AA1',
    commitment: '0x1f',
    depositor: '0x0D1',
    expiresAt: 1_792_000_000,
    signature: ['0x1', '2'],
  };

  it('with dryRun=true, only checks the deposit, with and without a signature', async () => {
    const { signature: _signature, ...unsigned } = body;
    test.useCases.report = {
      admissible: false,
      checks: [
        { check: 'balance', code: 'DEPOSIT_BALANCE_TOO_LOW', status: 'passed' },
        {
          check: 'ration',
          code: 'DEPOSITS_RATIONED',
          status: 'failed',
          detail: 'too many',
          details: { scope: 'pool' },
          retryAfterSeconds: 60,
        },
      ],
    };
    const before = Math.floor(Date.now() / 1_000);
    const { status, body: report } = await post(`${path}?dryRun=true`, unsigned);
    expect(status).toBe(200);
    expect(report).toEqual({
      admissible: false,
      checks: [
        { check: 'balance', code: 'DEPOSIT_BALANCE_TOO_LOW', status: 'passed' },
        {
          check: 'ration',
          code: 'DEPOSITS_RATIONED',
          status: 'failed',
          detail: 'too many',
          details: { scope: 'pool' },
          retry: 'same',
          retryAt: expect.any(Number),
        },
      ],
    });
    const { retryAt } = report.checks[1];
    expect(retryAt - before).toBeGreaterThanOrEqual(60);
    expect(retryAt - before).toBeLessThanOrEqual(63);
    await post(`${path}?dryRun=true`, body);
    expect(test.useCases.depositDryRuns).toMatchObject([
      { poolAddress: '0xaa1', commitment: 31n, depositor: '0xd1', signature: undefined },
      { expiresAtMs: 1_792_000_000_000, caller: { name: expect.any(String) } },
    ]);
    expect(test.useCases.depositDryRuns[1]?.signature?.toHex()).toEqual(['0x1', '0x2']);
    expect(test.useCases.deposits).toEqual([]);
  });

  it('rejects a deposit without a signature', async () => {
    const { signature: _signature, ...unsigned } = body;
    for (const query of ['', '?dryRun=false']) {
      const response = await post(`${path}${query}`, unsigned);
      expect([response.status, response.body]).toMatchObject([
        400,
        { code: 'INVALID_REQUEST', details: { issues: [{ path: 'body.signature' }] } },
      ]);
    }
    expect(test.useCases.deposits).toEqual([]);
  });

  it('passes the request and its caller to the use case', async () => {
    await post(path, body);
    const [requested] = test.useCases.deposits;
    expect(requested).toMatchObject({
      poolAddress: '0xaa1',
      commitment: 31n,
      depositor: '0xd1',
      expiresAtMs: 1_792_000_000_000,
      waitMs: 30_000,
      caller: { name: expect.any(String) },
    });
    expect(requested?.signature.toHex()).toEqual(['0x1', '0x2']);
  });

  it('returns leaf and batch of a successful deposit, and omits both while the outcome is unknown', async () => {
    const { status, body: answer, headers } = await post(path, body);
    expect([status, answer]).toEqual([
      200,
      {
        transaction_hash: HASH,
        execution_status: 'SUCCEEDED',
        revert_reason: null,
        leafIndex: 12,
        batch: { id: 4, start: 10, size: 3 },
      },
    ]);
    expect(headers['location']).toBe(LOCATION);
    test.useCases.answer = async () => unsigned;
    test.useCases.depositOutcome = { leafIndex: null, batch: null };
    const later = await post(path, body, { Prefer: 'respond-async' });
    expect([later.status, later.body]).toEqual([
      202,
      { transaction_hash: '0x0', execution_status: 'UNKNOWN', revert_reason: null },
    ]);
  });

  it.each([
    ['a commitment that is no number', { ...body, commitment: 'x' }],
    ['no signature', { ...body, signature: [] }],
    [
      'a signature that is too long',
      { ...body, signature: Array.from({ length: 129 }, () => '0x1') },
    ],
    ['a fraction of a second', { ...body, expiresAt: 1.5 }],
    ['a time beyond the clock’s range', { ...body, expiresAt: 2 ** 52 }],
    ['a depositor outside the field', { ...body, depositor: `0x${'f'.repeat(64)}` }],
    ['an unknown field', { ...body, recipient: '0x1' }],
  ])(
    'rejects a deposit with %s, and returns no part of the invalid field',
    async (_what, wrong) => {
      const { status, text } = await post(path, wrong);
      expect(status).toBe(400);
      expect(text).not.toContain('0D1');
      expect(test.useCases.deposits).toEqual([]);
    },
  );
});

describe('POST /api/relayer/deploy-batch', () => {
  const path = '/api/relayer/deploy-batch';
  const body = { poolAddress: '0x00AA1', count: 3 };

  it('passes pool, count and kind of a batch to the use case', async () => {
    await post(path, body);
    await post(path, { ...body, count: 1, partial: true });
    expect(test.useCases.batches).toEqual([
      expect.objectContaining({ poolAddress: '0xaa1', count: 3, partial: false, waitMs: 30_000 }),
      expect.objectContaining({ count: 1, partial: true }),
    ]);
  });

  it.each([
    ['SUCCEEDED', succeeded, null],
    ['REVERTED', reverted, 'unknown root'],
    ['UNKNOWN', undecided, null],
  ] as const)('responds to a batch request with the outcome %s', async (status, answer, reason) => {
    test.useCases.answer = async () => answer;
    const response = await post(path, body);
    expect([response.status, response.body]).toEqual([
      200,
      { transaction_hash: HASH, execution_status: status, revert_reason: reason },
    ]);
    expect(response.headers['location']).toBe(LOCATION);
  });

  it('responds 202 to a batch request whose caller prefers not to wait', async () => {
    test.useCases.answer = async () => unsigned;
    const response = await post(path, body, { Prefer: 'respond-async' });
    expect(response.status).toBe(202);
    expect(response.headers).toMatchObject({
      location: LOCATION,
      'preference-applied': 'respond-async',
      'retry-after': expect.any(String),
    });
    expect(test.useCases.batches[0]?.waitMs).toBe(0);
  });

  it.each([
    ['half a deposit', { ...body, count: 1.5 }],
    ['a count that is a string', { ...body, count: '3' }],
    ['no count', { poolAddress: '0xaa1' }],
    ['a count beyond every integer', { ...body, count: 1e300 }],
    ['a form that is no boolean', { ...body, partial: 'true' }],
    ['an unknown field', { ...body, force: true }],
  ])('rejects a batch request with %s', async (_name, wrong) => {
    const response = await post(path, wrong);
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(test.useCases.batches).toEqual([]);
  });

  it.each([
    ['an operator’s token', `Bearer ${OPERATOR_TOKEN}`, 'operator'],
    ['another token', `Bearer ${OPERATOR_TOKEN}x`, 'anyone'],
    ['something that is no token', OPERATOR_TOKEN, 'anyone'],
  ])(
    'S6: accepts a batch request from any caller, and passes the kind of caller to the use case: %s',
    async (_name, authorization, requester) => {
      expect(
        (await post(path, { ...body, count: 1, partial: true }, { Authorization: authorization }))
          .status,
      ).toBe(200);
      expect(test.useCases.batches).toMatchObject([{ requester }]);
    },
  );

  it('S6: rejects a batch with 422 and the time of the next possible batch', async () => {
    const details = { waiting: 2, readyAt: 1_792_000_000 };
    test.useCases.answer = async () => {
      throw new BatchTooYoung({ details });
    };
    const response = await post(path, { ...body, count: 1, partial: true });
    expect([response.status, response.body]).toMatchObject([
      422,
      { code: 'BATCH_TOO_YOUNG', details },
    ]);
  });

  it.each([0, -1, 4])(
    'passes a batch’s count %d to the use case without a check of the count',
    async (count) => {
      await post(path, { ...body, count });
      expect(test.useCases.batches[0]?.count).toBe(count);
    },
  );
});

describe('POST /api/relayer/private-swap', () => {
  const path = '/api/relayer/private-swap';
  const body = {
    wbtcPool: '0x00AA1',
    proofCalldata: ['0x01', '2'],
    newCommitment: '0x00ff',
    outputToken: '0x0E7',
  };

  it('passes canonical values of a swap to the use case, with 1 % slippage by default', async () => {
    await post(path, body);
    const [swap] = test.useCases.swaps;
    expect(swap).toMatchObject({
      wbtcPool: '0xaa1',
      newCommitment: 255n,
      outputToken: '0xe7',
      slippagePpm: 10_000,
      waitMs: 30_000,
    });
    expect(swap?.proofCalldata.toHex()).toEqual(['0x1', '0x2']);
  });

  it.each([
    [0.02, 20_000],
    [0.15, 150_000],
    [0.07, 70_000],
    [0.000001, 1],
    [0, 0],
    [-0.01, -10_000],
    [1e-9, 0],
  ])('converts a swap’s slippage %d to millionths: %d', async (slippage, ppm) => {
    await post(path, { ...body, slippage });
    expect(test.useCases.swaps[0]?.slippagePpm).toBeCloseTo(ppm, 10);
  });

  it('S4: a swap request with dryRun=true is only checked', async () => {
    const { status, body: report } = await post(`${path}?dryRun=true`, { ...body, quoteId: 'q-1' });
    expect([status, report]).toEqual([200, test.useCases.report]);
    expect(test.useCases.swaps).toEqual([]);
    expect(test.useCases.swapDryRuns).toMatchObject([
      { wbtcPool: '0xaa1', newCommitment: 255n, quoteId: 'q-1' },
    ]);
    await post(path, { ...body, quoteId: 'q-1' });
    expect(test.useCases.swaps).toMatchObject([{ quoteId: 'q-1' }]);
  });

  it('returns the slippage and the minimum output with which a swap was sent', async () => {
    await post(path, { ...body, minAmountOut: '0x10' });
    expect(test.useCases.swaps[0]?.minAmountOut).toBe(16n);
    test.useCases.swapInForce = { slippagePpm: 7_500, floor: 2n ** 70n };
    const response = await post(path, { ...body, minAmountOut: String(2n ** 70n) });
    expect(response.body).toMatchObject({ slippage: 0.0075, floor: String(2n ** 70n) });
    for (const minAmountOut of [5, '-1', '0', '0x0', '1.5', 'all', String(2n ** 256n)]) {
      expect((await post(path, { ...body, minAmountOut })).body).toMatchObject({
        code: 'INVALID_REQUEST',
        leafIndex: -1,
      });
    }
    expect(test.useCases.swaps).toHaveLength(2);
  });

  it.each([0.1500001, 0.15000000000000002, 1, 1e300])(
    'rejects a swap with the slippage %d',
    async (slippage) => {
      const response = await post(path, { ...body, slippage });
      expect([response.status, response.body.code, response.body.leafIndex]).toEqual([
        400,
        'SLIPPAGE_OUT_OF_RANGE',
        -1,
      ]);
      expect(test.useCases.swaps).toEqual([]);
    },
  );

  it('accepts any commitment below the order of the elliptic curve, in hex or decimal', async () => {
    const order = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
    await post(path, { ...body, newCommitment: String(order - 1n) });
    expect(test.useCases.swaps[0]?.newCommitment).toBe(order - 1n);
  });

  it('returns leaf and amount of a successful swap', async () => {
    const response = await post(path, body);
    expect(response.body).toEqual({
      transaction_hash: HASH,
      execution_status: 'SUCCEEDED',
      revert_reason: null,
      leafIndex: 12,
      outputAmount: '0xff',
    });
  });

  it('T3 responds 200 with leafIndex -1, outputAmount 0x0 and a note at risk for a reverted swap', async () => {
    test.useCases.answer = async () => reverted;
    test.useCases.swapOutcome = { leafIndex: -1, outputAmount: 0n, noteAtRisk: true };
    const response = await post(path, body);
    expect([response.status, response.body]).toEqual([
      200,
      {
        transaction_hash: HASH,
        execution_status: 'REVERTED',
        revert_reason: 'unknown root',
        leafIndex: -1,
        outputAmount: '0x0',
        noteAtRisk: { reason: 'PROOF_IS_PUBLIC', remedy: 'withdraw' },
      },
    ]);
  });

  it('never reports a swap as failed while its outcome is unknown', async () => {
    test.useCases.answer = async () => undecided;
    test.useCases.swapOutcome = { leafIndex: null, outputAmount: null, noteAtRisk: false };
    const response = await post(path, body);
    expect(response.body).toEqual({
      transaction_hash: HASH,
      execution_status: 'UNKNOWN',
      revert_reason: null,
    });
    expect(response.headers).toMatchObject({
      location: LOCATION,
      'retry-after': expect.any(String),
    });
  });

  it('responds 202 to a swap request whose caller prefers not to wait', async () => {
    test.useCases.answer = async () => unsigned;
    test.useCases.swapOutcome = { leafIndex: null, outputAmount: null, noteAtRisk: false };
    const response = await post(path, body, { Prefer: 'respond-async' });
    expect([response.status, response.headers['location']]).toEqual([202, LOCATION]);
    expect(test.useCases.swaps[0]?.waitMs).toBe(0);
  });

  it.each([
    [422, 'NO_QUOTES_AVAILABLE', new NoQuotesAvailable()],
    [422, 'SLIPPAGE_TOO_TIGHT', new SlippageTooTight()],
  ])('responds %d %s to a failed swap, with leafIndex -1', async (status, code, failure) => {
    test.useCases.answer = async () => {
      throw failure;
    };
    const response = await post(path, body);
    expect([response.status, response.body]).toEqual([
      status,
      {
        error: failure.message,
        code,
        retry: 'later',
        requestId: response.headers['x-request-id'],
        docs: `/docs/errors#${code}`,
        leafIndex: -1,
      },
    ]);
  });

  it.each([
    ['a body that is no JSON', '{', 'INVALID_JSON', 400],
    [
      'a body that is too large',
      JSON.stringify({ ...body, proofCalldata: ['0'.repeat(300_000)] }),
      'BODY_TOO_LARGE',
      413,
    ],
    [
      'a missing field',
      JSON.stringify({ ...body, newCommitment: undefined }),
      'INVALID_REQUEST',
      400,
    ],
    ['an amount for a token', JSON.stringify({ ...body, outputToken: 'ETH' }), 'INVALID_FELT', 400],
    [
      'a commitment that is text',
      JSON.stringify({ ...body, newCommitment: 'ff' }),
      'INVALID_REQUEST',
      400,
    ],
    ['a slippage in text', JSON.stringify({ ...body, slippage: '0.01' }), 'INVALID_REQUEST', 400],
  ])('returns leafIndex -1 for a swap request with %s', async (_name, text, code, status) => {
    const response = await request(test.app)
      .post(path)
      .set('Content-Type', 'application/json')
      .send(text);
    expect([response.status, response.body.code, response.body.leafIndex]).toEqual([
      status,
      code,
      -1,
    ]);
    expect(test.useCases.swaps).toEqual([]);
  });

  it('returns leafIndex -1 for a swap that ends with an unexpected error', async () => {
    test.useCases.answer = async () => {
      throw new Error('marker');
    };
    const response = await post(path, body);
    expect([response.status, response.body.code, response.body.leafIndex]).toEqual([
      500,
      'INTERNAL',
      -1,
    ]);
    expect(response.text).not.toContain('marker');
  });
});

describe('GET /api/relayer/submissions/{id}', () => {
  it('a submission’s response contains the finality of its outcome, and the outcome that a rollback of blocks removed', async () => {
    const outcome = { transactionHash: HASH, execution: 'SUCCEEDED', revertReason: null } as const;
    test.useCases.submissions.set(SUBMISSION_ID, {
      ...outcome,
      kind: 'executed',
      attempt: succeeded.attempt,
      finality: 'ACCEPTED_ON_L1',
    });
    expect((await request(test.app).get(LOCATION)).body).toMatchObject({
      finality: 'ACCEPTED_ON_L1',
      reorged: null,
    });

    const undone = {
      transactionHash: toFelt('0x9'),
      execution: 'SUCCEEDED',
      undoneAtMs: 5,
    } as const;
    test.useCases.submissions.set(SUBMISSION_ID, { ...undecided, attempt: { ...attempt, undone } });
    expect((await request(test.app).get(LOCATION)).body).toMatchObject({
      state: 'broadcast',
      execution_status: 'UNKNOWN',
      finality: null,
      reorged: { transaction_hash: '0x9', execution_status: 'SUCCEEDED' },
    });
  });

  it('a submission’s response contains leaf and amount of a private swap', async () => {
    test.useCases.submissions.set(SUBMISSION_ID, succeeded);
    test.useCases.described = { leafIndex: 3, outputAmount: 16n, noteAtRisk: false };
    const { body, headers } = await request(test.app).get(LOCATION);
    expect(body).toMatchObject({
      execution_status: 'SUCCEEDED',
      leafIndex: 3,
      outputAmount: '0x10',
    });
    expect(headers).not.toHaveProperty('retry-after');
  });

  it('a submission’s response omits leaf and amount of a swap while they are unknown', async () => {
    test.useCases.submissions.set(SUBMISSION_ID, succeeded);
    test.useCases.described = { leafIndex: null, outputAmount: null, noteAtRisk: false };
    const { body, headers } = await request(test.app).get(LOCATION);
    expect(body).not.toHaveProperty('leafIndex');
    expect(headers).toHaveProperty('retry-after');
  });

  it('T3 a reverted swap’s submission reports the note as at risk until the note is spent', async () => {
    test.useCases.submissions.set(SUBMISSION_ID, reverted);
    test.useCases.described = { leafIndex: -1, outputAmount: 0n, noteAtRisk: true };
    expect((await request(test.app).get(LOCATION)).body).toMatchObject({
      execution_status: 'REVERTED',
      noteAtRisk: { reason: 'PROOF_IS_PUBLIC', remedy: 'withdraw' },
    });
    test.useCases.described = { leafIndex: -1, outputAmount: 0n, noteAtRisk: false };
    expect((await request(test.app).get(LOCATION)).body).not.toHaveProperty('noteAtRisk');
  });

  it('a rejected swap’s submission reports no note at risk', async () => {
    test.useCases.submissions.set(SUBMISSION_ID, { ...refused, attempt });
    test.useCases.described = { leafIndex: -1, outputAmount: 0n, noteAtRisk: false };
    expect((await request(test.app).get(LOCATION)).body).toMatchObject({
      code: 'NULLIFIER_SPENT',
      leafIndex: -1,
      outputAmount: '0x0',
    });
  });
});
