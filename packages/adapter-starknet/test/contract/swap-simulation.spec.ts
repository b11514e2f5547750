import { StarknetCallSimulator } from '@sotto/adapter-starknet';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { feltToBigInt, type Felt, type Felts } from '@sotto/kernel';
import type { SimulationResult } from '@sotto/relayer-core';
import { privateSwap, proveSwap } from '../support/private-swap.js';
import { SandboxStack } from '../support/sandbox-stack.js';

const { inputPool, swapPool, owner, leaves, outputAmount } = privateSwap;
let withMinimum: (minimumOut: bigint) => Felts;
beforeAll(async () => {
  withMinimum = await proveSwap();
}, 60_000);

describe('a private swap, simulated as a transaction of an account', () => {
  let stack: SandboxStack;
  beforeEach(async () => {
    stack = await SandboxStack.start();
    await stack.deposit(inputPool, leaves);
  });
  afterEach(async () => stack.stop());

  const simulate = async (minimumOut = outputAmount, as: Felt | undefined = owner): Promise<SimulationResult> =>
    new StarknetCallSimulator(stack.node).simulate({ to: swapPool, entrypoint: 'private_swap', calldata: withMinimum(minimumOut) }, as);

  it('goes well for the owner, and for nobody else', async () => {
    expect(await simulate()).toEqual({ ok: true });
    expect(await simulate(outputAmount, SandboxStack.lanes[0])).toEqual({ ok: false, reason: 'Not owner' });
  });

  it('needs no balance', async () => {
    stack.setBalance(owner, 0n);
    expect(await simulate()).toEqual({ ok: true });
  });

  it('names the router’s reason when less would come out than the minimum', async () => {
    expect(await simulate(outputAmount + 1n)).toEqual({ ok: false, reason: 'Insufficient tokens received' });
  });

  it('names a pool that is paused', async () => {
    stack.control.setStorage(feltToBigInt(swapPool), 'paused', 1n);
    expect(await simulate()).toEqual({ ok: false, reason: 'SwapPool: paused' });
  });

  it('names a commitment that the pool has', async () => {
    await stack.send(await stack.sign(owner, swapPool, 'private_swap', withMinimum(1n)));
    stack.control.mine();
    expect(await simulate()).toEqual({ ok: false, reason: 'SwapPool: commitment exists' });
  });

  it('leaves nothing behind', async () => {
    expect([await simulate(), await simulate()]).toEqual([{ ok: true }, { ok: true }]);
    expect(stack.control.waiting()).toEqual([]);
    // Nonce, nullifier and leaf are as they were, so that the very transaction is executed.
    await stack.send(await stack.sign(owner, swapPool, 'private_swap', withMinimum(outputAmount)));
    stack.control.mine();
    expect(stack.control.paidInclusions().at(-1)).toMatchObject({ executionStatus: 'SUCCEEDED' });
  });
});
