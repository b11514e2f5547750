import {
  PragmaPriceSource,
  StarknetBlockClock,
  StarknetCallSimulator,
  StarknetGasPriceSource,
  StarknetPoolReader,
  StarknetPoolStatusReader,
  shortStringFelt,
} from '@sotto/adapter-starknet';
import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import type { PriceObservation } from '@sotto/relayer-core';
import {
  describeBlockClockContract,
  describeCallSimulatorContract,
  describeGasPriceSourceContract,
  describePoolReaderContract,
  describePoolStatusReaderContract,
  describePriceSourceContract,
} from '@sotto/relayer-core/testing';
import { sandboxWorld } from '@sotto/sandbox';
import { SandboxStack, withdrawal } from '../support/sandbox-stack.js';

const [LANE] = SandboxStack.lanes;
const ORACLE = toFelt(sandboxWorld.oracle);
const LOW_HALF = (1n << 128n) - 1n;
const withdraw = { entrypoint: 'withdraw', calldata: withdrawal.calldata };

describePoolReaderContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  await stack.deposit();
  await stack.send(await stack.sign(LANE, SandboxStack.pool, withdraw.entrypoint, withdraw.calldata));
  stack.control.mine();
  return {
    subject: new StarknetPoolReader(stack.node),
    pool: SandboxStack.pool,
    maxFee: 1_000n,
    deposits: withdrawal.leaves.length,
    undeployed: 1,
    knownRoot: withdrawal.root,
    unknownRoot: withdrawal.root & LOW_HALF,
    spentNullifier: withdrawal.nullifierHash,
    freshNullifier: withdrawal.nullifierHash & LOW_HALF,
    nowhere: toFelt('0xdead'),
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describeCallSimulatorContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  await stack.deposit();
  return {
    subject: new StarknetCallSimulator(stack.node),
    succeeds: { to: SandboxStack.pool, ...withdraw },
    reverts: { call: { to: SandboxStack.emptyPool, ...withdraw }, reason: 'unknown root' },
    restricted: {
      call: { to: SandboxStack.pool, entrypoint: 'deploy_partial_batch', calldata: Felts.of([1n]) },
      account: LANE,
      refusal: 'Not owner',
    },
    nobody: toFelt('0xdead'),
    transact: async () => {
      await stack.send(await stack.signHarmless(LANE));
      stack.control.mine();
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describePriceSourceContract('Pragma in the sandbox', async () => {
  const stack = await SandboxStack.start();
  const setPrice = (asset: string, observation: PriceObservation | undefined): void => {
    const pair = shortStringFelt(`${asset}/USD`).slice(2);
    const slots = {
      price: observation?.usdE8 ?? 0n,
      decimals: observation === undefined ? 0n : 8n,
      timestamp: BigInt(Math.floor((observation?.observedAtMs ?? 0) / 1_000)),
      sources: observation === undefined ? 0n : 3n,
      live: 0n,
    };
    for (const [slot, value] of Object.entries(slots)) stack.control.setStorage(sandboxWorld.oracle, `${slot}:${pair}`, value);
  };
  return {
    subject: new PragmaPriceSource(stack.node, { oracle: ORACLE }),
    stage: async (observations) => {
      for (const asset of ['STRK', 'WBTC', 'USDC'])
        setPrice(
          asset,
          observations.find((each) => each.asset === asset),
        );
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describeGasPriceSourceContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  return {
    subject: new StarknetGasPriceSource(stack.node),
    stage: async ({ l2GasFri, l1GasFri, l1DataGasFri }) => {
      stack.control.setGasPrices({ l2Gas: l2GasFri, l1Gas: l1GasFri, l1DataGas: l1DataGasFri });
      stack.control.mine();
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describePoolStatusReaderContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  await stack.deposit();
  return {
    subject: new StarknetPoolStatusReader(stack.node),
    pool: SandboxStack.pool,
    status: {
      blockNumber: stack.control.mine(),
      denomination: 20_000n,
      undeployedCount: 1,
      activeDeposits: 6,
      totalDeposits: 7,
      totalAssets: 140_000n,
      maxFeeBps: 500,
      maxFee: 1_000n,
      nextIndex: 7,
    },
    nowhere: toFelt('0xdead'),
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describeBlockClockContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  let nowMs = 0;
  let latest = stack.control.mine();
  return {
    subject: new StarknetBlockClock(stack.node, { maxAgeMs: 500, clock: { nowMs: () => nowMs, sleep: async () => {} } }),
    stage: async (blockNumber) => {
      latest = stack.control.mine(blockNumber - latest);
      nowMs += 500;
    },
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});

describe('the reads of one admission', () => {
  it('go out in one HTTP request', async () => {
    const stack = await SandboxStack.start();
    try {
      await stack.deposit();
      stack.control.resetCounters();
      const { root, nullifierHash } = withdrawal;
      const [facts, simulation, gasPrices, prices] = await Promise.all([
        new StarknetPoolReader(stack.node).withdrawalFacts(SandboxStack.pool, { root, nullifierHash }),
        new StarknetCallSimulator(stack.node).simulate({ to: SandboxStack.pool, ...withdraw }),
        new StarknetGasPriceSource(stack.node).gasPrices(),
        new PragmaPriceSource(stack.node, { oracle: ORACLE }).observe(['STRK', 'WBTC']),
      ]);
      expect(stack.control.counters().httpRequests).toBe(1);
      expect(facts).toMatchObject({ nextIndex: 7, rootKnown: true, nullifierSpent: false });
      expect(simulation).toEqual({ ok: true });
      expect(gasPrices.l2GasFri).toBe(8_000_000_000n);
      expect(prices.map(({ asset }) => asset)).toEqual(['STRK', 'WBTC']);
    } finally {
      await stack.stop();
    }
  });
});
