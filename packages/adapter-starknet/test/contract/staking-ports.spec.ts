import { PragmaBtcPriceSource, PragmaPriceSource, VesuLendingPoolReader, shortStringFelt } from '@sotto/adapter-starknet';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { ListStakingPools, STAKING_FRESHNESS, stakingPoolReply, type LendingPool, type LendingPoolState } from '@sotto/staking-core';
import {
  FixedRewards,
  describeBtcPriceSourceContract,
  describeLendingPoolReaderContract,
  type LendingPoolStage,
} from '@sotto/staking-core/testing';
import { z } from 'zod';
import { SandboxStack } from '../support/sandbox-stack.js';

const { lendingPools, tokens, oracle } = sandboxWorld;
const lendingPool = ({ address, asset }: typeof lendingPools.prime): LendingPool => ({ pool: toFelt(address), asset: toFelt(asset) });
const PRIME = lendingPool(lendingPools.prime);
const PARTNER = lendingPool(lendingPools.partner_xbtc);
const E18 = 10n ** 18n;
const SCALE = 10n ** 8n;

/**
 * The sandbox's curve with a rate of 20e-9 at full utilization: 4e-9 at the target of 80 %, straight lines before and after it.
 * At 40 % that is 4e-9 · 40/80, at 90 % it is 4e-9 + (20e-9 − 4e-9) · 10/20.
 */
const STATES: Readonly<Record<LendingPoolStage, LendingPoolState>> = {
  idle: { reserve: 123n * SCALE, totalNominalDebtE18: 0n, rateAccumulatorE18: E18, scale: SCALE, interestRateE18: 0n },
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

function stage(
  { control }: SandboxStack,
  { pool }: LendingPool,
  { reserve, totalNominalDebtE18, rateAccumulatorE18 }: LendingPoolState,
): void {
  control.setLendingMarket(BigInt(pool), { reserve, nominalDebtE18: totalNominalDebtE18, rateAccumulatorE18 });
}

describeLendingPoolReaderContract('Vesu in the sandbox', async () => {
  const stack = await SandboxStack.start();
  return {
    subject: new VesuLendingPoolReader(stack.node),
    pools: [PRIME, PARTNER],
    otherAsset: toFelt(tokens.STRK.address),
    stage: async (pool, wanted) => {
      stage(stack, pool, STATES[wanted]);
      return STATES[wanted];
    },
    mine: async () => {
      stack.control.moveClock(10_000);
      stack.control.mine();
      const block = await stack.node.call({ method: 'starknet_getBlockWithTxHashes', params: { block_id: 'latest' }, result: Block });
      return { blockNumber: block.block_number, timestampSeconds: block.timestamp };
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describeBtcPriceSourceContract('Pragma in the sandbox', async () => {
  const stack = await SandboxStack.start();
  const pair = shortStringFelt('WBTC/USD').slice(2);
  return {
    subject: new PragmaBtcPriceSource(new PragmaPriceSource(stack.node, { oracle: toFelt(oracle) })),
    stage: async (observation) => {
      const slots = {
        price: observation?.usdE8 ?? 0n,
        decimals: 8n,
        timestamp: BigInt(Math.floor((observation?.observedAtMs ?? 0) / 1_000)),
        sources: observation === null ? 0n : 5n,
        live: 0n,
      };
      for (const [slot, value] of Object.entries(slots)) stack.control.setStorage(oracle, `${slot}:${pair}`, value);
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describe('yields from the chain', () => {
  let stack: SandboxStack;
  beforeEach(async () => {
    stack = await SandboxStack.start();
  });
  afterEach(async () => stack.stop());

  function subject(): ListStakingPools {
    const rewards = new FixedRewards();
    rewards.set(PARTNER.pool, 45n * 10n ** 15n);
    const sources = {
      lendingPools: new VesuLendingPoolReader(stack.node),
      btcPrice: new PragmaBtcPriceSource(new PragmaPriceSource(stack.node, { oracle: toFelt(oracle) })),
      rewards,
    };
    const pools = [
      { ...PRIME, slug: 'prime', name: 'Prime', vaultTokenSymbol: 'vWBTC', risk: { label: 'Low', level: 1 } },
      { ...PARTNER, slug: 'partner-xbtc', name: 'Partner xBTC', vaultTokenSymbol: 'vWBTC-xBTC', risk: { label: 'Low-Medium', level: 2 } },
    ] as const;
    return new ListStakingPools(sources, { pools, freshness: STAKING_FRESHNESS }, systemClock);
  }

  it('are those of the contracts’ integers, at the price of the oracle, in two HTTP requests for everything', async () => {
    stage(stack, PRIME, STATES.normal);
    stage(stack, PARTNER, STATES.above_target);
    stack.control.resetCounters();
    const [prime, partner] = (await subject().execute()).map(stakingPoolReply);
    expect(stack.control.counters().httpRequests).toBe(2);
    // 2e-9 · 31,104,000 s = 6.2208 %; (1 + 2e-9)^31,104,000 − 1 = 6.418367184676563…%, on 40 % of the supply.
    expect(prime).toEqual({
      slug: 'prime',
      name: 'Prime',
      poolId: PRIME.pool,
      supplyApy: 2.5673468738706253,
      btcFiApr: 0,
      totalApy: 2.5673468738706253,
      utilization: 0.4,
      tvlUsd: 10_000_000,
      totalSupplied: 100,
      btcPrice: 100_000,
      borrowApr: 6.2208,
    });
    expect(partner).toMatchObject({ supplyApy: 40.720004833905996, btcFiApr: 4.5, utilization: 0.9, borrowApr: 37.3248 });
  });

  it('stay what they are when a block comes between the two requests', async () => {
    const { control } = stack;
    stage(stack, PRIME, STATES.above_target);
    const blockNumber = control.mine();
    control.resetCounters();
    control.addFault({ method: 'starknet_blockHashAndNumber', fault: { kind: 'answer-late', delayMs: 200 } });
    const reading = new VesuLendingPoolReader(stack.node).readPools([PRIME, PARTNER]);
    while (control.counters().httpRequests === 0) await systemClock.sleep(5);
    // Above the target the rate rises with time: what the first block’s figures give in the next block is another one.
    control.moveClock(3_600_000);
    control.mine();
    expect(await reading).toMatchObject({ blockNumber, pools: [STATES.above_target, { scale: SCALE }] });
  });
});
