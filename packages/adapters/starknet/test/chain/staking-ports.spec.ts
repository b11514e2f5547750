import {
  PragmaBtcPriceSource,
  PragmaPriceSource,
  VesuLendingPoolReader,
} from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import {
  ListStakingPools,
  STAKING_FRESHNESS,
  stakingPoolReply,
  type LendingPool,
  type LendingPoolState,
} from '@sotto/staking-core';
import { FixedRewards, InMemoryRewardRates } from '@sotto/staking-core/testing';
import {
  describeBtcPriceSourceContract,
  describeLendingPoolReaderContract,
  type LendingPoolStage,
} from '@sotto/staking-core/testing/contracts';
import { z } from 'zod';
import type { ChainStack } from '../support/chain-stack.js';
import type { ChainWorld } from '../support/chain-world.js';
import { describeOnChain, describePortsOnChain } from '../support/node-under-test.js';
import { PRICES } from '../support/settings.js';

const E18 = 10n ** 18n;
const SCALE = 10n ** 8n;

/**
 * Freshness limits with a long wait. Responses may be late on a busy machine, and these tests do
 * not examine late responses.
 */
const FRESHNESS = { ...STAKING_FRESHNESS, waitMs: 60_000 };

/**
 * States of a lending pool on the sandbox's rate curve. The rate per second is 4e-9 at the target
 * utilization of 80 % and 20e-9 at full utilization. The curve is linear below and above the
 * target: the rate at 40 % is 4e-9 · 40/80; at 90 % it is 4e-9 + (20e-9 − 4e-9) · 10/20.
 */
const STATES: Readonly<Record<LendingPoolStage, LendingPoolState>> = {
  idle: {
    reserve: 123n * SCALE,
    totalNominalDebtE18: 0n,
    rateAccumulatorE18: E18,
    scale: SCALE,
    interestRateE18: 0n,
  },
  normal: {
    reserve: 60n * SCALE,
    totalNominalDebtE18: 32n * E18,
    rateAccumulatorE18: (125n * E18) / 100n,
    scale: SCALE,
    interestRateE18: 2_000_000_000n,
  },
  above_target: {
    reserve: 10n * SCALE,
    totalNominalDebtE18: 90n * E18,
    rateAccumulatorE18: E18,
    scale: SCALE,
    interestRateE18: 12_000_000_000n,
  },
};

const Block = z.object({ block_number: z.int(), timestamp: z.int() });

function poolsOf({
  lendingPools: { prime, partner_xbtc: partner },
}: ChainWorld): readonly [LendingPool, LendingPool] {
  const lendingPool = ({ address, asset }: typeof prime): LendingPool => ({
    pool: toFelt(address),
    asset: toFelt(asset),
  });
  return [lendingPool(prime), lendingPool(partner)];
}

async function stage(
  stack: ChainStack,
  { pool }: LendingPool,
  state: LendingPoolState,
): Promise<void> {
  const { reserve, totalNominalDebtE18: nominalDebtE18, rateAccumulatorE18 } = state;
  await stack.setLendingMarket(pool, { reserve, nominalDebtE18, rateAccumulatorE18 });
}

describePortsOnChain((chain) => {
  describeLendingPoolReaderContract(runner, `Vesu, ${chain.name}`, async () => {
    const stack = await chain.start();
    return {
      subject: new VesuLendingPoolReader(stack.node),
      pools: poolsOf(stack.world),
      otherAsset: toFelt(stack.world.tokens.STRK.address),
      stage: async (pool, wanted) => {
        await stage(stack, pool, STATES[wanted]);
        return STATES[wanted];
      },
      mine: async () => {
        await stack.passTime(10);
        await stack.mine();
        const block = await stack.node.call({
          method: 'starknet_getBlockWithTxHashes',
          params: { block_id: 'latest' },
          result: Block,
        });
        return { blockNumber: block.block_number, timestampSeconds: block.timestamp };
      },
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });

  describeBtcPriceSourceContract(runner, `Pragma, ${chain.name}`, async () => {
    const stack = await chain.start();
    return {
      subject: new PragmaBtcPriceSource(
        new PragmaPriceSource(stack.node, { ...PRICES, oracle: toFelt(stack.world.oracle) }),
      ),
      stage: async (observation) => stack.setPrice('WBTC/USD', observation ?? undefined),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});

describeOnChain((chain) => {
  describe('yields from the chain', () => {
    let stack: ChainStack;
    let prime: LendingPool;
    let partner: LendingPool;
    beforeEach(async () => {
      stack = await chain.start();
      [prime, partner] = poolsOf(stack.world);
    });
    afterEach(async () => stack.stop());

    function subject(): ListStakingPools {
      const rewards = new FixedRewards();
      rewards.set(partner.pool, 45n * 10n ** 15n);
      const sources = {
        lendingPools: new VesuLendingPoolReader(stack.node),
        btcPrice: new PragmaBtcPriceSource(
          new PragmaPriceSource(stack.node, { ...PRICES, oracle: toFelt(stack.world.oracle) }),
        ),
        rewards,
        rates: new InMemoryRewardRates(),
      };
      const pools = [
        {
          ...prime,
          slug: 'prime',
          name: 'Prime',
          vaultToken: toFelt('0x1'),
          vaultTokenSymbol: 'vWBTC',
          risk: { label: 'Low', level: 1 },
        },
        {
          ...partner,
          slug: 'partner-xbtc',
          name: 'Partner xBTC',
          vaultToken: toFelt('0x2'),
          vaultTokenSymbol: 'vWBTC-xBTC',
          risk: { label: 'Low-Medium', level: 2 },
        },
      ] as const;
      return new ListStakingPools(sources, { pools, freshness: FRESHNESS }, systemClock);
    }

    it('the yields equal the values computed from the contracts’ integers and the oracle price', async () => {
      await stage(stack, prime, STATES.normal);
      await stage(stack, partner, STATES.above_target);
      stack.resetCounters();
      const [first, second] = (await subject().execute()).map(stakingPoolReply);
      expect(stack.counters().httpRequests).toBe(2);
      // The APR is 2e-9 · 31,104,000 s = 6.2208 %. The APY is (1 + 2e-9)^31,104,000 − 1 =
      // 6.418367184676563…%, earned on 40 % of the supply.
      expect(first).toMatchObject({
        slug: 'prime',
        name: 'Prime',
        poolId: prime.pool,
        supplyApy: 2.5673468738706253,
        btcFiApr: 0,
        totalApy: 2.5673468738706253,
        utilization: 0.4,
        tvlUsd: 10_000_000,
        totalSupplied: 100,
        btcPrice: 100_000,
        borrowApr: 6.2208,
        vaultTokenSymbol: 'vWBTC',
        risk: { label: 'Low', level: 1 },
      });
      expect(second).toMatchObject({
        supplyApy: 40.720004833905996,
        btcFiApr: 4.5,
        utilization: 0.9,
        borrowApr: 37.3248,
      });
    });

    it('the yields do not change if a block arrives between the two requests that read them', async () => {
      await stage(stack, prime, STATES.above_target);
      const blockNumber = await stack.mine();
      stack.resetCounters();
      stack.addFault({
        method: 'starknet_blockHashAndNumber',
        fault: { kind: 'answer-late', delayMs: 200 },
      });
      const reading = new VesuLendingPoolReader(stack.node).readPools([prime, partner]);
      while (stack.counters().calls['starknet_blockHashAndNumber'] === undefined)
        await systemClock.sleep(5);
      // Above the target utilization, the rate rises with time. So the arguments read at the first
      // block yield a different rate in the next block.
      await stack.passTime(3_600);
      await stack.mine();
      expect(await reading).toMatchObject({
        blockNumber,
        pools: [STATES.above_target, { scale: SCALE }],
      });
    });
  });
});
