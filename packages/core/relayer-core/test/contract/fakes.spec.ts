import * as runner from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { FakeLatestBlock } from '@sotto/submission-core/testing';
import { FakeContractClasses, FakePoolHistory, InMemoryPools } from '@sotto/relayer-core/testing';
import {
  describeContractClassesContract,
  describePoolHistoryContract,
  describePoolReaderContract,
} from '@sotto/relayer-core/testing/contracts';
import { wbtcStatus } from '../support/estimate-world.js';

const POOL = toFelt('0x9001');
const HIGH = 1n << 200n;
const stop = async (): Promise<void> => {};

describePoolReaderContract(runner, 'in memory', async () => {
  const latestBlock = new FakeLatestBlock();
  const subject = new InMemoryPools(latestBlock);
  subject.set(POOL, {
    maxFee: 1_000n,
    nextIndex: 7,
    undeployedCount: 2,
    knownRoots: [HIGH + 1n],
    spentNullifiers: [],
  });
  subject.spend(POOL, HIGH + 2n);
  subject.setStatus(POOL, wbtcStatus);
  subject.preConfirm(POOL, 2);
  latestBlock.mine(12);
  return {
    subject,
    pool: POOL,
    status: { ...wbtcStatus, blockNumber: 12, timestamp: latestBlock.timestamp },
    preConfirmed: 2,
    maxFee: 1_000n,
    deposits: 7,
    undeployed: 2,
    knownRoot: HIGH + 1n,
    unknownRoot: 1n,
    spentNullifier: HIGH + 2n,
    freshNullifier: 2n,
    nowhere: toFelt('0xdead'),
    breakDown: async () => subject.failReads(),
    stop,
  };
});

describePoolHistoryContract(runner, 'fake', async () => {
  const subject = new FakePoolHistory();
  const waiting = new Map<Felt, number>();
  return {
    subject,
    pools: [POOL, toFelt('0x9002')],
    deposit: async (pool, count) => {
      for (let made = 0; made < count; made += 1) {
        subject.deposit(pool, 1);
        waiting.set(pool, ((waiting.get(pool) ?? 0) + 1) % 3);
        if (waiting.get(pool) === 0) subject.deploy(pool, 3);
      }
    },
    pass: async (seconds) => subject.pass(seconds),
    breakDown: async () => subject.fail(),
    stop,
  };
});

describeContractClassesContract(runner, 'fake', async () => {
  const subject = new FakeContractClasses();
  const contracts = [toFelt('0x1'), toFelt('0x2')] as const;
  for (const address of contracts) subject.deploy(address, toFelt('0xc1a55'), [1, 6, 0]);
  return {
    subject,
    contracts,
    sierra: [1, 6, 0],
    nowhere: toFelt('0xdead'),
    breakDown: async () => subject.fail(),
    stop,
  };
});
