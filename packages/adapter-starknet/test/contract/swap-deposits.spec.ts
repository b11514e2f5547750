import { StarknetSwapDeposits } from '@sotto/adapter-starknet';
import { noteOf, proveWithdrawal, withdrawalCalldata } from '@sotto/circuits';
import { loadDevelopmentKeys } from '@sotto/circuits/node';
import { beforeAll } from '@jest/globals';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { describeSwapDepositsContract } from '@sotto/relayer-core/testing';
import { sandboxWorld } from '@sotto/sandbox';
import { SandboxStack } from '../support/sandbox-stack.js';

const { accounts, exchanges, pools, tokens, swapPool } = sandboxWorld;
const INPUT_POOL = pools.swap_input_1;
const SWAP_OWNER = toFelt(accounts.swapOwner.address);
const SWAP_POOL = toFelt(swapPool.address);
const FEE_SATS = 400n;
/** What the swap pool receives, at the rate that the sandbox starts with. */
const ETH_FOR_19_600_SATS = 5_600_000_000_000_000n;

const notes = [noteOf(101n, 201n), noteOf(102n, 202n), noteOf(103n, 203n)] as const;
const leaves = notes.map(({ commitment }) => commitment);
const { commitment } = noteOf(111n, 211n);
let swapCalldata: Felts;

/** One withdrawal that pays the swap pool, swapped directly. */
beforeAll(async () => {
  const keys = await loadDevelopmentKeys();
  const terms = { recipient: swapPool.address, relayer: accounts.feeCollector.address, feeSats: FEE_SATS, batchStart: 0, batchSize: 3 };
  const proof = await withdrawalCalldata(await proveWithdrawal({ note: notes[0], leaves, ...terms }, keys), keys.verificationKey);
  const everything = 10n ** 12n;
  const routes = [1n, tokens.WBTC.address, tokens.ETH.address, exchanges.first.address, everything, 0n];
  swapCalldata = Felts.of([
    INPUT_POOL.address,
    ...proof.map(BigInt),
    ...u256ToHalves(commitment),
    tokens.ETH.address,
    ...u256ToHalves(1n),
    ...routes,
  ]);
}, 60_000);

describeSwapDepositsContract('sandbox', async () => {
  const stack = await SandboxStack.start();
  await stack.deposit(toFelt(INPUT_POOL.address), leaves);
  const transactionHash = await stack.send(await stack.sign(SWAP_OWNER, SWAP_POOL, 'private_swap', swapCalldata));
  const without = await stack.send(await stack.signHarmless(SandboxStack.lanes[0]));
  stack.control.mine();
  return {
    subject: new StarknetSwapDeposits(stack.node, SWAP_POOL),
    swap: {
      transactionHash,
      deposit: { commitment, leafIndex: 0, outputToken: toFelt(tokens.ETH.address), outputAmount: ETH_FOR_19_600_SATS },
    },
    without,
    unknown: toFelt('0xdead'),
    breakDown: async () => stack.breakDown(),
    stop: async () => stack.stop(),
  };
});
