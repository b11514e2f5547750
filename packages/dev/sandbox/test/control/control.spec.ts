import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex } from '../../src/engine/felt.js';
import { startHarness, type Harness } from '../support/harness.js';
import { ALICE, BOB, COUNTER_1, INITIAL_STRK, POOR, STRK } from '../support/world.js';
import type { InvokeChoices } from '../support/wire-invoke.js';

const good: InvokeChoices = {
  account: ALICE,
  calls: [{ to: COUNTER_1, entrypoint: 'increase', calldata: [5n] }],
};
const UNKNOWN = { code: 29, message: 'Transaction hash not found' };

describe('the control interface', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  const preConfirm = (): void => {
    node.control.advance('candidate');
    node.control.advance('pre_confirmed');
  };
  const strkOf = async (owner: bigint, block: unknown = 'pre_confirmed'): Promise<bigint> =>
    BigInt(String(Object(await node.view(STRK, 'balanceOf', [owner], block))[0]));

  const timeOf = async (method: string): Promise<number> => {
    const before = performance.now();
    await node.result(method);
    return performance.now() - before;
  };

  describe('eviction', () => {
    it('an evicted transaction is dropped, but its bytes are accepted again', async () => {
      const hash = await node.send(good);
      expect(node.control.evict(BigInt(hash))).toBe(true);
      expect(await node.error('starknet_getTransactionStatus', [hash])).toEqual(UNKNOWN);
      await node.send(good);
      node.control.advance('candidate');
      expect(node.control.evict(BigInt(hash))).toBe(true);
      expect(node.control.evict(BigInt(hash))).toBe(false);
      node.control.mine();
      expect(node.control.paidInclusions()).toEqual([]);
    });
  });

  describe('forced revert', () => {
    it('a forced revert applies to the next transaction, with the given reason', async () => {
      node.control.revertNext({ reason: 'ordered' });
      const reverted = await node.send(good);
      const fine = await node.send({ ...good, nonce: 1n });
      node.control.mine();
      expect(await node.status(reverted)).toMatchObject({
        execution_status: 'REVERTED',
        failure_reason: 'ordered',
      });
      expect(await node.status(fine)).toMatchObject({ execution_status: 'SUCCEEDED' });
      expect(await node.view(COUNTER_1, 'value')).toEqual(['0x5']);
      expect(node.control.paidInclusions()).toMatchObject([
        { executionStatus: 'REVERTED' },
        { executionStatus: 'SUCCEEDED' },
      ]);
    });

    it('a forced revert for one sender affects only the next transaction of this sender', async () => {
      node.control.revertNext({ reason: 'ordered', sender: BOB.address });
      const first = await node.send(good);
      const second = await node.send({ ...good, account: BOB });
      node.control.mine();
      expect(await node.status(first)).toMatchObject({ execution_status: 'SUCCEEDED' });
      expect(await node.status(second)).toMatchObject({ execution_status: 'REVERTED' });
    });
  });

  describe('undoing the pre-confirmed block', () => {
    it('undoing the pre-confirmed block returns its transactions to the mempool', async () => {
      const hash = await node.send(good);
      const next = await node.send({ ...good, nonce: 1n });
      preConfirm();
      expect(await strkOf(ALICE.address)).toBeLessThan(INITIAL_STRK);
      node.control.undoPreConfirmed();
      expect([await node.status(hash), await node.status(next)]).toEqual([
        { finality_status: 'RECEIVED' },
        { finality_status: 'RECEIVED' },
      ]);
      expect([
        await node.nonce(ALICE.address),
        await node.view(COUNTER_1, 'value'),
        await strkOf(ALICE.address),
      ]).toEqual(['0x0', ['0x0'], INITIAL_STRK]);
      expect(node.control.paidInclusions()).toEqual([]);
      node.control.mine();
      expect(node.control.paidInclusions()).toHaveLength(2);
      expect(await node.view(COUNTER_1, 'value')).toEqual(['0xa']);
    });

    it('undoing the pre-confirmed block can remove its transactions', async () => {
      const hash = await node.send(good);
      preConfirm();
      node.control.undoPreConfirmed('vanish');
      expect(await node.error('starknet_getTransactionStatus', [hash])).toEqual(UNKNOWN);
      await node.send(good);
    });

    it('a transaction of an undone pre-confirmed block may revert when it is executed again', async () => {
      const hash = await node.send(good);
      preConfirm();
      node.control.undoPreConfirmed();
      node.control.revertNext({ reason: 'the other way' });
      node.control.mine();
      expect(await node.status(hash)).toMatchObject({ execution_status: 'REVERTED' });
    });
  });

  describe('reorg of the latest accepted block', () => {
    it('a reorg replaces the latest block by a different block with the same number', async () => {
      const hash = await node.send(good);
      node.control.mine();
      await node.send({ ...good, nonce: 1n });
      preConfirm();
      const undone = Object(await node.result('starknet_blockHashAndNumber'));
      node.control.reorgLatestBlock();
      expect(await node.result('starknet_blockNumber')).toBe(0);
      expect(
        await node.error('starknet_getBlockWithTxHashes', [{ block_hash: undone.block_hash }]),
      ).toMatchObject({ code: 24 });
      expect(await node.status(hash)).toEqual({ finality_status: 'RECEIVED' });
      expect([
        await node.nonce(ALICE.address, 'latest'),
        await strkOf(ALICE.address, 'latest'),
      ]).toEqual(['0x0', INITIAL_STRK]);
      node.control.mine();
      const replaced = Object(await node.result('starknet_blockHashAndNumber'));
      expect(replaced.block_number).toBe(1);
      expect(replaced.block_hash).not.toBe(undone.block_hash);
      expect(
        node.control.paidInclusions().map(({ nonce, blockNumber }) => [nonce, blockNumber]),
      ).toEqual([
        [0n, 1],
        [1n, 1],
      ]);
    });

    it('a reorg of the latest accepted block can remove its transactions', async () => {
      const hash = await node.send(good);
      node.control.mine();
      node.control.reorgLatestBlock('vanish');
      expect(await node.error('starknet_getTransactionReceipt', [hash])).toEqual(UNKNOWN);
      expect(node.control.paidInclusions()).toEqual([]);
    });

    it('a rollback undoes several blocks and returns their transactions to the mempool in block order', async () => {
      const hashes = [await node.send(good)];
      node.control.mine();
      const kept = Object(await node.result('starknet_blockHashAndNumber'));
      for (const nonce of [1n, 2n]) {
        hashes.push(await node.send({ ...good, nonce }));
        node.control.mine();
      }
      node.control.rollback(2);
      expect(await node.result('starknet_blockHashAndNumber')).toEqual(kept);
      expect([
        await node.nonce(ALICE.address, 'latest'),
        await node.view(COUNTER_1, 'value', [], 'latest'),
      ]).toEqual(['0x1', ['0x5']]);
      expect(node.control.waiting().map(({ hash }) => toHex(hash))).toEqual(hashes.slice(1));
      expect(await node.status(hashes[0] ?? '')).toMatchObject({
        finality_status: 'ACCEPTED_ON_L2',
      });
      node.control.mine();
      expect(
        node.control.paidInclusions().map(({ hash, blockNumber }) => [toHex(hash), blockNumber]),
      ).toEqual([
        [hashes[0], 1],
        [hashes[1], 2],
        [hashes[2], 2],
      ]);
    });

    it('a rollback undoes no block if one of the blocks is accepted on L1', async () => {
      node.control.mine(3);
      node.control.acceptOnL1(1);
      expect(await node.result('starknet_getBlockWithTxHashes', ['l1_accepted'])).toMatchObject({
        block_number: 1,
        status: 'ACCEPTED_ON_L1',
      });
      expect(() => {
        node.control.rollback(3);
      }).toThrow('block 1 is accepted on L1');
      expect(() => {
        node.control.rollback(9);
      }).toThrow('is accepted on L1');
      expect(await node.result('starknet_blockNumber')).toBe(3);
      node.control.rollback(2, 'vanish');
      expect(await node.result('starknet_blockNumber')).toBe(1);
    });

    it('a reorg of a block that is accepted on L1 is rejected', () => {
      expect(() => {
        node.control.reorgLatestBlock();
      }).toThrow('block 0 is accepted on L1');
    });
  });

  describe('foreign transactions', () => {
    it('a foreign transaction removes the waiting transaction that has the same nonce', async () => {
      const ours = await node.send(good);
      const later = await node.send({ ...good, nonce: 1n });
      const foreign = toHex(node.control.takeNonce(ALICE.address));
      expect(await node.status(foreign)).toEqual({
        finality_status: 'PRE_CONFIRMED',
        execution_status: 'SUCCEEDED',
      });
      expect(await node.error('starknet_getTransactionStatus', [ours])).toEqual(UNKNOWN);
      expect(await node.nonce(ALICE.address)).toBe('0x1');
      expect(await node.refused(good)).toMatchObject({ code: 52 });
      node.control.mine();
      expect(await node.status(later)).toMatchObject({ execution_status: 'SUCCEEDED' });
      expect(node.control.paidInclusions().map(({ hash }) => toHex(hash))).toEqual([
        foreign,
        later,
      ]);
    });

    it('a foreign transaction is included instead of the candidate with the same nonce', async () => {
      const ours = await node.send(good);
      node.control.advance('candidate');
      const foreign = toHex(node.control.takeNonce(ALICE.address));
      node.control.mine();
      expect(await node.error('starknet_getTransactionStatus', [ours])).toEqual(UNKNOWN);
      expect(
        await node.result('starknet_getTransactionByBlockIdAndIndex', ['latest', 0]),
      ).toMatchObject({
        transaction_hash: foreign,
        sender_address: toHex(ALICE.address),
        nonce: '0x0',
      });
    });

    it('a foreign transaction is rejected for an unknown account, a wrong nonce and an account without funds', () => {
      expect(() => node.control.takeNonce(COUNTER_1)).toThrow(
        'the key of this account is not known',
      );
      expect(() => node.control.takeNonce(ALICE.address, 3n)).toThrow(
        "the nonce is not the account's next",
      );
      expect(() => node.control.takeNonce(POOR.address)).toThrow('cannot pay');
    });
  });

  describe('send', () => {
    const toBob = {
      to: STRK,
      entrypoint: 'transfer',
      calldata: [BOB.address, 5n, 0n],
    };

    it('`send` includes one transaction in an accepted block and returns its events', async () => {
      const before = node.control.call(STRK, 'balanceOf', [BOB.address]);
      const { hash, events } = node.control.send(ALICE.address, [toBob, toBob]);
      expect(await node.status(toHex(hash))).toEqual({
        finality_status: 'ACCEPTED_ON_L2',
        execution_status: 'SUCCEEDED',
      });
      expect(events.filter(({ from }) => from === STRK).length).toBeGreaterThanOrEqual(2);
      const [low = 0n] = before;
      expect(node.control.call(STRK, 'balanceOf', [BOB.address])).toEqual([low + 10n, 0n]);
      expect(await node.nonce(ALICE.address)).toBe('0x1');
    });

    it('`send` throws the revert reason of the calls, although the nonce is consumed', async () => {
      expect(() =>
        node.control.send(ALICE.address, [{ ...toBob, calldata: [BOB.address, 0n, 1n] }]),
      ).toThrow(/insufficient balance/i);
      expect(await node.nonce(ALICE.address)).toBe('0x1');
    });

    it('`send` rejects an unknown account and an account without funds', () => {
      expect(() => node.control.send(COUNTER_1, [toBob])).toThrow('is not known');
      expect(() => node.control.send(POOR.address, [toBob])).toThrow('cannot pay');
    });
  });

  it('`clearFaults` also removes a pending forced revert', async () => {
    node.control.revertNext({ reason: 'staged' });
    node.control.clearFaults();
    const sent = await node.send(good);
    node.control.mine();
    expect(await node.status(sent)).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  describe('unreadable felts', () => {
    it('a read fails if one of its parameters contains an unreadable felt', async () => {
      const hash = await node.send(good);
      node.control.mine();
      node.control.unreadable(BigInt(hash));
      for (const method of [
        'starknet_getTransactionStatus',
        'starknet_getTransactionReceipt',
        'starknet_getTransactionByHash',
      ]) {
        expect(await node.error(method, [hash])).toEqual({
          code: -32_603,
          message: 'Internal error',
        });
      }
      expect(await node.nonce(ALICE.address)).toBe('0x1');
      node.control.unreadable(BigInt(hash), false);
      expect(await node.status(hash)).toMatchObject({ finality_status: 'ACCEPTED_ON_L2' });
    });

    it('setting a felt unreadable does not affect sent transactions', async () => {
      node.control.unreadable(ALICE.address);
      const hash = await node.send(good);
      expect(await node.status(hash)).toEqual({ finality_status: 'RECEIVED' });
      expect(await node.error('starknet_getNonce', ['latest', toHex(ALICE.address)])).toMatchObject(
        { code: -32_603 },
      );
      expect(await node.nonce(BOB.address)).toBe('0x0');
    });
  });

  describe('delay', () => {
    it('the sandbox delays the responses of a method until the delay is set to 0', async () => {
      node.control.delay('starknet_chainId', 120);
      expect(await timeOf('starknet_chainId')).toBeGreaterThan(100);
      expect(await timeOf('starknet_blockNumber')).toBeLessThan(100);
      expect(await timeOf('starknet_chainId')).toBeGreaterThan(100);
      node.control.delay('starknet_chainId', 0);
      expect(await timeOf('starknet_chainId')).toBeLessThan(100);
    });

    it('the sandbox delays a request with several methods by the longest of the methods’ delays', () => {
      node.control.delay('starknet_chainId', 120);
      node.control.delay('*', 20);
      expect(node.control.delayOf(['starknet_blockNumber', 'starknet_chainId'])).toBe(120);
      expect(node.control.delayOf(['starknet_blockNumber'])).toBe(20);
    });

    it('a delayed response contains the state at the time when the request arrived', async () => {
      node.control.delay('starknet_blockNumber', 60);
      const answer = node.result('starknet_blockNumber');
      await new Promise((resolve) => setTimeout(resolve, 30));
      node.control.mine();
      expect(await answer).toBe(0);
    });
  });

  describe('lag', () => {
    it('a lagging sandbox node returns no block that was created after the start of the lag', async () => {
      const old = await node.send(good);
      node.control.mine();
      node.control.lag(10_000);
      const fresh = await node.send({ ...good, nonce: 1n });
      expect(await node.error('starknet_getTransactionStatus', [fresh])).toEqual(UNKNOWN);
      node.control.mine(2);
      expect(await node.error('starknet_getTransactionStatus', [fresh])).toEqual(UNKNOWN);
      expect([
        await node.result('starknet_blockNumber'),
        await node.nonce(ALICE.address),
        await node.nonce(ALICE.address, 'latest'),
      ]).toEqual([1, '0x1', '0x1']);
      expect(await node.status(old)).toMatchObject({ finality_status: 'ACCEPTED_ON_L2' });
      expect(
        await node.error('starknet_getBlockWithTxHashes', [{ block_number: 2 }]),
      ).toMatchObject({ code: 24 });
      expect(await node.result('starknet_getBlockWithTxHashes', ['pre_confirmed'])).toMatchObject({
        block_number: 2,
        transactions: [],
      });
      node.control.moveClock(10_000);
      expect(await node.status(fresh)).toMatchObject({ finality_status: 'ACCEPTED_ON_L2' });
    });

    it('a sandbox node can lag a given number of blocks behind until `endLag` is called', async () => {
      const hash = await node.send(good);
      node.control.mine();
      node.control.lag(10_000, 1);
      expect(await node.nonce(ALICE.address, 'latest')).toBe('0x0');
      expect(await node.error('starknet_getTransactionReceipt', [hash])).toEqual(UNKNOWN);
      node.control.endLag();
      expect(await node.nonce(ALICE.address, 'latest')).toBe('0x1');
    });
  });

  describe('latency', () => {
    it('the sandbox delays each request by the configured network latency', async () => {
      node.control.setLatency(100);
      const startMs = performance.now();
      await node.result('starknet_chainId');
      // Each of the two timers may end up to a millisecond too early. On a slow machine, both
      // timers can only end later than planned.
      expect(performance.now() - startMs).toBeGreaterThanOrEqual(98);
    });
  });

  describe('world changes', () => {
    it('`mint` changes the balance in all blocks, including past blocks', async () => {
      await node.send(good);
      preConfirm();
      const before = await strkOf(ALICE.address);
      node.control.mint(ALICE.address, 7n);
      node.control.mint(POOR.address, 9n);
      expect([await strkOf(ALICE.address), await strkOf(ALICE.address, 'latest')]).toEqual([
        before + 7n,
        INITIAL_STRK + 7n,
      ]);
      node.control.mine();
      node.control.reorgLatestBlock('vanish');
      expect([await strkOf(ALICE.address), await strkOf(POOR.address)]).toEqual([
        INITIAL_STRK + 7n,
        9n,
      ]);
      expect(await node.view(STRK, 'total_supply')).toEqual([toHex(16n), '0x0']);
    });

    it('`storage` returns a value that `setStorage` has written', async () => {
      node.control.setStorage(COUNTER_1, 'value', 40n);
      expect([
        await node.view(COUNTER_1, 'value'),
        await node.view(COUNTER_1, 'value', [], 'l1_accepted'),
      ]).toEqual([['0x28'], ['0x28']]);
      expect(node.control.storage(COUNTER_1, 'value')).toBe(40n);
    });

    it('`freezeClock` stops the node’s clock, and `runClock` starts the clock again', () => {
      node.control.freezeClock(2_000_000_000_000);
      expect(node.control.nowMs()).toBe(2_000_000_000_000);
      node.control.runClock();
      expect(node.control.nowMs()).toBeGreaterThanOrEqual(2_000_000_000_000);
      expect(node.control.nowMs()).toBeLessThan(2_000_000_060_000);
    });
  });
});
