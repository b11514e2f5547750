import * as runner from '@jest/globals';
import { StarknetPoolHistory } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { describePoolHistoryContract } from '@sotto/relayer-core/testing/contracts';
import { describePortsOnChain } from '../support/node-under-test.js';

describePortsOnChain((chain) => {
  describePoolHistoryContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const { sentinel_1x: first, sentinel_2x: second } = stack.world.pools;
    let leaves = 0n;
    return {
      subject: new StarknetPoolHistory(stack.node),
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
  });
});
