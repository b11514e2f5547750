import * as runner from '@jest/globals';
import { shortStringFelt } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { jsonRpcNode } from '@sotto/wallet/advanced';
import {
  describeNodeReaderContract,
  type NodeReaderHarness,
} from '@sotto/wallet/testing/contracts';
import { describeOnChain } from '../support/node-under-test.js';

describeOnChain((chain) => {
  const started = async (): Promise<NodeReaderHarness> => {
    const stack = await chain.start();
    return {
      // Pages are small, so that the suite's events need more than one page.
      subject: jsonRpcNode({ url: stack.url, timeoutMs: 60_000, eventsPerPage: 3 }),
      chainId: shortStringFelt(stack.world.chainId),
      pool: toFelt(stack.world.pools.sentinel_1x.address),
      account: toFelt(stack.world.accounts.lane1.address),
      deposit: async (leaves) => stack.deposit({ pool: 'sentinel_1x', leaves }),
      mine: async (blocks) => {
        await stack.mine(blocks);
      },
      rollback: async (blocks) => stack.rollback(blocks),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  };
  describeNodeReaderContract(runner, chain.name, started, chain.capabilities);
});
