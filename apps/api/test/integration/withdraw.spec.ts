import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { retryOf } from '@sotto/facts';
import {
  FeeTooLow,
  ProofInvalid,
  SubmissionExpired,
  SubmissionRefused,
  WithdrawalInProgress,
  WithdrawalNotFound,
} from '@sotto/relayer-core';
import { PriceUnavailable } from '@sotto/market-core';
import { LedgerUnavailable } from '@sotto/submission-core';
import request, { type Response } from 'supertest';
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
import { testApp, withServer, type TestApp } from './test-app.js';

const body = { poolAddress: '0x00AA1', calldata: ['0x0001', '255'] };
const LOCATION = `/api/relayer/submissions/${SUBMISSION_ID}`;

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const withdraw = (
  headers: Readonly<Record<string, string>> = {},
  query = '',
): PromiseLike<Response> =>
  request(test.app).post(`/api/relayer/withdraw${query}`).set(headers).send(body);

const lookUp = (sent: object = body): PromiseLike<Response> =>
  request(test.app).post('/api/relayer/submissions/lookup').send(sent);

const read = (): PromiseLike<Response> => request(test.app).get(LOCATION);

describe('POST /api/relayer/withdraw', () => {
  it('passes the canonical felts of a withdrawal and the configured waiting time to the use case', async () => {
    await withdraw();
    const [input] = test.useCases.submitted;
    expect(input?.poolAddress).toBe('0xaa1');
    expect(input?.calldata.toHex()).toEqual(['0x1', '0xff']);
    expect(input?.waitMs).toBe(30_000);
  });

  it('accepts a withdrawal whose content type has parameters', async () => {
    const response = await request(test.app)
      .post('/api/relayer/withdraw')
      .set('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body));
    expect(response.status).toBe(200);
  });

  it.each([
    [
      'SUCCEEDED',
      succeeded,
      { transaction_hash: HASH, execution_status: 'SUCCEEDED', revert_reason: null },
    ],
    [
      'REVERTED',
      reverted,
      { transaction_hash: HASH, execution_status: 'REVERTED', revert_reason: 'unknown root' },
    ],
  ] as const)(
    'responds 200 with a Location and no retry delay if the withdrawal’s transaction %s',
    async (_status, answer, expected) => {
      test.useCases.answer = async () => answer;
      const response = await withdraw();
      expect(response.status).toBe(200);
      expect(response.body).toEqual(expected);
      expect(response.headers['location']).toBe(LOCATION);
      expect(response.headers).not.toHaveProperty('retry-after');
    },
  );

  it.each([
    ['with the signed hash', undecided, HASH],
    ['with 0x0 before there is a hash', unsigned, '0x0'],
  ] as const)(
    'responds to a withdrawal with 200, UNKNOWN %s, a Location and a retry delay',
    async (_name, answer, hash) => {
      test.useCases.answer = async () => answer;
      const response = await withdraw();
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        transaction_hash: hash,
        execution_status: 'UNKNOWN',
        revert_reason: null,
      });
      expect(response.headers['location']).toBe(LOCATION);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  it.each(['respond-async', 'RESPOND-ASYNC', 'wait=10, respond-async', 'respond-async; foo=bar'])(
    'responds 202 to a withdrawal without waiting if the caller’s preference is "%s"',
    async (prefer) => {
      test.useCases.answer = async () => unsigned;
      const response = await withdraw({ Prefer: prefer });
      expect(response.status).toBe(202);
      expect(test.useCases.submitted[0]?.waitMs).toBe(0);
      expect(response.body).toEqual({
        transaction_hash: '0x0',
        execution_status: 'UNKNOWN',
        revert_reason: null,
      });
      expect(response.headers).toMatchObject({
        location: LOCATION,
        'preference-applied': 'respond-async',
        'retry-after': expect.any(String),
      });
    },
  );

  it('responds 200 to a caller that prefers not to wait if the outcome is already known', async () => {
    const response = await withdraw({ Prefer: 'respond-async' });
    expect(response.status).toBe(200);
    expect(response.body.execution_status).toBe('SUCCEEDED');
  });

  it('waits for a withdrawal’s outcome if the caller states other preferences than respond-async', async () => {
    test.useCases.answer = async () => undecided;
    expect((await withdraw({ Prefer: 'respond-asynchronously, return=minimal' })).status).toBe(200);
    expect(test.useCases.submitted[0]?.waitMs).toBe(30_000);
  });

  it.each([
    [422, 'FEE_TOO_LOW', new FeeTooLow({ details: { offered: '1', required: '2' } }), undefined],
    [
      422,
      'SUBMISSION_REFUSED',
      new SubmissionRefused({ details: { refusal: 'NULLIFIER_SPENT' } }),
      undefined,
    ],
    [
      503,
      'SUBMISSION_EXPIRED',
      new SubmissionExpired({ details: { refusal: 'NOT_SENT_IN_TIME' } }),
      undefined,
    ],
    [503, 'PRICE_UNAVAILABLE', new PriceUnavailable({ retryAfterSeconds: 29.5 }), '30'],
    [
      503,
      'LEDGER_UNAVAILABLE',
      new LedgerUnavailable({ message: 'the store is closed' }),
      undefined,
    ],
  ])('responds %s %s to the use case’s error', async (status, code, failure, retryAfter) => {
    test.useCases.answer = async () => {
      throw failure;
    };
    const response = await withdraw();
    expect(response.status).toBe(status);
    expect(response.body).toEqual({
      error: failure.message,
      code,
      retry: retryOf(code),
      ...(failure.retryAfterSeconds === undefined ? {} : { retryAt: expect.any(Number) }),
      requestId: response.headers['x-request-id'],
      docs: `/docs/errors#${code}`,
      ...(Object.keys(failure.details).length === 0 ? {} : { details: failure.details }),
    });
    expect(response.headers['retry-after']).toBe(retryAfter);
  });

  it('S12: a withdrawal of a reserved note gets the id of the submission that reserves the note', async () => {
    test.useCases.answer = async () => {
      throw new WithdrawalInProgress({
        details: { submissionId: 'the-other' },
        retryAfterSeconds: 5,
      });
    };
    const response = await withdraw();
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      code: 'WITHDRAWAL_IN_PROGRESS',
      details: { submissionId: 'the-other' },
    });
    expect(response.headers).toMatchObject({
      location: '/api/relayer/submissions/the-other',
      'retry-after': '5',
    });
  });

  it('responds 500 without details if a use case has a bug, and logs the bug', async () => {
    test.useCases.answer = async () => {
      throw new TypeError('marker is not a function');
    };
    const response = await withdraw();
    expect(response.status).toBe(500);
    expect(response.body).toEqual({
      error: 'internal error',
      code: 'INTERNAL',
      retry: 'never',
      requestId: response.headers['x-request-id'],
      docs: '/docs/errors#INTERNAL',
    });
    const line = test.logged.find((text) => text.includes('request failed unexpectedly')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      requestId: response.body.requestId,
      error: { name: 'TypeError', message: 'marker is not a function' },
    });
  });

  it('returns the report of a dry run without submitting the withdrawal', async () => {
    const checks = [
      { check: 'pool_served', code: 'POOL_NOT_SUPPORTED', status: 'passed' },
      {
        check: 'fee_covers_cost',
        code: 'FEE_TOO_LOW',
        status: 'failed',
        detail: 'too low',
        details: { offered: '1' },
      },
      { check: 'simulation', code: 'SIMULATION_REVERTED', status: 'skipped' },
    ] as const;
    test.useCases.report = { admissible: false, checks: checks };
    const response = await withdraw({}, '?dryRun=true');
    expect(response.status).toBe(200);
    const [passed, failed, skipped] = checks;
    expect(response.body).toEqual({
      admissible: false,
      checks: [passed, { ...failed, retry: 'new-quote' }, skipped],
    });
    expect(response.headers).not.toHaveProperty('location');
    expect(test.useCases.submitted).toEqual([]);
    expect(test.useCases.dryRuns).toHaveLength(1);
  });

  it('submits a withdrawal with the query dryRun=false', async () => {
    expect((await withdraw({}, '?dryRun=false')).body.execution_status).toBe('SUCCEEDED');
    expect(test.useCases.dryRuns).toEqual([]);
  });

  it('a caller that disconnects ends only its own wait for a withdrawal', async () => {
    const events = new EventEmitter();
    const started = once(events, 'started');
    const gone = once(events, 'gone');
    test.useCases.answer = async ({ signal }) => {
      if (signal === undefined) throw new Error('no signal was given');
      events.emit('started', signal.aborted);
      await once(signal, 'abort');
      events.emit('gone');
      return undecided;
    };
    await withServer(test.app, async (url) => {
      const caller = new AbortController();
      const answer = fetch(`${url}/api/relayer/withdraw`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: caller.signal,
      });
      expect(await started).toEqual([false]);
      caller.abort();
      await expect(answer).rejects.toThrow('aborted');
      await gone;
    });
    expect(test.logged.map((line) => JSON.parse(line).message)).toEqual([
      'submission accepted',
      'request',
    ]);
  });
});

describe('S12: POST /api/relayer/submissions/lookup', () => {
  it.each([
    ['succeeded', succeeded, 'SUCCEEDED'],
    ['in flight', undecided, 'UNKNOWN'],
    ['rejected', refused, null],
  ] as const)(
    'the lookup of a submission that is %s returns the same body as the submission’s route',
    async (_name, answer, status) => {
      test.useCases.submissions.set(SUBMISSION_ID, answer);
      const [found, page] = [await lookUp(), await read()];
      expect([found.status, found.headers['location'], found.body.execution_status]).toEqual([
        200,
        LOCATION,
        status,
      ]);
      expect(found.body).toEqual(page.body);
      expect(found.headers['retry-after']).toBe(page.headers['retry-after']);
      expect(test.useCases.submitted).toEqual([]);
    },
  );

  it('passes the canonical felts of a submission’s lookup to the use case', async () => {
    test.useCases.submissions.set(SUBMISSION_ID, succeeded);
    await lookUp();
    const [requested] = test.useCases.lookedUp;
    expect([requested?.pool, requested?.calldata.toHex()]).toEqual(['0xaa1', ['0x1', '0xff']]);
  });

  it.each([
    [404, 'WITHDRAWAL_NOT_FOUND', new WithdrawalNotFound()],
    [422, 'PROOF_INVALID', new ProofInvalid()],
  ] as const)(
    'responds %s %s to a failed lookup of a submission, without a Location',
    async (status, code, failure) => {
      test.useCases.submission = () => {
        throw failure;
      };
      const response = await lookUp();
      expect([response.status, response.body.code, response.headers['location']]).toEqual([
        status,
        code,
        undefined,
      ]);
    },
  );

  it('rejects a quote id in a lookup of a submission', async () => {
    expect((await lookUp({ ...body, quoteId: 'q' })).body.code).toBe('INVALID_REQUEST');
  });
});

describe('GET /api/relayer/submissions/{id}', () => {
  it.each([
    [
      'succeeded',
      succeeded,
      {
        state: 'succeeded',
        transaction_hash: HASH,
        execution_status: 'SUCCEEDED',
        finality: 'ACCEPTED_ON_L2',
        progress: 'accepted',
      },
    ],
    [
      'reverted and not final yet',
      reverted,
      {
        state: 'broadcast',
        transaction_hash: HASH,
        execution_status: 'REVERTED',
        revert_reason: 'unknown root',
        finality: 'PRE_CONFIRMED',
        progress: 'preconfirmed',
      },
    ],
    [
      'in flight',
      undecided,
      { state: 'broadcast', transaction_hash: HASH, execution_status: 'UNKNOWN' },
    ],
    ['not signed yet', unsigned, { state: 'accepted', execution_status: 'UNKNOWN' }],
    ['rejected', refused, { state: 'refused', progress: 'settled', code: 'NULLIFIER_SPENT' }],
  ] as const)(
    'returns a submission that is %s, without private fields',
    async (_name, answer, expected) => {
      test.useCases.submissions.set(SUBMISSION_ID, answer);
      const response = await read();
      expect(response.status).toBe(200);
      const nothing = {
        transaction_hash: null,
        execution_status: null,
        revert_reason: null,
        finality: null,
        progress: 'received',
        reorged: null,
        code: null,
      };
      expect(response.body).toEqual({
        id: SUBMISSION_ID,
        attempt: attempt.attempt,
        ...nothing,
        ...expected,
      });
      expect(response.headers['retry-after'] !== undefined).toBe(
        response.body.execution_status === 'UNKNOWN',
      );
      expect(response.text).not.toMatch(/marker|deadbeef/);
    },
  );

  it('responds 404 for an unknown submission id', async () => {
    const response = await read();
    expect(response.status).toBe(404);
    expect(response.body.code).toBe('SUBMISSION_NOT_FOUND');
  });

  it('O9: logs no request URL, and logs a submission’s id only at the debug level', async () => {
    test.useCases.submissions.set(SUBMISSION_ID, succeeded);
    await read();
    expect(test.logged).toHaveLength(1);
    expect(JSON.parse(test.logged[0] ?? '{}')).toMatchObject({
      level: 'debug',
      method: 'GET',
      route: '/api/relayer/submissions/:id',
      status: 200,
      submission: SUBMISSION_ID,
      transactionHash: expect.stringMatching(/^0x/),
    });
    expect(test.logged.join('')).not.toContain(`/submissions/${SUBMISSION_ID}`);
  });
});
