import { StarknetPoolReader, StarknetSnapshots, selectorOf } from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { beforeAll } from '@jest/globals';
import { toFelt, u256FromHalves, type Felts } from '@sotto/kernel';
import { describePoolReaderContract } from '@sotto/relayer-core/testing/contracts';
import { z } from 'zod';
import { describePortsOnChain } from '../support/node-under-test.js';
import { privateSwap, proveSwap } from '../support/private-swap.js';
import { LEAVES, startedOn } from '../support/relayed-deposits.js';
import { V4_ENTRYPOINTS } from '../support/settings.js';
import { withdrawal } from '../support/withdrawal.js';

const LOW_HALF = (1n << 128n) - 1n;
const { commitment, outputAmount } = privateSwap;

describePortsOnChain((chain) => {
  let swapCalldata: Felts;
  beforeAll(async () => {
    swapCalldata = (await proveSwap(chain.world()))(1n);
  });

  describePoolReaderContract(runner, chain.name, {
    withdrawals: async () => {
      const stack = await chain.start(withdrawal.deposits);
      const pool = toFelt(stack.world.pools.sentinel_1x.address);
      await stack.send(await stack.sign(stack.lanes[0], pool, 'withdraw', withdrawal.calldata));
      return {
        subject: new StarknetPoolReader(stack.node, V4_ENTRYPOINTS),
        pool,
        status: {
          blockNumber: await stack.mine(),
          timestamp: (await new StarknetSnapshots(stack.node).latest(null)).timestamp,
          denomination: 20_000n,
          undeployedCount: 1,
          activeDeposits: 5,
          totalDeposits: 7,
          totalAssets: 120_000n,
          maxFeeBps: 500,
          maxFee: 1_000n,
          nextIndex: 7,
        },
        preConfirmed: 0,
        maxFee: 1_000n,
        deposits: withdrawal.deposits.leaves.length,
        undeployed: 1,
        knownRoot: withdrawal.root,
        unknownRoot: withdrawal.root & LOW_HALF,
        spentNullifier: withdrawal.nullifierHash,
        freshNullifier: withdrawal.nullifierHash & LOW_HALF,
        nowhere: toFelt('0xdead'),
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    },
    deposits: async () => {
      const { reader, question, lastRoot, balance, depositorClass, breakDown, stop } =
        await startedOn(chain);
      return {
        subject: reader,
        question,
        facts: {
          denomination: 20_000n,
          nextIndex: 3,
          lastRoot,
          commitmentKnown: false,
          depositorClass,
          balance,
          allowance: 20_000n,
          includedIds: [],
        },
        knownCommitment: LEAVES[1] ?? 0n,
        nowhere: toFelt('0xdead'),
        breakDown,
        stop,
      };
    },
    swaps: async () => {
      const stack = await chain.start(privateSwap.deposits);
      const { accounts, swapPool, tokens } = stack.world;
      const address = toFelt(swapPool.address);
      await stack.send(
        await stack.sign(toFelt(accounts.swapOwner.address), address, 'private_swap', swapCalldata),
      );
      await stack.mine();
      const request = {
        contract_address: address,
        entry_point_selector: selectorOf('get_last_root'),
        calldata: [],
      };
      const params = { request, block_id: 'latest' };
      const root = await stack.node.call({
        method: 'starknet_call',
        params,
        result: z.tuple([z.string(), z.string()]),
      });
      return {
        subject: new StarknetPoolReader(
          stack.node,
          {
            ...V4_ENTRYPOINTS,
            isSpent: 'renamed',
            isKnownRoot: 'renamed',
            isKnownCommitment: 'renamed',
          },
          address,
        ),
        swapPool: address,
        commitment,
        filled: {
          leafIndex: 0,
          leaf: {
            token: toFelt(tokens.ETH.address),
            amount: outputAmount,
            maxFee: outputAmount / 20n,
          },
        },
        figures: { activeDeposits: 1, totalSwaps: 1, nextIndex: 1, maxFeeBps: 500 },
        knownRoot: u256FromHalves(BigInt(root[0]), BigInt(root[1])),
        nowhere: toFelt('0xdead'),
        breakDown: async () => stack.breakDown(),
        stop: async () => stack.stop(),
      };
    },
  });
});
