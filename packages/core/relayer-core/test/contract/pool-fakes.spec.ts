import * as runner from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { FakeLatestBlock } from '@sotto/submission-core/testing';
import { FakePoolEvents, InMemoryPools } from '@sotto/relayer-core/testing';
import {
  describePoolEventsContract,
  describePoolReaderContract,
} from '@sotto/relayer-core/testing/contracts';
import { wbtcStatus } from '../support/estimate-world.js';

const POOL = toFelt('0x9001');
const HIGH = 1n << 200n;
const buyToken = toFelt('0x57124');
const depositor = toFelt('0xd1');
const classHash = toFelt('0xc1');
const stop = async (): Promise<void> => {};

describePoolReaderContract(runner, 'in memory', {
  withdrawals: async () => {
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
  },
  deposits: async () => {
    const subject = new InMemoryPools();
    const state = { denomination: 20_000n, nextIndex: 3, lastRoot: 2n ** 200n };
    subject.setDepositPool(POOL, { ...state, commitments: [7n] });
    subject.setDepositor(depositor, { classHash, balance: 2n ** 130n, allowance: 20_000n });
    return {
      subject,
      question: { pool: POOL, token: buyToken, commitment: 8n, depositor },
      facts: {
        ...state,
        commitmentKnown: false,
        depositorClass: classHash,
        balance: 2n ** 130n,
        allowance: 20_000n,
        includedIds: [],
      },
      knownCommitment: 7n,
      nowhere: toFelt('0xdead'),
      breakDown: async () => subject.failReads(),
      stop,
    };
  },
  swaps: async () => {
    const swapPool = toFelt('0x59');
    const leaf = { token: buyToken, amount: 10n ** 20n + 39n, maxFee: (10n ** 20n + 39n) / 20n };
    const subject = new InMemoryPools();
    subject.setSwapPool(swapPool);
    const leafIndex = subject.fill(swapPool, leaf.token, leaf.amount);
    const commitment = (7n << 200n) + 1n;
    subject.commit(swapPool, commitment);
    const state = {
      maxFee: 0n,
      nextIndex: 1,
      undeployedCount: 0,
      knownRoots: [5n],
      spentNullifiers: [],
    };
    subject.set(swapPool, { ...state, leaves: [leaf] });
    return {
      subject,
      swapPool,
      commitment,
      filled: { leafIndex, leaf },
      figures: { activeDeposits: 1, totalSwaps: 1, nextIndex: 1, maxFeeBps: 500 },
      knownRoot: 5n,
      nowhere: toFelt('0xdead'),
      breakDown: async () => subject.failReads(),
      stop,
    };
  },
});

describePoolEventsContract(runner, 'fake', {
  history: async () => {
    const subject = new FakePoolEvents();
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
  },
  receipts: async () => {
    const subject = new FakePoolEvents();
    const landed = [
      { transactionHash: toFelt('0xa1'), deposit: { commitment: 7n, leafIndex: 1, batch: null } },
      {
        transactionHash: toFelt('0xa2'),
        deposit: { commitment: 9n, leafIndex: 2, batch: { id: 0, start: 0, size: 3 } },
      },
    ];
    for (const { transactionHash, deposit } of landed)
      subject.setDeposit(POOL, transactionHash, deposit);
    return {
      subject,
      pool: POOL,
      landed,
      other: toFelt('0x9002'),
      without: toFelt('0xa3'),
      unknown: toFelt('0xa4'),
      breakDown: async () => subject.fail(),
      stop,
    };
  },
  swaps: async () => {
    const subject = new FakePoolEvents();
    const swap = {
      transactionHash: toFelt('0xabc'),
      deposit: {
        commitment: (7n << 200n) + 1n,
        leafIndex: 4_294_967_295,
        outputToken: buyToken,
        outputAmount: (1n << 130n) + 5n,
      },
    };
    subject.setSwapDeposit(swap.transactionHash, swap.deposit);
    return {
      subject,
      swap,
      without: toFelt('0xdef'),
      unknown: toFelt('0xdead'),
      breakDown: async () => subject.fail(),
      stop,
    };
  },
  spentNotes: async () => {
    const subject = new FakePoolEvents();
    const pools = [toFelt('0x9001'), toFelt('0x9002')] as const;
    const nullifierHash = (5n << 128n) + 6n;
    const transactionHash = toFelt('0xabc');
    return {
      subject,
      pools,
      nullifierHash,
      async spend() {
        subject.setSpender(pools[0], nullifierHash, transactionHash);
        return transactionHash;
      },
      spendPreConfirmed: async () => transactionHash,
      rollback: async () => subject.undoSpender(pools[0], nullifierHash),
      breakDown: async () => subject.fail(),
      stop,
    };
  },
});
