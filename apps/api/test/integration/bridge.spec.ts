import { beforeEach, describe, expect, it } from '@jest/globals';
import { BridgeMalformed, BridgeTimedOut, BridgeUnavailable } from '@sotto/adapter-http/bridge';
import { LedgerUnavailable } from '@sotto/submission-core';
import request, { type Response } from 'supertest';
import { BridgeDisabled } from '@sotto/relayer';
import { testApp, type TestApp } from './test-app.js';

/** Valid addresses of each address family in `bridge-core`. */
const STARKNET_RECIPIENT = '0x4a1c5e0f7b29d38643e8a7d5c9b0f1e2d3c4b5a69788796a5b4c3d2e1f0a9b';
const EVM_RECIPIENT = '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0';
const NOW_SECONDS = 1_800_000_000;

const IN = {
  from_chain: 'ethereum',
  from_token: 'USDC',
  to_chain: 'starknet',
  to_token: 'STRK',
  amount: '100000000',
};
const OUT = {
  from_chain: 'starknet',
  from_token: 'STRK',
  to_chain: 'base',
  to_token: 'USDC',
  amount: '2000000000000000000',
};

let test: TestApp;
beforeEach(async () => {
  test = await testApp();
});

const quote = (body: object): PromiseLike<Response> =>
  request(test.app).post('/api/bridge/quote').send(body);
const status = (id: string): PromiseLike<Response> =>
  request(test.app).get('/api/bridge/status').query({ transaction_id: id });
const codeOf = ({ status: code, body }: Response): unknown => [code, body.code];

async function opened(): Promise<string> {
  const { body } = await quote({ ...IN, dry_run: false, recipient: STARKNET_RECIPIENT });
  return String(body.transaction_id);
}

const refuse = (): never => {
  throw new BridgeDisabled();
};

describe('POST /api/bridge/quote', () => {
  it('a dry run of a bridge quote returns an estimate with neither a transaction id nor a deposit address', async () => {
    const { status: code, body } = await quote({ ...IN, dry_run: true });
    expect(code).toBe(200);
    expect(body).toStrictEqual({
      estimated_output: '99.7 STRK',
      estimated_output_amount: '99700000000000000000',
      estimated_seconds: 60,
      route: [{ step: 'bridge', from: 'USDC on ethereum', to: 'STRK on starknet' }],
      fees: { bridge_fee: '0.3%' },
    });
  });

  it('a bridge quote returns a transaction id and a deposit address unless the request is a dry run', async () => {
    const into = await quote({ ...IN, dry_run: false, recipient: STARKNET_RECIPIENT });
    expect(into.body).toMatchObject({
      transaction_id: 'fake-transfer-1',
      deposit_address: expect.stringMatching(/^0x[\da-f]{40}$/),
    });
    const out = await quote({ ...OUT, dry_run: false, recipient: EVM_RECIPIENT });
    expect(out.body).toMatchObject({
      transaction_id: 'fake-transfer-2',
      estimated_output: '1.994 USDC',
      estimated_output_amount: '1994000',
    });
  });

  it('returns memo, deadline and dex of a bridge quote if the bridge protocol returns them', async () => {
    test.useCases.quoteTransfer = async () => ({
      estimatedOutput: 1n,
      route: [{ step: 'swap', from: 'USDC', to: 'STRK', dex: 'AVNU' }],
      fees: { bridgeFee: null, gasEstimate: '0.1 USDC', swapFees: '0.2 USDC' },
      durationSeconds: null,
      deposit: {
        transactionId: 'id',
        address: 'address',
        memo: 'memo',
        deadlineSeconds: 1_800_003_600,
      },
    });
    expect((await quote({ ...IN, dry_run: false })).body).toStrictEqual({
      transaction_id: 'id',
      deposit_address: 'address',
      deposit_memo: 'memo',
      deposit_deadline: 1_800_003_600,
      estimated_output: '0.000000000000000001 STRK',
      estimated_output_amount: '1',
      route: [{ step: 'swap', from: 'USDC', to: 'STRK', dex: 'AVNU' }],
      fees: { gas_estimate: '0.1 USDC', swap_fees: '0.2 USDC' },
    });
  });

  it.each([
    ['an unknown chain', { from_chain: 'Ethereum' }, 422, 'CHAIN_NOT_SUPPORTED'],
    ['an unknown token', { from_token: 'DOGE' }, 422, 'TOKEN_NOT_SUPPORTED'],
    [
      'a transfer between two other chains',
      { to_chain: 'base', to_token: 'USDC' },
      422,
      'ROUTE_NOT_SUPPORTED',
    ],
    ['an amount with a fraction', { amount: '1.5' }, 400, 'AMOUNT_INVALID'],
    ['no recipient outside a dry run', { dry_run: false }, 400, 'BRIDGE_RECIPIENT_INVALID'],
    [
      'a recipient of another chain',
      { recipient: EVM_RECIPIENT.toUpperCase() },
      400,
      'BRIDGE_RECIPIENT_INVALID',
    ],
    [
      'a refund address of another chain',
      { refund_to: STARKNET_RECIPIENT },
      400,
      'REFUND_ADDRESS_INVALID',
    ],
    [
      'an Ethereum address on Starknet',
      { recipient: EVM_RECIPIENT },
      400,
      'BRIDGE_RECIPIENT_UNSPENDABLE',
    ],
    ['the address zero', { recipient: '0x0' }, 400, 'BRIDGE_RECIPIENT_UNSPENDABLE'],
    ['an amount that is a number', { amount: 100 }, 400, 'INVALID_REQUEST'],
    ['no `dry_run` field', { dry_run: undefined }, 400, 'INVALID_REQUEST'],
    ['an unknown field', { slippage: 1 }, 400, 'INVALID_REQUEST'],
  ])('rejects a bridge quote with %s', async (_name, change, code, name) => {
    const response = await quote({ ...IN, dry_run: true, ...change });
    expect(codeOf(response)).toEqual([code, name]);
    expect(response.text).not.toContain(STARKNET_RECIPIENT.slice(2));
  });

  it.each([
    [{ kind: 'no_route' }, 422, 'NO_BRIDGE_ROUTE', undefined],
    [{ kind: 'amount_too_low', minimum: 5_000n }, 422, 'AMOUNT_TOO_LOW', { minimum: '5000' }],
    [{ kind: 'recipient_refused' }, 400, 'BRIDGE_RECIPIENT_INVALID', { reason: 'refused' }],
    [{ kind: 'refund_address_needed' }, 400, 'REFUND_ADDRESS_INVALID', { reason: 'missing' }],
  ] as const)(
    'maps the bridge protocol’s rejection to an error code: %j',
    async (rejection, code, name, details) => {
      test.useCases.bridge.refuse(rejection);
      const response = await quote({ ...IN, dry_run: true });
      expect(codeOf(response)).toEqual([code, name]);
      expect(response.body.details).toEqual(details);
    },
  );
});

const steps = (...reports: readonly object[]): unknown[] =>
  reports.map((report) => expect.objectContaining(report));

describe('GET /api/bridge/status', () => {
  it('reports the state of a bridge transfer after each of its five steps', async () => {
    const id = await opened();
    const pending = { status: 'pending', timestamp: null };
    expect((await status(id)).body).toStrictEqual({
      status: 'processing',
      steps: [
        'deposit_detected',
        'swap_source_token',
        'bridge_to_destination',
        'swap_destination_token',
        'send_to_recipient',
      ].map((step) => ({
        step,
        ...pending,
      })),
      transfer: {
        from_chain: 'ethereum',
        from_token: 'USDC',
        to_chain: 'starknet',
        to_token: 'STRK',
        amount: '100 USDC',
        estimated_output: '99.7 STRK',
        recipient: STARKNET_RECIPIENT,
        deposit_address: expect.stringMatching(/^0xdeb0/),
      },
    });

    test.useCases.bridge.deposit(id, '0x9c1f');
    test.useCases.clock.advance(2_000);
    const processing = { status: 'processing', timestamp: null };
    expect((await status(id)).body.steps).toEqual(
      steps({ ...processing, tx_hash: '0x9c1f' }, pending, pending, pending, pending),
    );

    for (let done = 1; done <= 5; done += 1) {
      test.useCases.clock.advance(done === 1 ? 8_000 : 10_000);
      test.useCases.bridge.finishStep(id);
      const { body } = await status(id);
      expect(body.status).toBe(done === 5 ? 'completed' : 'processing');
      const reported: readonly { status: string; timestamp: number | null }[] = body.steps;
      expect(reported.map(({ timestamp }) => timestamp)).toEqual(
        Array.from({ length: 5 }, (_, step) =>
          step < done ? NOW_SECONDS + 10 * (step + 1) : null,
        ),
      );
      expect(reported.filter((step) => step.status === 'completed')).toHaveLength(done);
      expect(body).not.toHaveProperty('refund');
    }
  });

  it('reports the missing amount and the deadline of an incomplete bridge deposit', async () => {
    test.useCases.bridge.setDeadline(NOW_SECONDS + 3_600);
    const id = await opened();
    test.useCases.bridge.show(id, {
      next: 'processing',
      isDepositIncomplete: true,
      deposited: { tokens: '60.5', symbol: 'USDC' },
    });
    expect((await status(id)).body).toMatchObject({
      status: 'processing',
      reason: 'deposit_incomplete',
      deposited_amount: '60.5 USDC',
      missing_amount: '39.5 USDC',
      deposit_deadline: NOW_SECONDS + 3_600,
    });
    test.useCases.clock.advance(3_600_000);
    const { body } = await status(id);
    expect(body).toMatchObject({ reason: 'deposit_expired', deposited_amount: '60.5 USDC' });
    expect(body).not.toHaveProperty('missing_amount');
  });

  it.each([
    ['unconfirmed without amounts', {}, { status: 'processing', reason: 'unconfirmed' }],
    [
      'completed with a shortfall',
      { output: { tokens: '90', symbol: 'STRK' } },
      { status: 'completed', output_amount: '90 STRK', shortfall: '9.7 STRK' },
    ],
  ])('reports a bridge transfer as %s', async (_, evidence, body) => {
    const id = await opened();
    test.useCases.bridge.show(id, { completedSteps: 5, ...evidence });
    expect((await status(id)).body).toMatchObject(body);
  });

  it('reports the refunded amount of a bridge transfer, and the bridge’s own text of the reason', async () => {
    const id = await opened();
    test.useCases.bridge.show(id, {
      completedSteps: 1,
      next: 'failed',
      refunded: true,
      refund: { tokens: '99.9', symbol: 'USDC' },
      reasonText: 'No liquidity',
    });
    expect((await status(id)).body).toMatchObject({
      refund: 'refunded',
      refunded_amount: '99.9 USDC',
      bridge_message: 'No liquidity',
    });
  });

  it('reports the failed step of a bridge transfer, and that a refund is expected', async () => {
    const id = await opened();
    test.useCases.bridge.deposit(id, '0x9c1f');
    test.useCases.bridge.finishStep(id);
    test.useCases.bridge.show(id, { next: 'failed' });
    const failed = await status(id);
    expect(failed.body).toMatchObject({ status: 'processing', refund: 'expected' });
    expect(failed.body.steps[1]).toStrictEqual({
      step: 'swap_source_token',
      status: 'failed',
      timestamp: null,
    });
    test.useCases.bridge.show(id, { refunded: true });
    test.useCases.clock.advance(2_000);
    expect((await status(id)).body).toMatchObject({ refund: 'refunded', steps: failed.body.steps });
  });

  it.each([
    ['an unknown id', '?transaction_id=unknown', 404, 'TRANSFER_NOT_FOUND'],
    ['an id with a space', '?transaction_id=a%20b', 404, 'TRANSFER_NOT_FOUND'],
    ['no id', '', 400, 'INVALID_REQUEST'],
    ['an empty id', '?transaction_id=', 400, 'INVALID_REQUEST'],
    ['two ids', '?transaction_id=a&transaction_id=b', 400, 'INVALID_REQUEST'],
    ['an id that is too long', `?transaction_id=${'a'.repeat(257)}`, 400, 'INVALID_REQUEST'],
  ])(
    'rejects a request for a bridge transfer’s status with %s',
    async (_name, query, code, name) => {
      expect(codeOf(await request(test.app).get(`/api/bridge/status${query}`))).toEqual([
        code,
        name,
      ]);
    },
  );

  it('responds with LEDGER_UNAVAILABLE for a bridge transfer in flight if the ledger can’t be read', async () => {
    const id = await opened();
    test.useCases.transfers.fail(new LedgerUnavailable({ message: 'marker' }));
    expect(codeOf(await status(id))).toEqual([503, 'LEDGER_UNAVAILABLE']);
  });
});

describe('a failing bridge', () => {
  it.each([
    [new BridgeUnavailable({ message: 'down', retryAfterSeconds: 3 }), 503, '3'],
    [new BridgeTimedOut({ message: 'slow' }), 504, undefined],
    [new BridgeMalformed({ message: 'odd', details: { at: 'status' } }), 502, undefined],
  ])('a failure of the bridge is reported by its code: %s', async (failure, code, retryAfter) => {
    const id = await opened();
    test.useCases.bridge.fail(failure);
    for (const response of [await status(id), await quote({ ...IN, dry_run: true })]) {
      expect(codeOf(response)).toEqual([code, failure.code]);
      expect(response.headers['retry-after']).toBe(retryAfter);
    }
  });

  it('every bridge route responds that the bridge is disabled if no bridge is configured', async () => {
    test.useCases.quoteTransfer = async () => refuse();
    test.useCases.transferStatus = async () => refuse();
    test.useCases.bridgeRoutes = refuse;
    for (const response of [
      await status('id'),
      await quote({ ...IN, dry_run: true }),
      await request(test.app).get('/api/bridge/routes'),
    ]) {
      expect(codeOf(response)).toEqual([503, 'BRIDGE_DISABLED']);
    }
  });
});
