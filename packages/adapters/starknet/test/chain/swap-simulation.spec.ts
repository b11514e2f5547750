import { StarknetCallSimulator, StarknetChainReader } from '@sotto/adapter-starknet';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt, type Felts } from '@sotto/kernel';
import type { SimulationResult } from '@sotto/submission-core';
import type { ChainStack } from '../support/chain-stack.js';
import { describeOnChain } from '../support/node-under-test.js';
import { privateSwap, proveSwap } from '../support/private-swap.js';

const { outputAmount } = privateSwap;

describeOnChain((chain) => {
  let withMinimum: (minimumOut: bigint) => Felts;
  beforeAll(async () => {
    withMinimum = await proveSwap(chain.world());
  });

  describe('simulation of a private swap as a transaction of an account', () => {
    let stack: ChainStack;
    let swapPool: Felt;
    let owner: Felt;
    beforeEach(async () => {
      stack = await chain.start(privateSwap.deposits);
      const { accounts, swapPool: pool } = stack.world;
      swapPool = toFelt(pool.address);
      owner = toFelt(accounts.swapOwner.address);
    });
    afterEach(async () => stack.stop());

    const simulate = async (
      minimumOut = outputAmount,
      as: Felt = owner,
    ): Promise<SimulationResult> =>
      new StarknetCallSimulator(stack.node).simulate(
        { to: swapPool, entrypoint: 'private_swap', calldata: withMinimum(minimumOut) },
        as,
      );
    /** Sends the swap and includes it in a block. */
    const swap = async (minimumOut: bigint): Promise<unknown> => {
      const hash = await stack.send(
        await stack.sign(owner, swapPool, 'private_swap', withMinimum(minimumOut)),
      );
      await stack.mine();
      return (await new StarknetChainReader(stack.node).transactionStatuses([hash]))[0];
    };

    it('the simulation of a private swap succeeds only for the swap owner’s account', async () => {
      expect(await simulate()).toMatchObject({ ok: true });
      expect(await simulate(outputAmount, stack.lanes[0])).toEqual({
        ok: false,
        reason: 'Not owner',
      });
    });

    it('T2: the simulation of a private swap returns the amount that the router sells', async () => {
      for (const at of ['latest', 'pre_confirmed'] as const) {
        const simulated = await new StarknetCallSimulator(stack.node).simulate(
          { to: swapPool, entrypoint: 'private_swap', calldata: withMinimum(outputAmount) },
          owner,
          { at, watch: 'multi_route_swap' },
        );
        const [sale, ...more] = (simulated.ok && simulated.watched) || [];
        expect([sale?.calldata.at(1), more]).toEqual([privateSwap.sold, []]);
      }
    });

    it('the simulation of a private swap does not need a balance of the account', async () => {
      await stack.impoverish(owner);
      expect(await simulate()).toMatchObject({ ok: true });
    });

    it('the simulation of a private swap returns the router’s reason if the output is below the minimum', async () => {
      expect(await simulate(outputAmount + 1n)).toEqual({
        ok: false,
        reason: 'Insufficient tokens received',
      });
    });

    it('the simulation returns the revert reason of a paused swap pool', async () => {
      await stack.pauseSwapPool();
      expect(await simulate()).toEqual({ ok: false, reason: 'SwapPool: paused' });
    });

    it('the simulation returns the revert reason for a commitment that already exists', async () => {
      expect(await swap(1n)).toMatchObject({ kind: 'accepted', execution: 'SUCCEEDED' });
      expect(await simulate()).toEqual({ ok: false, reason: 'SwapPool: commitment exists' });
    });

    it('the simulation of a private swap does not change the chain state', async () => {
      expect([await simulate(), await simulate()]).toMatchObject([{ ok: true }, { ok: true }]);
      const [before] = await Promise.all([
        new StarknetChainReader(stack.node).head([owner]),
        stack.mine(),
      ]);
      expect((await new StarknetChainReader(stack.node).head([owner])).accounts).toEqual(
        before.accounts,
      );
      // The reverted transaction changed neither the nullifier nor the leaf, so the same swap can
      // still be executed.
      expect(await swap(outputAmount)).toMatchObject({ kind: 'accepted', execution: 'SUCCEEDED' });
    });
  });
});
