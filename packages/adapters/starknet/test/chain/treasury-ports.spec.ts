import * as runner from '@jest/globals';
import { StarknetBalances, StarknetSnapshots } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { describeBalancesContract } from '@sotto/keeper-core/testing/contracts';
import { describePortsOnChain } from '../support/node-under-test.js';

describePortsOnChain((chain) => {
  describeBalancesContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const { accounts, tokens } = stack.world;
    const account = toFelt(accounts.feeCollector.address);
    return {
      subject: new StarknetBalances(stack.node),
      token: toFelt(tokens.STRK.address),
      account,
      stranger: toFelt('0x57a4'),
      nowhere: toFelt('0xdead'),
      fund: async (amount) => {
        await stack.giveStrk(account, amount);
        return new StarknetSnapshots(stack.node).latest(null);
      },
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});
