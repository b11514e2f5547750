import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { MerkleTree, ShieldedPool, jsonRpcNode, memoryStorage } from '@sotto/wallet/advanced';
import { describeOnChain } from '../support/node-under-test.js';
import { privateSwap, proveSwap } from '../support/private-swap.js';
import { withdrawal } from '../support/withdrawal.js';

describeOnChain((chain) => {
  const started = async (...[deposits]: Parameters<typeof chain.start>) => {
    const stack = await chain.start(deposits);
    return { stack, node: jsonRpcNode({ url: stack.url, timeoutMs: 60_000 }) };
  };

  describe('pool as read by a wallet', () => {
    it('the pool that a wallet reads contains its deposits, batches and withdrawals, and the contract’s root', async () => {
      const { stack, node } = await started(withdrawal.deposits);
      try {
        const { pools } = stack.world;
        const pool = await ShieldedPool.open({ node, address: pools.sentinel_1x.address });
        const { leaves } = withdrawal.deposits;
        expect(pool.leaves).toEqual(leaves);
        expect(pool.denomination).toBe(20_000n);
        expect(pool.path(0).root).toBe(MerkleTree.of(leaves).root);
        expect(pool.waiting).toBe(leaves.length % 3);
        expect(pool.spentBy(withdrawal.nullifierHash)).toBeUndefined();

        const to = toFelt(pools.sentinel_1x.address);
        const sent = await stack.send(
          await stack.sign(stack.lanes[0], to, 'withdraw', withdrawal.calldata),
        );
        await stack.mine();
        await pool.refresh();
        expect(pool.spentBy(withdrawal.nullifierHash)).toBe(sent);
      } finally {
        await stack.stop();
      }
    });

    it('the wallet reads a pool’s events again after a rollback of blocks', async () => {
      const { stack, node } = await started({ pool: 'sentinel_1x', leaves: [11n] });
      try {
        const { address } = stack.world.pools.sentinel_1x;
        const cache = memoryStorage();
        const pool = await ShieldedPool.open({ node, address, cache });
        await stack.deposit({ pool: 'sentinel_1x', leaves: [12n, 13n] });
        await pool.refresh();
        expect([pool.leaves, pool.batches]).toEqual([[11n, 12n, 13n], [{ start: 0, size: 3 }]]);
        await stack.rollback(1);
        await pool.refresh();
        expect([pool.leaves, pool.batches]).toEqual([[11n], []]);
        expect((await ShieldedPool.open({ node, address, cache })).leaves).toEqual([11n]);
      } finally {
        await stack.stop();
      }
    });

    it('a swap pool that a wallet reads contains the ERC-20 token and the amount of each leaf', async () => {
      const { stack, node } = await started(privateSwap.deposits);
      try {
        const { accounts, swapPool, tokens } = stack.world;
        const options = { node, address: swapPool.address, kind: 'swap' } as const;
        const pool = await ShieldedPool.open(options);
        expect(pool.leaves).toEqual([]);
        const calldata = (await proveSwap(stack.world))(1n);
        const owner = toFelt(accounts.swapOwner.address);
        await stack.send(
          await stack.sign(owner, toFelt(swapPool.address), 'private_swap', calldata),
        );
        await stack.mine();
        await pool.refresh();
        expect(pool.leaves).toEqual([privateSwap.commitment]);
        expect(pool.placeOf(privateSwap.commitment)).toEqual({
          leafIndex: 0,
          batch: { start: 0, size: 1 },
          depositedAtMs: expect.any(Number),
          transactionHash: expect.stringMatching(/^0x/),
        });
        expect(pool.valueOf(0)).toEqual({
          token: toFelt(tokens.ETH.address),
          amount: privateSwap.outputAmount,
        });
      } finally {
        await stack.stop();
      }
    });
  });
});
