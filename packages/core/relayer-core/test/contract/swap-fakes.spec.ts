import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import {
  FakeSpentNullifiers,
  FakeSwapDeposits,
  InMemoryPools,
  InMemorySwapLeaves,
  InMemorySwapPins,
  InMemorySwapRecords,
} from '@sotto/relayer-core/testing';
import {
  describeSpentNullifiersContract,
  describeSwapDepositsContract,
  describeSwapLeavesContract,
  describeSwapPinsContract,
  describeSwapRecordsContract,
} from '@sotto/relayer-core/testing/contracts';

const buyToken = toFelt('0x57124');
const stop = async (): Promise<void> => {};

describeSwapDepositsContract(runner, 'fake', async () => {
  const subject = new FakeSwapDeposits();
  const swap = {
    transactionHash: toFelt('0xabc'),
    deposit: {
      commitment: (7n << 200n) + 1n,
      leafIndex: 4_294_967_295,
      outputToken: buyToken,
      outputAmount: (1n << 130n) + 5n,
    },
  };
  subject.set(swap.transactionHash, swap.deposit);
  return {
    subject,
    swap,
    without: toFelt('0xdef'),
    unknown: toFelt('0xdead'),
    breakDown: async () => subject.fail(),
    stop,
  };
});

describeSwapPinsContract(runner, 'in memory', async () => {
  const subject = new InMemorySwapPins();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

describeSwapRecordsContract(runner, 'in memory', async () => {
  const subject = new InMemorySwapRecords();
  return {
    subject,
    accept: async ({ to, entrypoint, calldata }) =>
      entrypoint === 'private_swap' ? subject.keep({ swapPool: to, calldata }) : undefined,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop,
  };
});

describeSpentNullifiersContract(runner, 'fake', async () => {
  const subject = new FakeSpentNullifiers();
  const pools = [toFelt('0x9001'), toFelt('0x9002')] as const;
  const nullifierHash = (5n << 128n) + 6n;
  const transactionHash = toFelt('0xabc');
  return {
    subject,
    pools,
    nullifierHash,
    async spend() {
      subject.set(pools[0], nullifierHash, transactionHash);
      return transactionHash;
    },
    spendPreConfirmed: async () => transactionHash,
    rollback: async () => subject.undo(pools[0], nullifierHash),
    breakDown: async () => subject.fail(),
    stop,
  };
});

describeSwapLeavesContract(runner, 'in memory', async () => {
  const swapPool = toFelt('0x59');
  const leaf = { token: buyToken, amount: 10n ** 20n + 39n, maxFee: (10n ** 20n + 39n) / 20n };
  const subject = new InMemorySwapLeaves(swapPool);
  const leafIndex = subject.fill(leaf.token, leaf.amount);
  const poolReader = new InMemoryPools();
  const state = {
    maxFee: 0n,
    nextIndex: 1,
    undeployedCount: 0,
    knownRoots: [5n],
    spentNullifiers: [],
  };
  poolReader.set(swapPool, { ...state, leaves: [leaf] });
  return {
    subject,
    poolReader,
    swapPool,
    filled: { leafIndex, leaf },
    figures: { activeDeposits: 1, totalSwaps: 1, nextIndex: 1, maxFeeBps: 500 },
    knownRoot: 5n,
    nowhere: toFelt('0xdead'),
    breakDown: async () => subject.fail(),
    stop,
  };
});
