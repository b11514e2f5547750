import { StarknetSwapDeposits } from '@sotto/adapter-starknet';
import { beforeAll } from '@jest/globals';
import { toFelt, type Felts } from '@sotto/kernel';
import { describeSwapDepositsContract } from '@sotto/relayer-core/testing';
import { privateSwap, proveSwap } from '../support/private-swap.js';
import { SandboxStack } from '../support/sandbox-stack.js';

const { inputPool, swapPool, owner, leaves, commitment, outputToken, outputAmount } = privateSwap;
let swapCalldata: Felts;
beforeAll(async () => {
  swapCalldata = (await proveSwap())(1n);
}, 60_000);

describeSwapDepositsContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  await stack.deposit(inputPool, leaves);
  const transactionHash = await stack.send(await stack.sign(owner, swapPool, 'private_swap', swapCalldata));
  const without = await stack.send(await stack.signHarmless(SandboxStack.lanes[0]));
  stack.control.mine();
  return {
    subject: new StarknetSwapDeposits(stack.node, swapPool),
    swap: { transactionHash, deposit: { commitment, leafIndex: 0, outputToken, outputAmount } },
    without,
    unknown: toFelt('0xdead'),
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});
