import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { LendingPoolState } from '@sotto/staking-core';
import {
  FixedBtcPrice,
  FixedRewards,
  InMemoryLendingPools,
  InMemoryRewardRates,
} from '@sotto/staking-core/testing';
import {
  describeBtcPriceSourceContract,
  describeLendingPoolReaderContract,
  describeRewardProgrammeContract,
  describeRewardRatesContract,
  type LendingPoolStage,
} from '@sotto/staking-core/testing/contracts';
import { ABOVE_TARGET, IDLE, NORMAL, PARTNER, PRIME } from '../support/world.js';

const STATES: Readonly<Record<LendingPoolStage, LendingPoolState>> = {
  idle: IDLE,
  normal: NORMAL,
  above_target: ABOVE_TARGET,
};

describeLendingPoolReaderContract(runner, 'in memory', async () => {
  const subject = new InMemoryLendingPools();
  let block = { blockNumber: 1, timestampSeconds: 1_800_000_000 };
  return {
    subject,
    pools: [PRIME, PARTNER],
    otherAsset: toFelt('0xe7'),
    stage: async (pool, stage) => {
      subject.set(pool, STATES[stage]);
      return STATES[stage];
    },
    mine: async () => {
      block = { blockNumber: block.blockNumber + 1, timestampSeconds: block.timestampSeconds + 10 };
      subject.mine(block.timestampSeconds);
      return block;
    },
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeBtcPriceSourceContract(runner, 'fixed', async () => {
  const subject = new FixedBtcPrice();
  return {
    subject,
    stage: async (observation) => subject.set(observation),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeRewardProgrammeContract(runner, 'fixed', async () => {
  const subject = new FixedRewards();
  return {
    subject,
    pools: [PRIME, PARTNER],
    stage: async ({ pool }, aprE18) => subject.set(pool, aprE18 ?? 0n),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeRewardRatesContract(runner, 'in memory', async () => {
  const subject = new InMemoryRewardRates();
  return {
    subject,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
