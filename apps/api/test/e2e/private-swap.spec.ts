import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSottoClient, waitForSubmission, type SottoClient } from '@sotto/client';
import { u256ToHalves } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { HOSTILE_DEEDS, sandboxWorld, type HostileDeed, type SandboxToken } from '@sotto/sandbox';
import {
  addressText,
  commitmentText,
  commitmentsOf,
  forgedWithdrawalOf,
  notesOf,
} from './support/notes.js';
import { IN_A_BLOCK } from '../support/finality.js';
import { forgetSwapPins } from './support/ledger.js';
import { Stack } from './support/stack.js';
import { watchNode } from './support/watched-node.js';
import { vector } from './support/withdrawals.js';

const { pools, swapPool, tokens, accounts } = sandboxWorld;
const ADD = 'starknet_addInvokeTransaction';
const inputPool = pools.swap_input_1;
const fee = 400n;
const SOLD_SATS = inputPool.denomination - fee;

/** Outputs of a swap of 19,600 sats at the sandbox's prices. Each output is worth 19.6 USD. */
const OUTPUTS = [
  { token: tokens.ETH, amount: 5_600_000_000_000_000n },
  { token: tokens.USDC, amount: 19_600_000n },
  { token: tokens.STRK, amount: 490n * 10n ** 18n },
] as const;
const [ETH] = OUTPUTS;
const CLAIM_FEE = 1_000n;

const inputs = notesOf(11n, 9);
const outputs = notesOf(12n, 10);
/** Index of the output note whose commitment a thief uses. */
const THIEF = 9;
/**
 * Index of the fourth input note, which is not swapped at first. The first three input notes are
 * swapped, each into another ERC-20 token.
 */
const FOURTH = 3;
const FIFTH = 4;
const CRASHED = { accepted: 5, sent: 6 } as const;
const SIXTH = 7;

/**
 * Expected rejection for each hostile response of the aggregator. After a hostile response that is
 * not in this list, the swap must succeed, because the swap is simulated before it is signed.
 */
const REJECTIONS: Partial<Record<HostileDeed, object>> = {
  'no-felts': { status: 502, code: 'AGGREGATOR_MALFORMED' },
  'unknown-exchange': { status: 422, code: 'SIMULATION_REVERTED' },
};
const rejectionOf = (deed: HostileDeed): object =>
  REJECTIONS[deed] ?? { status: 502, code: 'SWAP_BUILD_REJECTED' };

describe('a private swap', () => {
  let stack: Stack;
  let sotto: SottoClient;
  const proofs = inputs.map((_, index) => forgedWithdrawalOf({ notes: inputs, index, fee }));
  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      deposit: (chain) => chain.depositInto(inputPool, commitmentsOf(inputs)),
      env: { TRUST_PROXY: '1' },
    });
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
    await stack.service.ready();
  });
  afterEach(() => stack.chain.control.aggregator.clearFaults());
  afterAll(() => stack.stop());

  const restart = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    if (stack.service.isRunning) stack.service.kill('SIGTERM');
    await stack.service.ended;
    await stack.restart(env);
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
  };
  const bodyOf = (index: number, token: SandboxToken = ETH.token, slippage?: number) => ({
    wbtcPool: addressText(inputPool),
    proofCalldata: [...(proofs[index] ?? [])],
    newCommitment: commitmentOf(index),
    outputToken: addressText(token),
    ...(slippage === undefined ? {} : { slippage }),
  });
  const swap = (index: number, token?: SandboxToken, slippage?: number) =>
    sotto.POST('/api/relayer/private-swap', { body: bodyOf(index, token, slippage) });
  const listed = async () =>
    (await sotto.GET('/api/relayer/pools')).data?.privateSwap?.outputTokens.map(
      ({ symbol }) => symbol,
    );
  const leafInfo = (leafIndex: number) =>
    stack.chain.view(swapPool.address, 'get_leaf_info', [BigInt(leafIndex)]);
  const nextLeaf = async (): Promise<number> =>
    Number((await stack.chain.view(swapPool.address, 'get_next_index'))[0]);
  const isSpent = async (index: number): Promise<boolean> => {
    const halves = u256ToHalves(inputs[index]?.nullifierHash ?? 0n);
    return (await stack.chain.view(inputPool.address, 'is_spent', halves))[0] === 1n;
  };

  let rejections = 0;
  /**
   * Requests a swap of the fourth note with changes or under a fault, and expects that it is
   * rejected. Each request has a separate network, because one network may cause only half of the
   * requests to the aggregator.
   * @returns the rejection; nothing was sent, and the note can still be swapped
   */
  const rejection = async (changes: object = {}): Promise<object> => {
    stack.chain.control.resetCounters();
    const before = [stack.ledger().transactions.length, await nextLeaf()];
    const { status, body } = await stack.service.post(
      '/api/relayer/private-swap',
      { ...bodyOf(FOURTH), ...changes },
      { 'x-forwarded-for': `10.${(rejections += 1)}.0.1` },
    );
    expect(stack.chain.control.counters().calls[ADD]).toBeUndefined();
    expect([stack.ledger().transactions.length, await nextLeaf()]).toEqual(before);
    expect(await isSpent(FOURTH)).toBe(false);
    expect(body).toMatchObject({
      error: expect.any(String),
      requestId: expect.any(String),
      leafIndex: -1,
    });
    return { status, ...Object(body) };
  };

  it.each(
    OUTPUTS.map(({ token, amount }, index) => [token.symbol, { token, amount, index }] as const),
  )('a swap into %s creates a note in the swap pool', async (_symbol, { token, amount, index }) => {
    const feesBefore = await stack.chain.wbtcOf(BigInt(vector.relayer));
    stack.chain.control.aggregator.resetCounters();
    const { data, response } = await swap(index, token);
    expect([response.status, data]).toEqual([
      200,
      {
        transaction_hash: expect.stringMatching(/^0x[\da-f]{50,64}$/),
        execution_status: 'SUCCEEDED',
        revert_reason: null,
        leafIndex: index,
        outputAmount: `0x${amount.toString(16)}`,
        slippage: 0.01,
        floor: String((amount * 99n) / 100n),
      },
    ]);
    expect(await leafInfo(index)).toEqual([token.address, amount, 0n]);
    expect(await stack.chain.wbtcOf(BigInt(vector.relayer))).toBe(feesBefore + fee);
    expect(await stack.chain.wbtcOf(swapPool.address)).toBe(0n);

    const quote = stack.chain.control.aggregator
      .requests()
      .find(({ endpoint }) => endpoint === 'quotes');
    const requested = Object.fromEntries(new URLSearchParams(quote?.text));
    expect(requested).toMatchObject({
      takerAddress: addressText(swapPool),
      sellAmount: `0x${SOLD_SATS.toString(16)}`,
    });

    expect(await waitForSubmission(sotto, response.headers.get('location'))).toMatchObject({
      execution_status: 'SUCCEEDED',
      leafIndex: index,
      outputAmount: `0x${amount.toString(16)}`,
    });
    expect(stack.chain.inclusions()).toEqual([]);
  });

  it.each(
    OUTPUTS.map(({ token, amount }, index) => [token.symbol, { token, amount, index }] as const),
  )(
    'S4 the output of a swap into %s reaches a fresh address by a relayed withdrawal, and that address sends no transaction',
    async (_symbol, { token, amount, index }) => {
      const recipient = accounts.recipient1.address;
      const pool = addressText(swapPool);
      // Wait for the blocks, because roots are read from the latest accepted block.
      await eventually('the swaps to be in blocks', () =>
        stack.ledger().attempts.every(({ state }) => state === 'succeeded'),
      );
      const { data: estimate } = await sotto.GET('/api/relayer/fee-estimate', {
        params: { query: { pool, leafIndex: String(index) } },
      });
      expect(estimate).toMatchObject({
        feeToken: addressText(token),
        maxFeeAmount: String(amount / 20n),
        maxFeeSats: 980,
        feeBreakdown: { depositGasStrk: 0, deployBatchGasStrk: 0 },
      });
      // The cost of 0.280005 STRK at 0.04 USD is 11.2002 sats, and 13.44 sats with the margin.
      expect(estimate?.feeSats).toBe(14);

      const { data: quote } = await sotto.POST('/api/relayer/quote', {
        body: { poolAddress: pool, leafIndex: index },
      });
      expect(quote).toMatchObject({
        pool,
        leafIndex: index,
        fee: estimate?.feeAmount,
        feeToken: addressText(token),
      });
      const claimFee = BigInt(quote?.fee ?? 0n);
      const calldata = [
        ...forgedWithdrawalOf({
          notes: outputs.slice(0, OUTPUTS.length),
          index,
          fee: claimFee,
          recipient,
          batchSize: 1,
        }),
      ];
      const [heldBefore, feesBefore] = await Promise.all(
        [recipient, BigInt(vector.relayer)].map((holder) =>
          stack.chain.balanceOf(token.address, holder),
        ),
      );
      const body = { poolAddress: pool, calldata, quoteId: quote?.quoteId ?? '', leafIndex: index };
      const { data, response } = await sotto.POST('/api/relayer/withdraw', { body });
      expect([response.status, data]).toEqual([
        200,
        expect.objectContaining({ execution_status: 'SUCCEEDED', revert_reason: null }),
      ]);
      expect(await stack.chain.balanceOf(token.address, recipient)).toBe(
        (heldBefore ?? 0n) + amount - claimFee,
      );
      expect(await stack.chain.balanceOf(token.address, BigInt(vector.relayer))).toBe(
        (feesBefore ?? 0n) + claimFee,
      );
      await waitForSubmission(sotto, response.headers.get('location'));

      const senders = new Set(stack.chain.control.paidInclusions().map(({ sender }) => sender));
      expect(senders.has(recipient)).toBe(false);
      expect(senders.has(accounts.lane1.address)).toBe(true);
    },
  );

  it('S4: a dry run quotes and checks a swap, but sends no proof to the node', async () => {
    const poolAddress = addressText(inputPool);
    const { data: plain } = await sotto.POST('/api/relayer/quote', { body: { poolAddress } });
    const { data: quote } = await sotto.POST('/api/relayer/quote', {
      body: { poolAddress, operation: 'private_swap' },
    });
    expect(quote).toMatchObject({ operation: 'private_swap', feeToken: addressText(tokens.WBTC) });
    expect(BigInt(quote?.fee ?? 0n)).toBeGreaterThan(BigInt(plain?.fee ?? 0n));
    stack.chain.control.resetCounters();
    const dryRun = async (quoteId = '', commitment = commitmentOf(FOURTH)) => {
      const body = { ...bodyOf(FOURTH), newCommitment: commitment, quoteId };
      return Object((await stack.service.post('/api/relayer/private-swap?dryRun=true', body)).body);
    };
    const report = await dryRun(quote?.quoteId);
    expect(report).toMatchObject({ admissible: true });
    expect(report.checks.slice(-2)).toEqual([
      { check: 'fair_value', code: 'PRICE_IMPACT_TOO_HIGH', status: 'passed' },
      {
        check: 'simulation',
        code: 'SIMULATION_REVERTED',
        status: 'skipped',
        detail: 'SWAP_NOT_PINNED',
      },
    ]);
    expect(stack.chain.control.counters().calls['starknet_simulateTransactions']).toBeUndefined();
    // The dry run pinned nothing, so other terms are also admissible. A quote for a withdrawal is
    // not valid for a swap.
    expect(await dryRun(quote?.quoteId, commitmentOf(8))).toMatchObject({ admissible: true });
    expect((await dryRun(plain?.quoteId)).checks).toContainEqual(
      expect.objectContaining({ check: 'quote', code: 'QUOTE_MISMATCH', status: 'failed' }),
    );
  });

  it('T9: a dry run of a swap is possible after requests without a proof have used up their aggregator budget', async () => {
    const requested = { pool: addressText(inputPool), outputToken: bodyOf(FOURTH).outputToken };
    const path = `/api/relayer/swap-quote?${String(new URLSearchParams(requested))}`;
    const quotes = await Promise.all(Array.from({ length: 60 }, () => stack.service.get(path)));
    expect(quotes.filter(({ body }) => Object(body).code === 'OVERLOADED').length).toBeGreaterThan(
      0,
    );
    const { body } = await stack.service.post(
      '/api/relayer/private-swap?dryRun=true',
      bodyOf(FOURTH),
    );
    expect(Object(body).swap).toBeDefined();
  });

  it('S4: the pool list contains the totals of the swap pool', async () => {
    const pool = addressText(swapPool);
    const { data } = await sotto.GET('/api/relayer/pools');
    expect(data?.swapOutputs).toMatchObject({
      address: pool,
      kind: 'swap_output',
      totalSwaps: OUTPUTS.length,
      nextIndex: OUTPUTS.length,
      maxFeeBps: 500,
      block: expect.any(Number),
      at: expect.any(Number),
    });
    expect(data?.pools.map(({ address }) => address)).not.toContain(pool);
    const requested = [
      ['pool-status', { pool }, 'POOL_WITHOUT_DENOMINATION'],
      ['fee-estimate', { pool }, 'LEAF_INDEX_REQUIRED'],
      ['fee-estimate', { pool, leafIndex: '99' }, 'LEAF_UNKNOWN'],
      [
        'fee-estimate',
        { pool: addressText(inputPool), leafIndex: '0' },
        'LEAF_INDEX_NOT_APPLICABLE',
      ],
      [
        'fee-estimate',
        { pool: addressText(pools.stable_10), operation: 'private_swap' },
        'POOL_NOT_SWAPPABLE',
      ],
    ] as const;
    for (const [path, query, code] of requested) {
      const { status, body } = await stack.service.get(
        `/api/relayer/${path}?${String(new URLSearchParams(query))}`,
      );
      expect([status, body]).toEqual([422, expect.objectContaining({ code })]);
    }
    const unknown = [
      ...forgedWithdrawalOf({
        notes: outputs.slice(0, 4),
        index: 3,
        fee: CLAIM_FEE,
        recipient: 2n ** 250n + 5n,
        batchSize: 1,
      }),
    ];
    const { status, body } = await stack.service.post('/api/relayer/withdraw', {
      poolAddress: pool,
      calldata: unknown,
    });
    expect([status, body]).toEqual([422, expect.objectContaining({ code: 'LEAF_UNKNOWN' })]);
  });

  it('answers a repeated swap request with the same result, without a request to the aggregator', async () => {
    stack.chain.control.aggregator.resetCounters();
    stack.chain.control.resetCounters();
    expect((await swap(0)).data).toMatchObject({ execution_status: 'SUCCEEDED', leafIndex: 0 });
    expect(stack.chain.control.aggregator.counters()).toMatchObject({ quotes: 0, build: 0 });
    expect(stack.chain.control.counters().calls[ADD]).toBeUndefined();

    const other = await stack.service.post('/api/relayer/private-swap', {
      ...bodyOf(0),
      newCommitment: commitmentOf(THIEF),
    });
    expect([other.status, other.body]).toEqual([
      409,
      expect.objectContaining({ code: 'NULLIFIER_SPENT', leafIndex: -1 }),
    ]);
  });

  describe('a rejection before the signature', () => {
    it.each(HOSTILE_DEEDS)(
      'rejects a swap before the signature if the aggregator builds "%s"',
      async (deed) => {
        stack.chain.control.aggregator.addFault({
          endpoint: 'build',
          fault: { kind: 'hostile', deed },
        });
        expect(await rejection()).toMatchObject(rejectionOf(deed));
      },
    );

    it('rejects a swap if the exchange rate falls before the transaction is signed', async () => {
      const { aggregator } = stack.chain.control;
      const pair = { sellToken: tokens.WBTC.address, buyToken: ETH.token.address };
      aggregator.moveRate(pair, -350, 'after-build');
      expect(await rejection()).toMatchObject({ status: 422, code: 'SLIPPAGE_TOO_TIGHT' });
      aggregator.setRate({ ...pair, sellAmount: SOLD_SATS, buyAmount: ETH.amount });
    });

    it('S3: rejects a quote for a thousandth of the sold value even if the aggregator states the price impact', async () => {
      const { aggregator } = stack.chain.control;
      aggregator.resetCounters();
      aggregator.configure({ priceImpact: 99.9 });
      aggregator.addFault({
        endpoint: 'quotes',
        fault: { kind: 'hostile-quotes', deed: 'low-quote' },
      });
      expect(await rejection()).toMatchObject(tooFarBelow(ETH.amount / 1_000n));
      aggregator.configure({ priceImpact: 0.05 });
      expect(aggregator.counters().build).toBe(0);
    });

    it('S3: rejects an aggregator’s quote below the fair value that the service computes from two prices', async () => {
      const { aggregator } = stack.chain.control;
      aggregator.addFault({
        endpoint: 'quotes',
        fault: { kind: 'hostile-quotes', deed: 'low-quote' },
      });
      expect(await rejection({ minAmountOut: '1' })).toMatchObject(
        tooFarBelow(ETH.amount / 1_000n),
      );
      const pair = { sellToken: tokens.WBTC.address, buyToken: ETH.token.address };
      aggregator.moveRate(pair, -301);
      expect(await rejection()).toMatchObject({ status: 422, code: 'PRICE_IMPACT_TOO_HIGH' });
      aggregator.setRate({ ...pair, sellAmount: SOLD_SATS, buyAmount: ETH.amount });
    });

    it('S3 rejects a swap if the aggregator’s quote states an impossible price impact', async () => {
      stack.chain.control.aggregator.addFault({
        endpoint: 'quotes',
        fault: { kind: 'hostile-quotes', deed: 'absurd-impact' },
      });
      expect(await rejection()).toMatchObject({ status: 502, code: 'AGGREGATOR_MALFORMED' });
    });

    it('S3: rejects a swap into an ERC-20 token without two prices', async () => {
      const { aggregator } = stack.chain.control;
      aggregator.setUsdPrice(ETH.token.address, null);
      // Prices are requested again after five seconds.
      await eventually(
        'the token to be listed no more',
        async () => (await listed())?.includes('ETH') === false,
      );
      expect(await rejection()).toMatchObject({ status: 422, code: 'OUTPUT_TOKEN_NOT_SUPPORTED' });
      aggregator.setUsdPrice(ETH.token.address, 'oracle');
      await eventually(
        'the token to be listed',
        async () => (await listed())?.includes('ETH') === true,
      );
    });

    it('rejects a swap if the swap pool already contains the new commitment', async () => {
      expect(await rejection({ ...bodyOf(FIFTH), newCommitment: commitmentOf(0) })).toMatchObject({
        status: 409,
        code: 'COMMITMENT_EXISTS',
      });
    });

    it('rejects a swap if the swap pool is paused', async () => {
      stack.chain.control.setStorage(swapPool.address, 'paused', 1n);
      expect(await rejection()).toMatchObject({
        status: 422,
        code: 'SIMULATION_REVERTED',
        details: { reason: expect.stringContaining('paused') },
      });
      stack.chain.control.setStorage(swapPool.address, 'paused', 0n);
    });

    it('rejects a swap if the contract can’t read the aggregator’s route', async () => {
      const { aggregator } = stack.chain.control;
      aggregator.configure({ routeForm: 'branch' });
      expect(await rejection()).toMatchObject({
        status: 502,
        code: 'SWAP_BUILD_REJECTED',
        details: { reason: 'route_form' },
      });
      aggregator.configure({ routeForm: 'direct' });
    });

    it('rejects a swap without a route with a different error code than a swap with too tight a tolerance', async () => {
      const { aggregator } = stack.chain.control;
      aggregator.addFault({ endpoint: 'quotes', fault: { kind: 'no-route' } });
      expect(await rejection()).toMatchObject({ status: 422, code: 'NO_QUOTES_AVAILABLE' });
      aggregator.addFault({
        endpoint: 'build',
        fault: { kind: 'refuse', status: 400, messages: ['insufficient liquidity'] },
      });
      expect(await rejection()).toMatchObject({ status: 422, code: 'NO_QUOTES_AVAILABLE' });
      aggregator.addFault({
        endpoint: 'build',
        fault: { kind: 'refuse', status: 400, messages: ['Slippage tolerance exceeded'] },
      });
      expect(await rejection()).toMatchObject({ status: 422, code: 'SLIPPAGE_TOO_TIGHT' });
    });

    it('rejects a swap if the first and the second quote of the aggregator expire', async () => {
      const { aggregator } = stack.chain.control;
      aggregator.resetCounters();
      aggregator.configure({ quoteLifetimeMs: 0 });
      expect(await rejection()).toMatchObject({ status: 503, code: 'QUOTE_EXPIRED_AT_AGGREGATOR' });
      aggregator.configure({ quoteLifetimeMs: 30_000 });
      expect(aggregator.counters()).toMatchObject({ quotes: 2, build: 2 });
    });

    it('rejects a swap if the aggregator’s response is malformed', async () => {
      const { aggregator } = stack.chain.control;
      aggregator.addFault({
        endpoint: 'quotes',
        fault: { kind: 'answer', body: { quotes: 'none' } },
      });
      expect(await rejection()).toMatchObject({ status: 502, code: 'AGGREGATOR_MALFORMED' });
      aggregator.addFault({
        endpoint: 'build',
        fault: { kind: 'answer', body: { calls: 'none' } },
      });
      expect(await rejection()).toMatchObject({ status: 502, code: 'AGGREGATOR_MALFORMED' });
    });

    it.each([
      ['S7 a slippage below 0.1 %', { slippage: 0.0009 }, 400, 'SLIPPAGE_OUT_OF_RANGE'],
      ['a slippage of 0', { slippage: 0 }, 400, 'SLIPPAGE_OUT_OF_RANGE'],
      ['a slippage above 15 %', { slippage: 0.1500001 }, 400, 'SLIPPAGE_OUT_OF_RANGE'],
      ['a negative slippage', { slippage: -0.01 }, 400, 'SLIPPAGE_OUT_OF_RANGE'],
      ['a slippage in text', { slippage: '0.01' }, 400, 'INVALID_REQUEST'],
      ['no commitment', { newCommitment: '0x0' }, 400, 'COMMITMENT_INVALID'],
      [
        'an output token that is not listed',
        { outputToken: addressText(tokens.WBTC) },
        422,
        'OUTPUT_TOKEN_NOT_SUPPORTED',
      ],
      ['a pool that is not served', { wbtcPool: '0x1' }, 404, 'POOL_NOT_SUPPORTED'],
      [
        'S15 a pool of another kind',
        { wbtcPool: addressText(pools.sentinel_1x) },
        422,
        'POOL_NOT_SWAPPABLE',
      ],
      [
        'S15 a pool of another token',
        { wbtcPool: addressText(pools.stable_10) },
        422,
        'POOL_NOT_SWAPPABLE',
      ],
      [
        'a proof for another recipient',
        { proofCalldata: vector.calldata },
        422,
        'RECIPIENT_NOT_SWAP_POOL',
      ],
    ])('rejects a private swap request with %s', async (_what, changes, status, code) => {
      expect(await rejection(changes)).toMatchObject({ status, code });
    });

    it('S15: rejects a swap from a pool that does not allow swaps', async () => {
      expect(await rejection({ wbtcPool: addressText(pools.sentinel_1x) })).toMatchObject({
        details: { allowed: [pools.swap_input_1, pools.swap_input_2].map(addressText).join(', ') },
      });
    });

    // These tests run last, because the service stops using an aggregator for some time after
    // repeated failures.
    it.each([
      ['answers a page', { kind: 'html' }],
      ['breaks off', { kind: 'cut' }],
    ] as const)('rejects a private swap if the aggregator %s', async (_what, fault) => {
      await restart();
      stack.chain.control.aggregator.addFault({ endpoint: 'quotes', fault, times: 10 });
      expect(await rejection()).toMatchObject({ status: 503, code: 'AGGREGATOR_UNAVAILABLE' });
    });
  });

  it('S3: requests a second quote from the aggregator if the first quote has expired', async () => {
    await restart();
    const { aggregator } = stack.chain.control;
    aggregator.resetCounters();
    aggregator.addFault({
      endpoint: 'quotes',
      fault: { kind: 'hostile-quotes', deed: 'unsorted-quotes' },
      times: 2,
    });
    aggregator.addFault({
      endpoint: 'build',
      fault: { kind: 'refuse', status: 400, messages: ['Invalid quote id'] },
    });
    expect((await swap(FOURTH)).data).toMatchObject({
      execution_status: 'SUCCEEDED',
      leafIndex: FOURTH,
      outputAmount: `0x${ETH.amount.toString(16)}`,
    });
    expect(aggregator.counters()).toMatchObject({ quotes: 2, build: 2 });
  });

  it('S1: only the swap’s owner may retry a swap that reverted because of a worse price', async () => {
    const { control } = stack.chain;
    const pair = { sellToken: tokens.WBTC.address, buyToken: ETH.token.address };
    control.pause();
    const floor = String((ETH.amount * 98n) / 100n);
    const requested = sotto.POST('/api/relayer/private-swap', {
      body: { ...bodyOf(FIFTH, ETH.token, 0.02), minAmountOut: floor },
    });
    await eventually(
      'the swap to be sent',
      () => stack.chain.waiting(accounts.swapOwner).length === 1,
    );
    control.aggregator.moveRate(pair, -250);
    control.resume();
    const { data, response } = await requested;
    expect([response.status, data]).toEqual([
      200,
      {
        transaction_hash: expect.any(String),
        execution_status: 'REVERTED',
        revert_reason: expect.stringContaining('Insufficient tokens received'),
        leafIndex: -1,
        outputAmount: '0x0',
        noteAtRisk: { reason: 'PROOF_IS_PUBLIC', remedy: 'withdraw' },
        slippage: 0.02,
        floor,
      },
    ]);
    expect(await isSpent(FIFTH)).toBe(false);
    const location = response.headers.get('location') ?? '';
    const reverted = await eventually('the revert to be final', async () => {
      const { body } = await stack.service.get(location);
      return Object(body).state === 'reverted' && body;
    });
    expect(reverted).toMatchObject({
      execution_status: 'REVERTED',
      leafIndex: -1,
      outputAmount: '0x0',
    });

    // The proof is now public, because the chain contains the reverted transaction.
    const stolen = { ...bodyOf(FIFTH), newCommitment: commitmentOf(THIEF) };
    const { status, body } = await stack.service.post('/api/relayer/private-swap', stolen);
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        code: 'SWAP_PINNED',
        details: { newCommitment: commitmentOf(FIFTH), outputToken: addressText(ETH.token) },
        leafIndex: -1,
      }),
    ]);
    const below = await swap(FIFTH, ETH.token, 0.15);
    expect(below.error).toMatchObject({ code: 'SWAP_BELOW_FLOOR', details: { floor } });

    control.aggregator.setRate({ ...pair, sellAmount: SOLD_SATS, buyAmount: ETH.amount });
    const again = await swap(FIFTH, ETH.token, 0.02);
    expect(again.data).toMatchObject({ execution_status: 'SUCCEEDED', leafIndex: FIFTH });
    expect(again.response.headers.get('location')).not.toBe(location);
    expect(
      (await stack.service.get(again.response.headers.get('location') ?? '')).body,
    ).toMatchObject({ attempt: 2 });
  });

  it.each(Object.entries(CRASHED))(
    'a private swap is settled after the service is killed at "%s" and restarted',
    async (checkpoint, index) => {
      await restart({ SOTTO_FAILPOINT: checkpoint });
      await stack.service.post('/api/relayer/private-swap', bodyOf(index)).catch(() => undefined);
      expect(await stack.service.ended).toEqual({ code: null, signal: 'SIGKILL' });
      const id = stack.ledger().attempts.at(-1)?.id;
      const paid = stack.chain.inclusions(accounts.swapOwner).length;

      await restart();
      const settled = await eventually('the swap to be settled', async () => {
        const { body } = await stack.service.get(`/api/relayer/submissions/${id}`);
        return Object(body).state === 'succeeded' && body;
      });
      const outcome = {
        execution_status: 'SUCCEEDED',
        leafIndex: index,
        outputAmount: `0x${ETH.amount.toString(16)}`,
      };
      expect(settled).toMatchObject({ attempt: 1, finality: IN_A_BLOCK, ...outcome });
      expect((await swap(index)).data).toMatchObject(outcome);
      expect(await leafInfo(index)).toEqual([ETH.token.address, ETH.amount, 0n]);
      expect(stack.chain.inclusions(accounts.swapOwner).length - paid).toBeLessThanOrEqual(1);
      expect(await nextLeaf()).toBe(index + 1);
    },
  );

  it('S2: a proof is sent to the node only after the terms of its swap are pinned', async () => {
    const proof = proofs[SIXTH] ?? [];
    const shownAt: number[] = [];
    const node = await watchNode(stack.environment['STARKNET_RPC_URLS'] ?? '', (body) => {
      if (shows(body, proof)) shownAt.push(stack.ledger().swapPins);
    });
    try {
      const pins = stack.ledger().swapPins;
      stack.service.kill('SIGTERM');
      await stack.service.ended;
      forgetSwapPins(stack.databaseFile);
      await restart({ STARKNET_RPC_URLS: node.url });
      await eventually(
        'the lost pins to be read from the chain',
        () => stack.ledger().swapPins === pins,
      );
      await stack.service.ready();
      stack.chain.control.setStorage(swapPool.address, 'paused', 1n);
      expect(
        (await stack.service.post('/api/relayer/private-swap', bodyOf(SIXTH))).body,
      ).toMatchObject({ code: 'SIMULATION_REVERTED' });
      expect(shownAt).toEqual([pins + 1]);
      stack.chain.control.setStorage(swapPool.address, 'paused', 0n);
      const stolen = { ...bodyOf(SIXTH), newCommitment: commitmentOf(THIEF) };
      expect(await stack.service.post('/api/relayer/private-swap', stolen)).toMatchObject({
        status: 409,
        body: { code: 'SWAP_PINNED' },
      });
      expect(await isSpent(SIXTH)).toBe(false);
    } finally {
      await node.stop();
    }
  });
});

function tooFarBelow(quoted: bigint): object {
  const details = {
    fairAmount: String(ETH.amount),
    quotedAmount: String(quoted),
    maximumImpact: 0.03,
  };
  return { status: 422, code: 'PRICE_IMPACT_TOO_HIGH', details };
}

/**
 * Returns true if a request contains the points of the proof, which only the note's owner knows.
 * The first point follows the length felt.
 */
function shows(body: string, proof: readonly string[]): boolean {
  const felts = new Set(body.match(/0x[\da-f]+/gi)?.map((felt) => BigInt(felt)));
  return proof.slice(1, 9).every((felt) => felts.has(BigInt(felt)));
}

/** Returns the commitment of the note that the swap of this input note creates. */
function commitmentOf(index: number): string {
  const note = outputs[index];
  if (note === undefined) throw new RangeError('there is no such note');
  return commitmentText(note);
}
