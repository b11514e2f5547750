import { StarknetAccountHistory, StarknetPoolEvents } from '@sotto/adapter-starknet';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { RelayedCalls } from '@sotto/relayer-core';
import { WITHDRAWAL_LIMITS } from '@sotto/relayer-core/testing';
import { describeOnChain } from '../support/node-under-test.js';
import { withdrawal } from '../support/withdrawal.js';

describeOnChain((chain) => {
  describe('transaction that spent a note', () => {
    it('the service finds its own transaction that spent a note, and decodes the withdrawal in it', async () => {
      const stack = await chain.start(withdrawal.deposits);
      try {
        const pool = toFelt(stack.world.pools.sentinel_1x.address);
        const chainId = toFelt('0x5e');
        const sent = await stack.send(
          await stack.sign(stack.lanes[1], pool, 'withdraw', withdrawal.calldata),
        );
        await stack.mine();
        const hash = await new StarknetPoolEvents(stack.node).spenderOf(
          pool,
          withdrawal.nullifierHash,
        );
        expect(hash).toBe(sent);
        const transaction = await new StarknetAccountHistory(stack.node).transaction(
          sent,
          stack.lanes,
        );
        expect(transaction).toMatchObject({
          sender: stack.lanes[1],
          consumer: { hash, execution: 'SUCCEEDED' },
        });
        const calls = new RelayedCalls({
          chainId,
          pools: [{ address: pool }],
          privacyPools: [],
          swapPool: null,
          limits: WITHDRAWAL_LIMITS,
          newId: () => 'id',
        });
        const read = transaction?.calls?.map(
          ({ target, calldata }) => calls.submissionOf(target, calldata)?.key,
        );
        expect(read).toEqual([`${chainId}|${pool}|0x${withdrawal.nullifierHash.toString(16)}`]);
      } finally {
        await stack.stop();
      }
    });
  });
});
