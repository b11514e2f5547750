import { StarknetPoolEvents } from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { beforeAll } from '@jest/globals';
import { toFelt, type Felts } from '@sotto/kernel';
import { describePoolEventsContract } from '@sotto/relayer-core/testing/contracts';
import { describePortsOnChain } from '../support/node-under-test.js';
import { privateSwap, proveSwap } from '../support/private-swap.js';
import { startedOn } from '../support/relayed-deposits.js';
import { withdrawal } from '../support/withdrawal.js';

const { commitment, outputAmount } = privateSwap;

describePortsOnChain((chain) => {
  let swapCalldata: Felts;
  beforeAll(async () => {
    swapCalldata = (await proveSwap(chain.world()))(1n);
  });

  describePoolEventsContract(runner, chain.name, {
    history: async () => {
      const stack = await chain.start();
      const { sentinel_1x: first, sentinel_2x: second } = stack.world.pools;
      let leaves = 0n;
      return {
        subject: new StarknetPoolEvents(stack.node),
        pools: [toFelt(first.address), toFelt(second.address)],
        deposit: async (pool, count) => {
          const key = pool === toFelt(first.address) ? 'sentinel_1x' : 'sentinel_2x';
          for (let made = 0; made < count; made += 1)
            await stack.deposit({ pool: key, leaves: [(leaves += 1n)] });
        },
        pass: async (seconds) => {
          await stack.passTime(seconds);
          await stack.mine();
        },
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    },
    receipts: async () => {
      const { stack, question, hashes, without, breakDown, stop } = await startedOn(chain);
      const [first, , third] = hashes;
      if (first === undefined || third === undefined) throw new Error('nothing was deposited');
      return {
        subject: new StarknetPoolEvents(stack.node),
        pool: question.pool,
        landed: [
          { transactionHash: first, deposit: { commitment: 71n, leafIndex: 0, batch: null } },
          {
            transactionHash: third,
            deposit: { commitment: 73n, leafIndex: 2, batch: { id: 0, start: 0, size: 3 } },
          },
        ],
        other: question.token,
        without,
        unknown: toFelt('0xdeadbeef'),
        breakDown,
        stop,
      };
    },
    swaps: async () => {
      const stack = await chain.start(privateSwap.deposits);
      const { accounts, swapPool, tokens } = stack.world;
      const swap = await stack.sign(
        toFelt(accounts.swapOwner.address),
        toFelt(swapPool.address),
        'private_swap',
        swapCalldata,
      );
      const transactionHash = await stack.send(swap);
      const without = await stack.send(await stack.signHarmless(stack.lanes[0]));
      await stack.mine();
      return {
        subject: new StarknetPoolEvents(stack.node, { swapPool: toFelt(swapPool.address) }),
        swap: {
          transactionHash,
          deposit: {
            commitment,
            leafIndex: 0,
            outputToken: toFelt(tokens.ETH.address),
            outputAmount,
          },
        },
        without,
        unknown: toFelt('0xdead'),
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    },
    spentNotes: async () => {
      const stack = await chain.start(withdrawal.deposits);
      const { sentinel_1x: pool, sentinel_2x: other } = stack.world.pools;
      const spend = async () =>
        stack.send(
          await stack.sign(stack.lanes[0], toFelt(pool.address), 'withdraw', withdrawal.calldata),
        );
      return {
        subject: new StarknetPoolEvents(stack.node),
        pools: [toFelt(pool.address), toFelt(other.address)],
        nullifierHash: withdrawal.nullifierHash,
        spend: async () => {
          const hash = await spend();
          await stack.mine();
          return hash;
        },
        spendPreConfirmed: async () => {
          const hash = await spend();
          await stack.preConfirm();
          return hash;
        },
        rollback: async () => stack.rollback(1),
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    },
  });
});
