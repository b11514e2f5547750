import { describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { API_KEY } from './paymaster-requests.js';
import { SUBMISSION_ID, succeeded, undecided } from './answers-fixture.js';
import { testApp, type TestApp } from './test-app.js';

const ACTION = {
  poolAddress: '0xaa1',
  calldata: ['1', '0x0Ab'],
  proofFacts: ['0x2', '3'],
  proof: 'c3R3bw==',
};
const LOCATION = `/api/relayer/submissions/${SUBMISSION_ID}`;

const post = (
  { app }: TestApp,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): PromiseLike<Response> =>
  request(app).post(`/api/relayer/private-action${query}`).set(headers).send(body);

describe('POST /api/relayer/private-action', () => {
  it('submits the action and returns its outcome', async () => {
    const test = await testApp();
    test.useCases.answer = async () => succeeded;
    const { status, body, headers } = await post(test, ACTION);
    expect([status, body]).toEqual([
      200,
      { transaction_hash: '0x5d2a', execution_status: 'SUCCEEDED', revert_reason: null },
    ]);
    expect(headers['location']).toBe(LOCATION);
    const [input] = test.useCases.privateActions.submitted;
    expect(input).toMatchObject({ poolAddress: '0xaa1', feeMode: 'default', waitMs: 30_000 });
    expect(input).not.toHaveProperty('sponsorKey');
    expect(input?.calldata.toHex()).toEqual(['0x1', '0xab']);
    expect(input?.proofFacts.toHex()).toEqual(['0x2', '0x3']);
    expect(Buffer.from(input?.proof ?? []).toString()).toBe('stwo');
  });

  it('answers 202 without a wait if the caller prefers it', async () => {
    const test = await testApp();
    test.useCases.answer = async () => undecided;
    const { status, body, headers } = await post(test, ACTION, { Prefer: 'respond-async' });
    expect([status, body.execution_status]).toEqual([202, 'UNKNOWN']);
    expect(headers).toMatchObject({
      location: LOCATION,
      'retry-after': '5',
      'preference-applied': 'respond-async',
    });
    expect(test.useCases.privateActions.submitted.map(({ waitMs }) => waitMs)).toEqual([0]);
  });

  it('only reports the checks of a dry run', async () => {
    const test = await testApp();
    test.useCases.report = {
      admissible: false,
      checks: [{ check: 'fee', code: 'FEE_TOO_LOW', status: 'failed', detail: 'too low' }],
    };
    const { status, body, headers } = await post(test, ACTION, {}, '?dryRun=true');
    expect([status, body]).toEqual([
      200,
      {
        admissible: false,
        checks: [
          {
            check: 'fee',
            code: 'FEE_TOO_LOW',
            status: 'failed',
            detail: 'too low',
            retry: 'new-quote',
          },
        ],
      },
    ]);
    expect(headers).not.toHaveProperty('location');
    expect(test.useCases.privateActions.submitted).toEqual([]);
    expect(test.useCases.privateActions.dryRuns).toHaveLength(1);
  });

  it('passes on the fee mode and the key of the sponsor', async () => {
    const test = await testApp();
    for (const feeMode of ['sponsored', 'sponsored_private'])
      await post(test, { ...ACTION, feeMode }, { 'x-paymaster-api-key': API_KEY });
    expect(test.useCases.privateActions.submitted).toEqual([
      expect.objectContaining({ feeMode: 'sponsored', sponsorKey: API_KEY }),
      expect.objectContaining({ feeMode: 'sponsored_private', sponsorKey: API_KEY }),
    ]);
    expect(test.logged.join('')).not.toContain(API_KEY);
  });

  it('adds the webhook endpoint that the caller names', async () => {
    const test = await testApp();
    await post(test, ACTION, { 'sotto-notify': 'till' });
    expect(test.useCases.notified).toEqual([[SUBMISSION_ID, 'till']]);
  });

  it('accepts an action without a proof', async () => {
    const test = await testApp();
    const { proof: _proof, ...unproven } = ACTION;
    expect((await post(test, unproven)).status).toBe(200);
    expect(test.useCases.privateActions.submitted.map(({ proof }) => proof.length)).toEqual([0]);
  });

  it.each([
    ['body.proof', { proof: 'c3R3bw' }],
    ['body.proof', { proof: 'c3R3bx==' }],
    ['body.proof', { proof: 'c3R3\nbw==' }],
    ['body.proofFacts', { proofFacts: [] }],
    ['body.calldata', { calldata: undefined }],
    ['body.feeMode', { feeMode: 'free' }],
  ])('rejects an invalid request and names its field: %s', async (path, change) => {
    const test = await testApp();
    const { status, body } = await post(test, { ...ACTION, ...change });
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.details.issues).toEqual([{ path, message: expect.any(String) }]);
    expect(test.useCases.privateActions.submitted).toEqual([]);
  });

  it.each([
    ['body.poolAddress', { poolAddress: 'x' }],
    ['body.calldata.1', { calldata: ['1', '-1'] }],
    ['body.proofFacts.0', { proofFacts: [`0x${'f'.repeat(64)}`] }],
  ])('rejects a text that is no felt: %s', async (path, change) => {
    const { status, body } = await post(await testApp(), { ...ACTION, ...change });
    expect([status, body.code, body.details]).toEqual([400, 'INVALID_FELT', { path }]);
  });

  it('rejects a body above 4 MiB', async () => {
    const { status, body } = await post(await testApp(), {
      ...ACTION,
      proof: 'A'.repeat(4 * 1_024 * 1_024),
    });
    expect([status, body.code, body.details]).toEqual([
      413,
      'BODY_TOO_LARGE',
      { limitBytes: 4_194_304 },
    ]);
  });
});
