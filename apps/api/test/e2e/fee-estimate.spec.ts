import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SottoClient } from '@sotto/client';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import type { StagedPrice } from './support/chain.js';
import { restarted } from './support/domains.js';
import { addressText } from './support/notes.js';
import { Stack } from './support/stack.js';

const { pools, swapPool, tokens } = sandboxWorld;
const pool = addressText(pools.sentinel_1x);
const stablePool = addressText(pools.stable_10);
const HOURS_AGO_SECONDS = 2 * 3_600;
const UNKNOWN_LEAVES = 380;

interface World {
  readonly l2GasFri?: bigint;
  readonly l1DataGasFri?: bigint;
  readonly strk?: StagedPrice;
  readonly wbtc?: StagedPrice;
  readonly usdc?: StagedPrice;
}
const GAS = { l2GasFri: 8_000_000_000n, l1DataGasFri: 1_000_000_000n };
const PRICES = {
  strk: { usdE8: 4_000_000n },
  wbtc: { usdE8: 10_000_000_000_000n },
  usdc: { usdE8: 100_000_000n },
};

const inToken = (token: { readonly address: bigint }, sats: number, amount = sats): object => ({
  feeSats: sats,
  feeAmount: String(amount),
  feeToken: addressText(token),
});

describe('the fee estimate', () => {
  let stack: Stack;
  let sotto: SottoClient;
  beforeAll(async () => {
    stack = await Stack.start({ whole: true, cadence: 'manual', isStarted: false });
  });
  afterAll(() => stack.stop());

  /**
   * Restarts the service with these gas prices and token prices, without cached data.
   * @param stage function that makes further changes before the service starts
   */
  const poll = async (
    { l2GasFri, l1DataGasFri, strk, wbtc, usdc }: World = {},
    stage: () => void = () => {},
  ): Promise<void> => {
    const { control } = stack.chain;
    control.clearFaults();
    control.aggregator.clearFaults();
    for (const token of [tokens.STRK, tokens.WBTC, tokens.USDC])
      control.aggregator.setUsdPrice(token.address, 'oracle');
    stack.chain.setPrice('STRK/USD', strk ?? PRICES.strk);
    stack.chain.setPrice('WBTC/USD', wbtc ?? PRICES.wbtc);
    stack.chain.setPrice('USDC/USD', usdc ?? PRICES.usdc);
    control.setGasPrices({
      l2Gas: l2GasFri ?? GAS.l2GasFri,
      l1DataGas: l1DataGasFri ?? GAS.l1DataGasFri,
    });
    control.mine(2);
    stage();
    sotto = await restarted(stack);
  };
  const estimate = (of?: string) =>
    sotto.GET('/api/relayer/fee-estimate', {
      params: { query: of === undefined ? {} : { pool: of } },
    });

  // These figures were computed by hand from the gas in the interface's table. Gas: 800,000 for the
  // deposit, a third of the 1,200,000 for a batch, 35,000,000 for the withdrawal, and 5,000 data
  // gas for each of these three steps. The fee is the cost in sats, rounded up, times 1.2, rounded
  // up.
  const handCalculations = [
    {
      what: 'the floor price of gas',
      world: {},
      // 0.289615 STRK · 0.04 USD = 0.0115846 USD = 11.5846 sats → 12 → 14.4 → 15
      feeSats: 15,
      gas: {
        deposit: 0.006405,
        batch: 0.003205,
        withdraw: 0.280005,
        total: 0.289615,
        usd: 0.0115846,
      },
      gasPrices: { l2GasPriceFri: '8000000000', l1DataGasPriceFri: '1000000000' },
      prices: { strkUsd: 0.04, btcUsd: 100_000 },
      // 11,584.6 millionths of a USDC → 11,585 → 13,902, worth 13.902 sats. The maximum is 500.
      stableFee: { amount: 13_902, sats: 14, maxSats: 500 },
    },
    {
      what: 'a more expensive day',
      world: {
        l2GasFri: 30_000_000_000n,
        l1DataGasFri: 45_000n,
        strk: { usdE8: 12_000_000n },
        wbtc: { usdE8: 9_500_000_000_000n },
      },
      // 1.086000000675 STRK · 0.12 USD = 0.130320000081 USD = 137.178… sats → 138 → 165.6 → 166
      feeSats: 166,
      gas: {
        deposit: 0.024000000225,
        batch: 0.012000000225,
        withdraw: 1.050000000225,
        total: 1.086000000675,
        usd: 0.130320000081,
      },
      gasPrices: { l2GasPriceFri: '30000000000', l1DataGasPriceFri: '45000' },
      prices: { strkUsd: 0.12, btcUsd: 95_000 },
      // 130,320.000081 millionths of a USDC → 130,321 → 156,385.2 → 156,386, worth 164.6… sats. The
      // maximum is 526.3…
      stableFee: { amount: 156_386, sats: 165, maxSats: 526 },
    },
    {
      what: 'prices with all their decimals',
      world: {
        l2GasFri: 12_345_678_901n,
        l1DataGasFri: 2_345_678_901n,
        strk: { usdE8: 13_579_246n },
        wbtc: { usdE8: 6_789_012_345_678n },
        usdc: { usdE8: 99_987_654n },
      },
      // 0.446948761399715 STRK · 0.13579246 USD = 0.0606922718… USD = 89.397… sats → 90 → 108
      feeSats: 108,
      gas: {
        deposit: 0.009888271515305,
        batch: 0.004949999954905,
        withdraw: 0.432110489929505,
        total: 0.446948761399715,
        usd: 0.06069227180442034,
      },
      gasPrices: { l2GasPriceFri: '12345678901', l1DataGasPriceFri: '2345678901' },
      prices: { strkUsd: 0.13579246, btcUsd: 67_890.12345678 },
      // 0.0606922718… USD at 0.99987654 USD = 60,699.76… millionths → 60,700 → 72,840, worth 107.2…
      // sats. The maximum is 736.3…
      stableFee: { amount: 72_840, sats: 108, maxSats: 736 },
    },
  ];

  it.each(handCalculations)(
    'the fee estimate equals a value that was calculated by hand; case: $what',
    async ({ world, feeSats, gas, gasPrices, prices, stableFee }) => {
      await poll(world);
      const expected = {
        ...inToken(tokens.WBTC, feeSats),
        feeBreakdown: {
          depositGasStrk: gas.deposit,
          deployBatchGasStrk: gas.batch,
          withdrawGasStrk: gas.withdraw,
          totalGasStrk: gas.total,
          totalGasUsd: gas.usd,
          marginPercent: 20,
        },
        gasPrices,
        prices,
        withdrawGas: {
          l2Gas: 35_000_000,
          l1DataGas: 5_000,
          source: 'profile',
          receipts: 0,
          ageSeconds: null,
        },
      };
      expect((await estimate()).data).toEqual(expected);
      expect((await estimate(pool)).data).toEqual({
        ...expected,
        maxFeeSats: 1_000,
        maxFeeAmount: '1000',
        denomination: 20_000,
      });
      const { amount, sats, maxSats } = stableFee;
      expect((await estimate(stablePool)).data).toEqual({
        ...expected,
        ...inToken(tokens.USDC, sats, amount),
        maxFeeSats: maxSats,
        maxFeeAmount: '500000',
        denomination: 1_000,
      });
    },
  );

  it('no quote is issued if the cost is above the pool’s maximum fee', async () => {
    // 36.200015 STRK · 0.04 USD = 1.4480006 USD = 1,448.0006 sats → 1,449 → 1,738.8 → 1,739
    await poll({ l2GasFri: 1_000_000_000_000n });
    expect((await estimate()).data).toMatchObject({ feeSats: 1_739 });
    expect((await estimate(pool)).data).toMatchObject({
      feeSats: 1_000,
      maxFeeSats: 1_000,
      feeBreakdown: { totalGasStrk: 36.200015 },
    });
    const { response, error } = await sotto.POST('/api/relayer/quote', {
      body: { poolAddress: pool },
    });
    expect([response.status, error?.code]).toEqual([503, 'WITHDRAWAL_UNPROFITABLE']);
    expect(error?.details).toEqual({ cost: '1449', maximum: '1000' });
  });

  it('the fee estimate follows prices while the service runs', async () => {
    await poll();
    expect((await estimate()).data?.feeSats).toBe(15);
    stack.chain.setPrice('STRK/USD', { usdE8: 40_000_000n });
    // Ten times 11.5846 sats → 116 → 139.2 → 140
    expect(
      await eventually('the new price', async () => (await estimate()).data?.feeSats === 140),
    ).toBe(true);
  });

  const nowSeconds = (): number => Math.floor(stack.chain.control.nowMs() / 1_000);
  const troubles: readonly (readonly [string, string, () => Promise<void>])[] = [
    [
      'the oracle’s price is old',
      'WBTC',
      () =>
        poll({ wbtc: { ...PRICES.wbtc, publishedAtSeconds: nowSeconds() - HOURS_AGO_SECONDS } }),
    ],
    [
      'the oracle’s price is from the future',
      'STRK',
      () =>
        poll({ strk: { ...PRICES.strk, publishedAtSeconds: nowSeconds() + HOURS_AGO_SECONDS } }),
    ],
    [
      'the oracle’s price is thinly published',
      'STRK',
      () => poll({ strk: { ...PRICES.strk, sources: 2 } }),
    ],
    [
      'the oracle has no price',
      'WBTC',
      () => poll({ wbtc: { usdE8: 0n, sources: 0, publishedAtSeconds: 0 } }),
    ],
    [
      'the second source is too far above the first',
      'STRK',
      () => disagreeing(tokens.STRK.address, 0.040801),
    ],
    [
      'the second source is too far below the first',
      'WBTC',
      () => disagreeing(tokens.WBTC.address, 98_000),
    ],
    ['the second source has no price', 'WBTC', () => disagreeing(tokens.WBTC.address, null)],
    ['the second source answers with a page', 'STRK', () => failing({ kind: 'html' })],
    ['the second source breaks off', 'STRK', () => failing({ kind: 'cut' })],
    [
      'the second source answers nonsense',
      'STRK',
      () => failing({ kind: 'answer', body: [{ usd: 'much' }] }),
    ],
  ];
  const disagreeing = (token: bigint, usd: number | null): Promise<void> =>
    poll({}, () => stack.chain.control.aggregator.setUsdPrice(token, usd));
  const failing = (
    fault: Parameters<typeof stack.chain.control.aggregator.addFault>[0]['fault'],
  ): Promise<void> =>
    poll({}, () =>
      stack.chain.control.aggregator.addFault({ endpoint: 'prices', fault, times: 1_000 }),
    );

  it.each(troubles)(
    'requests for a fee estimate or a quote get 503 instead of a guessed fee if %s',
    async (_what, asset, stage) => {
      await stage();
      const answers = [
        await estimate(),
        await estimate(pool),
        await sotto.POST('/api/relayer/quote', { body: { poolAddress: pool } }),
      ];
      for (const { response, data, error } of answers) {
        expect([response.status, data, error?.code]).toEqual([503, undefined, 'PRICE_UNAVAILABLE']);
        expect(error?.details).toMatchObject({ asset });
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    },
  );

  it('the fee estimate uses the first source’s price if the two sources’ prices are close enough', async () => {
    await poll();
    stack.chain.control.aggregator.setUsdPrice(tokens.STRK.address, 0.0408);
    expect((await estimate()).data).toMatchObject({ feeSats: 15, prices: { strkUsd: 0.04 } });
  });

  it('T9: fee estimates for leaf indexes without a swap share their calls to the node', async () => {
    await poll();
    const { control } = stack.chain;
    const before = control.counters().calls['starknet_call'] ?? 0;
    const path = `/api/relayer/fee-estimate?pool=${addressText(swapPool)}`;
    const answers = await Promise.all(
      Array.from({ length: UNKNOWN_LEAVES }, async (_, index) =>
        stack.service.get(`${path}&leafIndex=${500 + index}`),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${Object(body).code}`))).toEqual(
      new Set(['422 LEAF_UNKNOWN']),
    );
    // The number of reads is not zero, because the service also reads in the background.
    const after = control.counters().calls['starknet_call'] ?? 0;
    expect(after - before).toBeLessThan(UNKNOWN_LEAVES / 4);
  });

  it('responds with NODE_UNAVAILABLE instead of a fee estimate while the node is unavailable', async () => {
    await poll();
    stack.chain.control.addFault({ method: '*', fault: { kind: 'drop-before' }, times: 1_000 });
    const { response, data, error } = await eventually('the node to be unavailable', async () => {
      const answer = await estimate(pool);
      return answer.response.status !== 200 && answer;
    });
    expect([response.status, data, error?.code]).toEqual([503, undefined, 'NODE_UNAVAILABLE']);
  });
});
