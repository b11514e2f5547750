import request, { type Response } from 'supertest';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { undecided } from './answers-fixture.js';
import { CURATOR_TOKEN, testApp, type TestApp } from './test-app.js';

/*
 * The interface as a client of its first release uses it: the fields that the client sends, the
 * fields that it reads, and their types. These copies must not follow the service's types. The
 * service may add fields. It must not remove a field, change a field's type, or make a field null.
 */
const Whole = z.int();
const Text = z.string();

const PoolStatus = z.object({
  denomination: Text,
  undeployedCount: Whole,
  activeDeposits: Whole,
  totalDeposits: Whole,
  totalAssets: Text,
  maxFeeBps: Whole,
  maxFee: Text,
  nextIndex: Whole,
});

const FeeEstimate = z.object({
  feeSats: Whole,
  feeBreakdown: z.object({
    depositGasStrk: z.number(),
    deployBatchGasStrk: z.number(),
    withdrawGasStrk: z.number(),
    totalGasStrk: z.number(),
    totalGasUsd: z.number(),
    marginPercent: z.literal(20),
  }),
  gasPrices: z.object({ l2GasPriceFri: Text, l1DataGasPriceFri: Text }),
  prices: z.object({ strkUsd: z.number(), btcUsd: z.number() }),
});

const TransactionResult = z.object({
  transaction_hash: z.string().regex(/^0x[0-9a-f]+$/),
  execution_status: z.enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN']),
  revert_reason: Text.nullish(),
});

const SwapResult = TransactionResult.extend({
  leafIndex: z.int().min(-1),
  outputAmount: z.string().regex(/^0x[0-9a-f]+$/),
});

const StakingPool = z.object({
  slug: Text,
  name: Text,
  poolId: Text,
  supplyApy: z.number(),
  btcFiApr: z.number(),
  totalApy: z.number(),
  utilization: z.number().min(0).max(1),
  tvlUsd: z.number(),
  totalSupplied: z.number(),
  btcPrice: z.number(),
  borrowApr: z.number(),
});

const Curated = z.discriminatedUnion('status', [
  z.object({ status: z.literal('deployed'), tx: Text, amount: Text }),
  z.object({ status: z.literal('no_idle_funds') }),
]);

const STEPS = [
  'deposit_detected',
  'swap_source_token',
  'bridge_to_destination',
  'swap_destination_token',
  'send_to_recipient',
];
const BridgeStatus = z.object({
  status: z.enum(['processing', 'completed']),
  steps: z
    .array(
      z.object({
        step: Text,
        status: z.enum(['pending', 'processing', 'completed', 'failed']),
        timestamp: Whole.nullable(),
        tx_hash: Text.optional(),
      }),
    )
    .refine(
      (steps) =>
        steps.every(({ step }, index) => step === STEPS[index]) && steps.length === STEPS.length,
    ),
});

const POOL = '0xaa1';
const CALLDATA = ['0x7e3', '0x04B3A1', '12'];
const SWAP = {
  wbtcPool: '0xaa1',
  proofCalldata: CALLDATA,
  newCommitment: '0x2a',
  outputToken: '0x57',
};

const post = (
  test: TestApp,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PromiseLike<Response> => request(test.app).post(path).set(headers).send(body);

describe('a client of the interface’s first release', () => {
  it.each([
    ['withdraws', '/api/relayer/withdraw', { poolAddress: POOL, calldata: CALLDATA }],
    ['deploys a batch', '/api/relayer/deploy-batch', { poolAddress: POOL, count: 3 }],
    [
      'deploys a partial batch',
      '/api/relayer/deploy-batch',
      { poolAddress: POOL, count: 2, partial: true },
    ],
  ])(
    'a client of the API’s first release %s, and can parse the responses for a success and for an unknown outcome',
    async (_what, path, body) => {
      const test = await testApp();
      const done = await post(test, path, body);
      expect([done.status, TransactionResult.parse(done.body).execution_status]).toEqual([
        200,
        'SUCCEEDED',
      ]);
      test.useCases.answer = async () => undecided;
      const open = await post(test, path, body);
      expect([open.status, TransactionResult.parse(open.body).execution_status]).toEqual([
        200,
        'UNKNOWN',
      ]);
    },
  );

  it.each([
    ['without a slippage', SWAP],
    ['with one', { ...SWAP, slippage: 0.02 }],
  ])(
    'a client of the first release requests a private swap with or without a slippage: %s',
    async (_what, body) => {
      const test = await testApp();
      const swapped = await post(test, '/api/relayer/private-swap', body);
      expect(swapped.status).toBe(200);
      expect(SwapResult.parse(swapped.body)).toMatchObject({
        execution_status: 'SUCCEEDED',
        leafIndex: 12,
        outputAmount: '0xff',
      });
    },
  );

  it('a client of the first release reads the leafIndex -1 of a rejected swap', async () => {
    const { status, body } = await post(await testApp(), '/api/relayer/private-swap', {
      ...SWAP,
      newCommitment: 'no number',
    });
    expect([status, body.leafIndex, typeof body.error]).toEqual([400, -1, 'string']);
  });

  it('a client of the first release reads the status of a pool', async () => {
    const { status, body } = await request((await testApp()).app).get(
      `/api/relayer/pool-status?pool=${POOL}`,
    );
    expect([status, PoolStatus.safeParse(body).error]).toEqual([200, undefined]);
  });

  it('a client of the first release reads a fee estimate with a pool and without a pool', async () => {
    const { app, useCases } = await testApp();
    const withPool = await request(app).get(`/api/relayer/fee-estimate?pool=${POOL}`);
    expect(
      FeeEstimate.extend({ maxFeeSats: Whole, denomination: Whole }).safeParse(withPool.body).error,
    ).toBeUndefined();
    const estimate = await useCases.estimate();
    useCases.estimate = async () => ({ ...estimate, pool: null });
    const without = await request(app).get('/api/relayer/fee-estimate');
    expect(FeeEstimate.safeParse(without.body).error).toBeUndefined();
    expect(without.body).not.toHaveProperty('maxFeeSats');
    expect(without.body).not.toHaveProperty('denomination');
  });

  it('a client of the first release reads the yields, and can cache them for the time in `Cache-Control`', async () => {
    const { status, body, headers } = await request((await testApp()).app).get('/api/staking');
    expect([status, headers['cache-control']]).toEqual([
      200,
      'public, s-maxage=30, stale-while-revalidate=60',
    ]);
    expect(z.array(StakingPool).min(1).safeParse(body).error).toBeUndefined();
  });

  it.each(['sentinel', 'citadel', 'trident', 'delta_neutral', 'turbo', 'apex'])(
    'a client of the first release requests a deployment of the idle funds of %s',
    async (vaultId) => {
      const test = await testApp();
      const as = { authorization: `Bearer ${CURATOR_TOKEN}` };
      const idle = await post(test, '/api/curator', { vaultId }, as);
      expect([idle.status, Curated.parse(idle.body).status]).toEqual([200, 'no_idle_funds']);
      test.useCases.deploy = async () => ({
        status: 'deployed',
        submissionId: 'any',
        transactionHash: toFelt('0x7a'),
        amountSats: 12_345n,
      });
      expect(Curated.parse((await post(test, '/api/curator', { vaultId }, as)).body)).toEqual({
        status: 'deployed',
        tx: '0x7a',
        amount: '12345',
      });
      const refused = await post(test, '/api/curator', { vaultId: 7 }, as);
      expect([refused.status, typeof refused.body.error]).toEqual([400, 'string']);
    },
  );

  it('a client of the first release reads the states of a bridge transfer until the transfer is completed', async () => {
    const { app, useCases } = await testApp();
    useCases.bridge.deposit('transfer-1', '0x9c1f');
    for (let step = 0; step <= STEPS.length; step += 1) {
      const { body } = await request(app).get('/api/bridge/status?transaction_id=transfer-1');
      expect(BridgeStatus.parse(body).status).toBe(
        step === STEPS.length ? 'completed' : 'processing',
      );
      if (step < STEPS.length) useCases.bridge.finishStep('transfer-1');
      useCases.clock.advance(2_000);
    }
  });
});
