import {
  StarknetPoolReader,
  StarknetSwapDeposits,
  StarknetSwapLeaves,
  selectorOf,
} from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { beforeAll } from '@jest/globals';
import { toFelt, u256FromHalves, type Felts } from '@sotto/kernel';
import {
  describeSwapDepositsContract,
  describeSwapLeavesContract,
} from '@sotto/relayer-core/testing/contracts';
import { z } from 'zod';
import { describePortsOnChain } from '../support/node-under-test.js';
import { privateSwap, proveSwap } from '../support/private-swap.js';
import { V4_ENTRYPOINTS } from '../support/settings.js';

const { commitment, outputAmount } = privateSwap;

describePortsOnChain(
  (chain) => {
    let swapCalldata: Felts;
    beforeAll(async () => {
      swapCalldata = (await proveSwap(chain.world()))(1n);
    });

    describeSwapDepositsContract(runner, chain.name, async () => {
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
        subject: new StarknetSwapDeposits(stack.node, toFelt(swapPool.address)),
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
    });

    describeSwapLeavesContract(runner, chain.name, async () => {
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
        subject: new StarknetSwapLeaves(stack.node),
        poolReader: new StarknetPoolReader(
          stack.node,
          { ...V4_ENTRYPOINTS, isSpent: 'renamed', isKnownRoot: 'renamed' },
          address,
        ),
        swapPool: address,
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
    });
  },
  ['dies'],
);
