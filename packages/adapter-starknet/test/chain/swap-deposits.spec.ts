import { StarknetSwapDeposits } from '@sotto/adapter-starknet';
import { beforeAll } from '@jest/globals';
import { toFelt, type Felts } from '@sotto/kernel';
import { describeSwapDepositsContract } from '@sotto/relayer-core/testing';
import { describeOnChain } from '../support/node-under-test.js';
import { privateSwap, proveSwap } from '../support/private-swap.js';

const { commitment, outputAmount } = privateSwap;

describeOnChain((chain) => {
  let swapCalldata: Felts;
  beforeAll(async () => {
    swapCalldata = (await proveSwap(chain.world()))(1n);
  }, 60_000);

  describeSwapDepositsContract(chain.name, async () => {
    const stack = await chain.start(privateSwap.deposits);
    const { accounts, swapPool, tokens } = stack.world;
    const swap = await stack.sign(toFelt(accounts.swapOwner.address), toFelt(swapPool.address), 'private_swap', swapCalldata);
    const transactionHash = await stack.send(swap);
    const without = await stack.send(await stack.signHarmless(stack.lanes[0]));
    await stack.mine();
    return {
      subject: new StarknetSwapDeposits(stack.node, toFelt(swapPool.address)),
      swap: { transactionHash, deposit: { commitment, leafIndex: 0, outputToken: toFelt(tokens.ETH.address), outputAmount } },
      without,
      unknown: toFelt('0xdead'),
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});
