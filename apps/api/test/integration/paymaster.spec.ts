import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { toFelt } from '@sotto/kernel';
import {
  SUBMISSION_ID,
  attempt,
  refused,
  reverted,
  succeeded,
  undecided,
  unsigned,
} from './answers-fixture.js';
import {
  API_KEY,
  APPLY_ACTIONS,
  answerOf,
  builds,
  executes,
  post,
  rpc,
  trackingOf,
} from './paymaster-requests.js';
import { STRK } from './private-actions-fixture.js';
import { testApp } from './test-app.js';

/** Tracking id of {@link SUBMISSION_ID}: the same bits as a number. */
const TRACKING_ID = '0x6f6738fae9e0b9eb2c69b95efa277e00';

/** Returns a change of the action: another call. */
const call = (change: object) => ({
  apply_actions_call: { to: '0xaa1', selector: APPLY_ACTIONS, calldata: ['0x1'], ...change },
});

const unreadable = (field: string): unknown => [-32_602, expect.stringContaining(field)];

describe('POST /paymaster', () => {
  it('returns the availability of the pool and the readiness of the service', async () => {
    const test = await testApp();
    const both = async () => [
      await answerOf(test, rpc('paymaster_isAvailable')),
      await answerOf(test, rpc('paymaster_health')),
    ];
    expect(await both()).toEqual([true, true]);
    test.useCases.privateActions.available = false;
    expect(await both()).toEqual([false, true]);
    test.useCases.ready = false;
    expect(await both()).toEqual([false, false]);
  });

  it('lists the tokens of fees with their prices in fri', async () => {
    expect(await answerOf(await testApp(), rpc('paymaster_getSupportedTokens'))).toEqual([
      { token_address: STRK, decimals: 18, price_in_strk: '0xde0b6b3a7640000' },
      { token_address: '0x8001', decimals: 6, price_in_strk: '0x15af1d78b58c40000' },
    ]);
  });

  it('rejects a method that does not exist, and names the methods', async () => {
    expect(await answerOf(await testApp(), rpc('paymaster_none'))).toEqual([
      -32_601,
      expect.stringContaining('paymaster_executeTransaction'),
    ]);
  });

  it('rejects a batch', async () => {
    const { status, body } = await post(await testApp(), [rpc('paymaster_isAvailable')]);
    expect([status, body.id, body.error.code]).toEqual([200, null, -32_600]);
  });

  it('allows the header of the sponsor’s key in preflight requests', async () => {
    const { app } = await testApp({ app: { corsOrigins: ['*'] } });
    const { status, headers } = await request(app).options('/paymaster').set({
      Origin: 'https://wallet.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-paymaster-api-key',
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(headers['access-control-allow-headers']).toContain('x-paymaster-api-key');
  });
});

describe('paymaster_buildTransaction', () => {
  it('returns the fee and the withdrawal that pays it', async () => {
    const test = await testApp();
    expect(await answerOf(test, builds())).toEqual({
      type: 'apply_action',
      parameters: { version: '0x1', fee_mode: { mode: 'default', gas_token: '0x8001' } },
      fee: {
        gas_token_price_in_strk: '0x15af1d78b58c40000',
        estimated_fee_in_strk: '0x1e8480',
        estimated_fee_in_gas_token: '0x50',
        suggested_max_fee_in_strk: '0x249f00',
        suggested_max_fee_in_gas_token: '0x60',
      },
      fee_action: { type: 'withdraw', recipient: '0x7a1e5f', token: '0x8001', amount: '0x60' },
    });
    expect(test.useCases.privateActions.quoted).toEqual([
      {
        poolAddress: '0xaa1',
        token: '0x8001',
        feeMode: 'default',
        isWithOutsideCalls: false,
        caller: expect.anything(),
      },
    ]);
  });

  it.each([
    [{ mode: 'sponsored' }, STRK],
    [{ mode: 'sponsored_private', pool_fee_token: '0x8001' }, '0x8001'],
  ])('quotes the sponsored fee mode %j with the key of the header', async (feeMode, token) => {
    const test = await testApp();
    test.useCases.privateActions.quote = async () => ({ feeAmount: 0n, feeFri: 0n });
    const { body } = await post(test, builds({ fee_mode: feeMode }), {
      'x-paymaster-api-key': API_KEY,
    });
    expect(body.result.fee_action).toMatchObject({ token, amount: '0x0' });
    expect(body.result.parameters).toEqual({ version: '0x1', fee_mode: feeMode });
    expect(test.useCases.privateActions.quoted).toEqual([
      {
        poolAddress: '0xaa1',
        token,
        isWithOutsideCalls: false,
        feeMode: feeMode.mode,
        sponsorKey: API_KEY,
        caller: expect.anything(),
      },
    ]);
  });

  it.each(['slow', 'low', 'normal'])('accepts the tip %s and returns it', async (tip) => {
    const feeMode = { mode: 'default', gas_token: '0x8001', tip };
    const { body } = await post(await testApp(), builds({ fee_mode: feeMode }));
    expect(body.result.parameters.fee_mode).toEqual(feeMode);
  });

  it.each(['fast', 'high', 'none', 7, { custom: '0x1' }, null])(
    'rejects the tip %j, and names the tips that are served',
    async (tip) => {
      const test = await testApp();
      const feeMode = { mode: 'default', gas_token: '0x8001', tip };
      expect(await answerOf(test, builds({ fee_mode: feeMode }))).toEqual(
        unreadable('params.parameters.fee_mode.tip must be slow, low or normal'),
      );
      expect(test.useCases.privateActions.quoted).toEqual([]);
    },
  );

  it.each([
    [{ mode: 'free' }, 'fee_mode'],
    [{ mode: 'default' }, 'fee_mode.gas_token'],
    [{ mode: 'sponsored_private' }, 'fee_mode.pool_fee_token'],
    [{ mode: 'sponsored', gas_token: '0x1' }, 'unknown field: gas_token'],
  ])('rejects the fee mode %j, and names the field', async (feeMode, field) => {
    expect(await answerOf(await testApp(), builds({ fee_mode: feeMode }))).toEqual(
      unreadable(field),
    );
  });

  it.each([
    ['in decimal', '2721'],
    ['with a leading zero', '0x0aa1'],
    ['with an upper-case prefix', '0XAA1'],
    ['without digits', '0x'],
    ['that is a number', 2_721],
    ['above the prime', `0x${'f'.repeat(63)}`],
  ])('rejects a felt %s, and names the field', async (_name, felt) => {
    const test = await testApp();
    expect(await answerOf(test, builds({}, felt))).toEqual(
      unreadable('params.transaction.apply_action.pool_address'),
    );
    const feeMode = { mode: 'default', gas_token: felt };
    expect(await answerOf(test, builds({ fee_mode: feeMode }))).toEqual(
      unreadable('params.parameters.fee_mode.gas_token'),
    );
  });

  it('rejects another version of the parameters', async () => {
    expect(await answerOf(await testApp(), builds({ version: '0x2' }))).toEqual(
      unreadable('params.parameters.version'),
    );
  });

  it.each(['deploy', 'invoke', 'deploy_and_invoke', 'other'])(
    'rejects a transaction of the type %s, and names the types that are served',
    async (type) => {
      for (const method of ['paymaster_buildTransaction', 'paymaster_executeTransaction'])
        expect(
          await answerOf(
            await testApp(),
            rpc(method, { transaction: { type }, parameters: builds().params?.parameters }),
          ),
        ).toEqual([-32_602, expect.stringMatching(/invoke_and_apply_action/)]);
    },
  );

  it('accepts only time bounds that every proof keeps', async () => {
    const test = await testApp();
    const now = test.useCases.clock.nowMs() / 1_000;
    const built = (bounds: object): Promise<unknown> =>
      answerOf(test, builds({ time_bounds: bounds }));
    const refusal = [157, expect.stringContaining('omit time_bounds')];
    expect(await built({ execute_before: now + 3_599 })).toEqual(refusal);
    expect(await built({ execute_after: now + 1, execute_before: now + 9_999 })).toEqual(refusal);
    for (const bounds of [
      { execute_before: now + 3_600 },
      { execute_after: 1, execute_before: String(now + 3_600) },
      { execute_before: `0x${(now + 3_600).toString(16)}` },
    ])
      expect(await built(bounds)).toMatchObject({ type: 'apply_action' });
    expect(await built({ execute_before: 'soon' })).toEqual(
      unreadable('params.parameters.time_bounds.execute_before'),
    );
  });
});

describe('paymaster_executeTransaction', () => {
  it('a repeat is answered after its time bounds, a new request is not', async () => {
    const test = await testApp();
    const past = { time_bounds: { execute_before: test.useCases.clock.nowMs() / 1_000 - 1 } };
    expect(await answerOf(test, executes({}, past))).toEqual([
      157,
      expect.stringContaining('omit time_bounds'),
    ]);
    expect(test.useCases.privateActions.submitted).toEqual([]);
    test.useCases.privateActions.known = true;
    expect(await answerOf(test, executes({}, past))).toEqual({
      transaction_hash: '0x5d2a',
      tracking_id: TRACKING_ID,
    });
  });

  it('submits the action and returns its hash and a tracking id', async () => {
    const test = await testApp();
    const { body } = await post(test, executes(), { 'x-paymaster-api-key': API_KEY });
    expect(body.result).toEqual({ transaction_hash: '0x5d2a', tracking_id: TRACKING_ID });
    const [input] = test.useCases.privateActions.submitted;
    expect(input).toMatchObject({
      poolAddress: '0xaa1',
      feeMode: 'default',
      sponsorKey: API_KEY,
      waitMs: 15_000,
    });
    expect(input?.calldata.toHex()).toEqual(['0x1', '0xabc']);
    expect(input?.proofFacts.toHex()).toEqual(['0x2', '0x0']);
    expect(Buffer.from(input?.proof ?? []).toString()).toBe('stwo');
  });

  it('accepts an action without a proof', async () => {
    const test = await testApp();
    await answerOf(test, executes({ proof: undefined }));
    expect(test.useCases.privateActions.submitted.map(({ proof }) => proof.length)).toEqual([0]);
  });

  it('returns the same hash and tracking id for a repeated request', async () => {
    const test = await testApp();
    test.useCases.answer = async () => undecided;
    const first = await answerOf(test, executes());
    test.useCases.answer = async () => succeeded;
    expect(await answerOf(test, executes())).toEqual(first);
  });

  it('returns the hash of a reverted transaction, which is on chain', async () => {
    const test = await testApp();
    test.useCases.answer = async () => reverted;
    expect(await answerOf(test, executes())).toMatchObject({ transaction_hash: '0x5d2a' });
  });

  it('names the tracking id if no transaction is signed within the wait', async () => {
    const test = await testApp();
    test.useCases.answer = async () => unsigned;
    const [code, data] = Object(await answerOf(test, executes()));
    expect(code).toBe(163);
    expect(data).toContain('Send the same request again');
    expect(data).toContain(`tracking id is ${TRACKING_ID}.`);
    test.useCases.submissions.set(SUBMISSION_ID, unsigned);
    expect(await answerOf(test, trackingOf(TRACKING_ID))).toEqual({
      transaction_hash: '0x0',
      status: 'active',
    });
  });

  it('rejects another selector', async () => {
    const test = await testApp();
    expect(await answerOf(test, executes(call({ selector: '0xabc' })))).toEqual([
      162,
      expect.stringContaining(APPLY_ACTIONS),
    ]);
    expect(test.useCases.privateActions.submitted).toEqual([]);
  });

  it.each([
    ['apply_actions_call.calldata.1', call({ calldata: ['0x1', '2'] })],
    ['apply_actions_call.calldata.0', call({ calldata: ['0x01'] })],
    ['apply_actions_call.calldata', call({ calldata: [] })],
    ['apply_actions_call.calldata', call({ calldata: Array.from({ length: 5_001 }, () => '0x1') })],
    ['apply_actions_call.to', call({ to: '17' })],
    ['apply_actions_call.to', call({ to: undefined })],
    ['apply_actions_call.selector', call({ selector: '00' })],
    ['proof_facts.0', { proof_facts: ['0x00'] }],
    ['proof_facts', { proof_facts: undefined }],
    ['proof', { proof: 'c3R3bw' }],
    ['proof', { proof: 'c3R3bx==' }],
    ['proof', { proof: 'c3R3 bw==' }],
    ['proof', { proof: 7 }],
    ['unknown field: fee', { fee: '0x1' }],
  ])('rejects an unreadable action, and names the field: %s', async (field, change) => {
    const test = await testApp();
    expect(await answerOf(test, executes(change))).toEqual(unreadable(field));
    expect(test.useCases.privateActions.submitted).toEqual([]);
  });

  it('rejects a felt above the prime in the calldata, and names its position', async () => {
    const change = call({ calldata: ['0x1', `0x${'f'.repeat(63)}`] });
    expect(await answerOf(await testApp(), executes(change))).toEqual(
      unreadable('params.transaction.apply_action.apply_actions_call.calldata.1'),
    );
  });

  it('waits no longer than the service’s own wait', async () => {
    const test = await testApp({ waitForConfirmationMs: 2_000 });
    await answerOf(test, executes());
    expect(test.useCases.privateActions.submitted.map(({ waitMs }) => waitMs)).toEqual([2_000]);
  });
});

describe('paymaster_trackingIdToLatestHash', () => {
  const settled = { ...succeeded, finality: 'ACCEPTED_ON_L1' as const };
  it.each([
    ['a signed transaction', undecided, '0x5d2a', 'active'],
    ['a pre-confirmed transaction', reverted, '0x5d2a', 'active'],
    ['a transaction on L2', succeeded, '0x5d2a', 'accepted'],
    [
      'a reverted transaction on L2',
      { ...reverted, finality: 'ACCEPTED_ON_L2' as const },
      '0x5d2a',
      'accepted',
    ],
    ['a settled transaction', settled, '0x5d2a', 'accepted'],
    ['a refused submission', refused, '0x0', 'dropped'],
    [
      'an expired submission',
      {
        kind: 'rejected' as const,
        attempt: { ...attempt, state: 'expired' as const },
        state: 'expired' as const,
        code: 'PROOF_EXPIRED',
      },
      '0x0',
      'dropped',
    ],
  ])('returns hash and status of %s', async (_name, answer, hash, status) => {
    const test = await testApp();
    test.useCases.submissions.set(SUBMISSION_ID, answer);
    expect(await answerOf(test, trackingOf(TRACKING_ID))).toEqual({
      transaction_hash: hash,
      status,
    });
  });

  it.each([
    ['0x0', 160],
    ['0x1234', 160],
    [toFelt(2n ** 128n), 160],
    [toFelt(2n ** 251n), 160],
    ['0x00', -32_602],
    ['17', -32_602],
  ])('rejects the unknown tracking id %s', async (id, code) => {
    const test = await testApp();
    expect(await answerOf(test, trackingOf(id))).toEqual([code, expect.any(String)]);
  });
});
