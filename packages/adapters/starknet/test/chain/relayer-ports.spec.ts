import {
  PragmaPriceSource,
  StarknetCallSimulator,
  StarknetContractClasses,
  StarknetGasReceipts,
  StarknetLatestBlock,
  StarknetPoolReader,
} from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import {
  describeCallSimulatorContract,
  describeLatestBlockContract,
} from '@sotto/submission-core/testing/contracts';
import {
  describeContractClassesContract,
  describeGasReceiptsContract,
} from '@sotto/relayer-core/testing/contracts';
import { describePriceSourceContract } from '@sotto/market-core/testing/contracts';
import { describeOnChain, describePortsOnChain } from '../support/node-under-test.js';
import { withdrawal } from '../support/withdrawal.js';
import { PRICES, V4_ENTRYPOINTS } from '../support/settings.js';

const withdraw = { entrypoint: 'withdraw', calldata: withdrawal.calldata };

describePortsOnChain(
  (chain) => {
    describeCallSimulatorContract(runner, chain.name, async () => {
      const stack = await chain.start(withdrawal.deposits);
      const { sentinel_1x: pool, sentinel_2x: emptyPool } = stack.world.pools;
      const [lane] = stack.lanes;
      return {
        subject: new StarknetCallSimulator(stack.node),
        succeeds: { to: toFelt(pool.address), ...withdraw },
        reverts: { call: { to: toFelt(emptyPool.address), ...withdraw }, reason: 'unknown root' },
        restricted: {
          call: {
            to: toFelt(pool.address),
            entrypoint: 'deploy_partial_batch',
            calldata: Felts.of([1n]),
          },
          account: lane,
          rejection: 'Not owner',
        },
        noContract: toFelt('0xdead'),
        transact: async () => {
          await stack.send(await stack.signHarmless(lane));
          await stack.mine();
        },
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    });

    describeGasReceiptsContract(runner, chain.name, async () => {
      const stack = await chain.start(withdrawal.deposits);
      const { sentinel_1x: pool, sentinel_2x: emptyPool } = stack.world.pools;
      const relayed = async (to: bigint): Promise<Felt> => {
        const transaction = await stack.sign(
          stack.lanes[0],
          toFelt(to),
          withdraw.entrypoint,
          withdraw.calldata,
        );
        await stack.send(transaction);
        return transaction.hash;
      };
      const [succeeded, reverted] = [await relayed(pool.address), await relayed(emptyPool.address)];
      await stack.mine();
      return {
        subject: new StarknetGasReceipts(stack.node),
        succeeded,
        reverted,
        unknown: toFelt('0xdead'),
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    });
  },
  ['dies'],
);

describePortsOnChain((chain) => {
  describeContractClassesContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const { sentinel_1x: one, sentinel_2x: other } = stack.world.pools;
    return {
      subject: new StarknetContractClasses(stack.node),
      contracts: [toFelt(one.address), toFelt(other.address)],
      sierra: chain.name.includes('devnet') ? [1, 3, 0] : [1, 7, 0],
      nowhere: toFelt('0xdead'),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });

  describePriceSourceContract(runner, `Pragma, ${chain.name}`, async () => {
    const stack = await chain.start();
    return {
      subject: new PragmaPriceSource(stack.node, { ...PRICES, oracle: toFelt(stack.world.oracle) }),
      stage: async (observations) => {
        for (const asset of ['STRK', 'WBTC', 'USDC']) {
          await stack.setPrice(
            `${asset}/USD`,
            observations.find((each) => each.asset === asset),
          );
        }
      },
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });

  describeLatestBlockContract(runner, chain.name, async () => {
    const stack = await chain.start();
    let nowMs = 0;
    return {
      subject: new StarknetLatestBlock(stack.node, {
        nowMs: () => nowMs,
        monotonicMs: () => nowMs,
        sleep: async () => {},
      }),
      stage: async (blocks) => {
        nowMs += 500;
        return stack.mine(blocks);
      },
      stagePrices: async (prices) => {
        nowMs += 500;
        await stack.setGasPrices(prices);
      },
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});

describeOnChain((chain) => {
  describe('admission reads', () => {
    it('all reads for the admission of a withdrawal share one HTTP request', async () => {
      const stack = await chain.start(withdrawal.deposits);
      try {
        const pool = toFelt(stack.world.pools.sentinel_1x.address);
        stack.resetCounters();
        const { root, nullifierHash } = withdrawal;
        const [facts, simulation, gasPrices, prices] = await Promise.all([
          new StarknetPoolReader(stack.node, V4_ENTRYPOINTS).withdrawalFacts(pool, {
            root,
            nullifierHash,
            batchStart: 0,
          }),
          new StarknetCallSimulator(stack.node).simulate({ to: pool, ...withdraw }),
          new StarknetLatestBlock(stack.node).gasPrices(),
          new PragmaPriceSource(stack.node, {
            ...PRICES,
            oracle: toFelt(stack.world.oracle),
          }).observe(['STRK', 'WBTC']),
        ]);
        expect(stack.counters().httpRequests).toBe(1);
        expect(facts).toMatchObject({ nextIndex: 7, rootKnown: true, nullifierSpent: false });
        expect(simulation).toEqual({ ok: true });
        expect(gasPrices.l2GasFri).toBe(8_000_000_000n);
        expect(prices.map(({ asset }) => asset)).toEqual(['STRK', 'WBTC']);
      } finally {
        await stack.stop();
      }
    });
  });
});
