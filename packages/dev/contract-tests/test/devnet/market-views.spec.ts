import {
  NodeClient,
  PragmaBtcPriceSource,
  PragmaPriceSource,
  VesuLendingPoolReader,
  selectorOf,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadWithdrawalVector } from '@sotto/prover/node';
import type { RateCurve } from '@sotto/contracts';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import {
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type LendingMarket,
  type Sandbox,
} from '@sotto/sandbox';
import { z } from 'zod';
import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { DevnetChain, TIMEOUTS, type ContractCall } from '../support/devnet-chain.js';

/**
 * Interest rate curve of the sandbox: the published curve of the WBTC market in the protocol's
 * first pool.
 */
const CURVE: RateCurve = {
  minTargetUtilization: 78_000n,
  targetUtilization: 80_000n,
  maxTargetUtilization: 82_000n,
  zeroUtilizationRate: 0n,
  minFullUtilizationRate: 13_035_786_672n,
  maxFullUtilizationRate: 44_569_649_971n,
  halfLifeSeconds: 432_000n,
  targetRateE18: 2n * 10n ** 17n,
};
const E18 = 10n ** 18n;
const SCALE = 10n ** 8n;
const { address: PRIME, asset: ASSET } = sandboxWorld.lendingPools.prime;
const OTHER_ASSET = sandboxWorld.tokens.STRK.address;
const LAST_UPDATED_AT = 13;

const NORMAL: LendingMarket = {
  reserve: 60n * SCALE,
  nominalDebtE18: 32n * E18,
  rateAccumulatorE18: (125n * E18) / 100n,
  fullUtilizationRateE18: 20_000_000_000n,
  scale: SCALE,
};
/**
 * Lending markets, named after their utilization. In the last market, the divisions leave
 * remainders.
 */
const MARKETS: Readonly<Record<string, LendingMarket>> = {
  empty: { ...NORMAL, reserve: 0n, nominalDebtE18: 0n },
  idle: { ...NORMAL, nominalDebtE18: 0n },
  normal: NORMAL,
  'in the target range': { ...NORMAL, reserve: 20n * SCALE, nominalDebtE18: 64n * E18 },
  'above the target': { ...NORMAL, reserve: 10n * SCALE, nominalDebtE18: 72n * E18 },
  uneven: {
    ...NORMAL,
    reserve: 7_123_456_789n,
    nominalDebtE18: 98_765_432_101_234_567_891n,
    rateAccumulatorE18: 1_031_415_926_535_897_932n,
  },
};

const Integers = z.array(z.string().transform(BigInt));

describeOnDevnet('the views of the market', () => {
  let chain: DevnetChain;
  let sandbox: Sandbox;
  let sandboxNode: NodeClient;
  let pool: bigint;
  let oracle: bigint;
  beforeAll(async () => {
    const { verificationKey } = await loadWithdrawalVector();
    sandbox = await startSandbox({ genesis: buildGenesis({ verificationKey }), cadence: 'manual' });
    sandboxNode = new NodeClient({ url: sandbox.rpcUrl, ...TIMEOUTS });
    chain = await DevnetChain.start();
    oracle = await chain.deploy('PriceOracle', { owner: chain.owner });
    const terms = {
      priceOracle: oracle,
      collateralAsset: ASSET,
      debtAsset: OTHER_ASSET,
      maxLtvE18: E18 / 2n,
    };
    pool = await chain.deploy('LendingPool', { owner: chain.owner, curve: CURVE, terms });
  });
  afterAll(async () => {
    await chain.stop();
    await sandbox.stop();
  });

  const setMarket = (market: LendingMarket): ContractCall => {
    const { reserve, nominalDebtE18, rateAccumulatorE18, fullUtilizationRateE18, scale } = market;
    const figures = [reserve, nominalDebtE18, rateAccumulatorE18, fullUtilizationRateE18, scale];
    return {
      contract: pool,
      entrypoint: 'set_market',
      calldata: [ASSET, ...figures.flatMap(u256ToHalves)],
    };
  };
  const setPrice = (
    pair: string,
    price: bigint,
    decimals: bigint,
    updatedAt: bigint,
    sources: bigint,
    live: 0n | 1n,
  ): ContractCall => {
    const calldata = [BigInt(shortStringFelt(pair)), price, decimals, updatedAt, sources, live];
    return { contract: oracle, entrypoint: 'set_price', calldata };
  };
  const onSandbox = async (
    entrypoint: string,
    calldata: readonly bigint[],
  ): Promise<readonly bigint[]> => {
    const request = {
      contract_address: toFelt(PRIME),
      entry_point_selector: selectorOf(entrypoint),
      calldata: calldata.map(toFelt),
    };
    return sandboxNode.call({
      method: 'starknet_call',
      params: { request, block_id: 'latest' },
      result: Integers,
    });
  };
  const onDevnet = (entrypoint: string, calldata: readonly bigint[]): Promise<readonly bigint[]> =>
    chain.view({ contract: pool, entrypoint, calldata });

  it.each(Object.keys(MARKETS))(
    'the lending pool’s views on devnet equal those of the sandbox when the pool is %s, including its rates over time',
    async (name) => {
      const market = MARKETS[name] ?? NORMAL;
      expect((await chain.send(setMarket(market))).revertReason).toBeUndefined();
      sandbox.control.setLendingMarket(PRIME, market);
      sandbox.control.mine();

      const views = async (query: typeof onDevnet): Promise<unknown> => {
        const config = await query('asset_config', [ASSET]);
        const now = config[LAST_UPDATED_AT] ?? 0n;
        const used = await query('utilization', [ASSET]);
        const rates: unknown[] = [];
        for (const elapsed of [0n, 1n, 3_600n, 432_000n, 10_000_000n]) {
          for (const lastRate of [
            NORMAL.fullUtilizationRateE18,
            13_035_786_672n,
            44_569_649_971n,
          ]) {
            rates.push(
              await query('interest_rate', [
                ASSET,
                ...used,
                now - elapsed,
                ...u256ToHalves(lastRate),
              ]),
            );
          }
        }
        return {
          config: config.with(LAST_UPDATED_AT, 0n),
          used,
          rates,
          other: await query('asset_config', [OTHER_ASSET]),
        };
      };
      expect(await views(onDevnet)).toEqual(await views(onSandbox));
    },
  );

  it('the lending pool’s interest_rate view reverts if its start time is in the future', async () => {
    const later = 10_000_000_000n;
    const call = {
      contract: pool,
      entrypoint: 'interest_rate',
      calldata: [ASSET, ...u256ToHalves(E18), later, ...u256ToHalves(1n)],
    };
    expect((await chain.send(call)).revertReason).toContain('u64_sub Overflow');
  });

  it('VesuLendingPoolReader reads the state of a lending pool from its views', async () => {
    await chain.send(setMarket(NORMAL));
    const reader = new VesuLendingPoolReader(chain.node);
    const { pools } = await reader.readPools([{ pool: toFelt(pool), asset: toFelt(ASSET) }]);
    const { reserve, nominalDebtE18: totalNominalDebtE18, rateAccumulatorE18, scale } = NORMAL;
    expect(pools).toEqual([
      { reserve, totalNominalDebtE18, rateAccumulatorE18, scale, interestRateE18: 2_000_000_000n },
    ]);
    await expect(
      reader.readPools([{ pool: toFelt(pool), asset: toFelt(OTHER_ASSET) }]),
    ).rejects.toThrow('does not lend this asset');
  });

  it('PragmaPriceSource reads prices with their time from the oracle', async () => {
    const prices = new PragmaPriceSource(chain.node, {
      oracle: toFelt(oracle),
      minPublishers: 3,
      pairs: { STRK: 'STRK/USD', WBTC: 'WBTC/USD', USDC: 'USDC/USD' },
    });
    expect(await prices.observe(['STRK', 'WBTC', 'USDC'])).toEqual([]);
    await chain.send(
      setPrice('STRK/USD', 4_000_000n, 8n, 1_700_000_000n, 10n, 0n),
      setPrice('WBTC/USD', 100_000n * SCALE, 8n, 0n, 3n, 1n),
      setPrice('USDC/USD', 1_000_000n, 6n, 0n, 2n, 1n),
    );
    const { timestamp } = await chain.node.call({
      method: 'starknet_getBlockWithTxHashes',
      params: { block_id: 'latest' },
      result: z.object({ timestamp: z.int() }),
    });
    const wbtc = { usdE8: 100_000n * SCALE, observedAtMs: timestamp * 1_000 };
    expect(await prices.observe(['STRK', 'WBTC', 'USDC'])).toEqual([
      { asset: 'STRK', usdE8: 4_000_000n, observedAtMs: 1_700_000_000_000 },
      { asset: 'WBTC', ...wbtc },
      // Two publishers are too few.
    ]);
    expect(await new PragmaBtcPriceSource(prices).btcPrice()).toEqual(wbtc);
  });

  it('the oracle returns a price for every aggregation mode, and no price for other kinds of entries', async () => {
    await chain.send(setPrice('ETH/USD', 3_500n * SCALE, 8n, 1_700_000_000n, 10n, 0n));
    const eth = BigInt(shortStringFelt('ETH/USD'));
    const query = (entrypoint: string, ...calldata: readonly bigint[]) =>
      chain.view({ contract: oracle, entrypoint, calldata });
    const price = [3_500n * SCALE, 8n, 1_700_000_000n, 10n, 0n, 0n];
    expect(await query('get_data_median', 0n, eth)).toEqual(price);
    for (const mode of [0n, 1n, 2n, 3n])
      expect(await query('get_data', 0n, eth, mode)).toEqual(price);
    for (const entry of [
      [1n, eth, 1_800_000_000n],
      [2n, eth],
    ]) {
      expect(await query('get_data_median', ...entry)).toEqual([0n, 0n, 0n, 0n, 0n, 0n]);
    }
    const unknown = [
      { entrypoint: 'get_data_median', calldata: [3n, eth] },
      { entrypoint: 'get_data', calldata: [0n, eth, 4n] },
    ];
    // Cairo 2.1 returns this text for arguments that it can't decode, regardless of their length.
    const reason = expect.stringContaining('Input too short for arguments');
    for (const call of unknown)
      expect(await chain.send({ contract: oracle, ...call })).toMatchObject({
        revertReason: reason,
      });
  });

  it('only the owner of the market contracts can set markets and prices', async () => {
    for (const call of [setMarket(NORMAL), setPrice('ETH/USD', 1n, 8n, 0n, 10n, 1n)]) {
      expect((await chain.sendAsStranger(call)).revertReason).toContain('Not owner');
    }
  });
});
