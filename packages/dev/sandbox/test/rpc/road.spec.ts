import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { starknetJsHash } from '../../src/engine/transaction.js';
import { startHarness, type Harness } from '../support/harness.js';
import { ALICE, COUNTER_1 } from '../support/world.js';

describe('the stages of a transaction', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  it('a transaction passes all stages from RECEIVED to ACCEPTED_ON_L1 in order', async () => {
    const hash = await node.send({
      account: ALICE,
      calls: [{ to: COUNTER_1, entrypoint: 'increase', calldata: [5n] }],
    });
    expect(await node.status(hash)).toEqual({ finality_status: 'RECEIVED' });

    node.control.advance('candidate');
    expect(await node.status(hash)).toEqual({ finality_status: 'CANDIDATE' });
    expect(await node.view(COUNTER_1, 'value')).toEqual(['0x0']);

    node.control.advance('pre_confirmed');
    expect(await node.status(hash)).toEqual({
      finality_status: 'PRE_CONFIRMED',
      execution_status: 'SUCCEEDED',
    });
    expect(await node.view(COUNTER_1, 'value')).toEqual(['0x5']);

    node.control.advance('accepted_on_l2');
    expect(await node.status(hash)).toEqual({
      finality_status: 'ACCEPTED_ON_L2',
      execution_status: 'SUCCEEDED',
    });

    node.control.advance('accepted_on_l1');
    expect(await node.status(hash)).toEqual({
      finality_status: 'ACCEPTED_ON_L1',
      execution_status: 'SUCCEEDED',
    });
  });

  it('the sandbox identifies a transaction by its hash from the configured hash function', async () => {
    await node.stop();
    const hashed: bigint[] = [];
    node = await startHarness({
      hashInvoke: (fields, chainId) => {
        const hash = starknetJsHash(fields, chainId);
        hashed.push(hash);
        return hash;
      },
    });
    const hash = await node.send({
      account: ALICE,
      calls: [{ to: COUNTER_1, entrypoint: 'increase' }],
    });
    expect(hashed).toEqual([BigInt(hash)]);
  });

  it('the block tags pre_confirmed, latest and l1_accepted return different states', async () => {
    const nonces = (): Promise<unknown[]> =>
      Promise.all(
        ['pre_confirmed', 'latest', 'l1_accepted'].map((tag) => node.nonce(ALICE.address, tag)),
      );
    await node.send({ account: ALICE, calls: [{ to: COUNTER_1, entrypoint: 'increase' }] });
    node.control.advance('candidate');
    expect(await nonces()).toEqual(['0x0', '0x0', '0x0']);
    node.control.advance('pre_confirmed');
    expect(await nonces()).toEqual(['0x1', '0x0', '0x0']);
    node.control.advance('accepted_on_l2');
    expect(await nonces()).toEqual(['0x1', '0x1', '0x0']);
    node.control.advance('accepted_on_l1');
    expect(await nonces()).toEqual(['0x1', '0x1', '0x1']);
  });

  it('a receipt exists as soon as its transaction is PRE_CONFIRMED', async () => {
    const hash = await node.send({
      account: ALICE,
      calls: [{ to: COUNTER_1, entrypoint: 'increase' }],
    });
    expect(await node.error('starknet_getTransactionReceipt', [hash])).toMatchObject({ code: 29 });
    node.control.advance('candidate');
    expect(await node.error('starknet_getTransactionReceipt', [hash])).toMatchObject({ code: 29 });
    node.control.advance('pre_confirmed');
    const receipt = await node.result('starknet_getTransactionReceipt', [hash]);
    expect(receipt).toMatchObject({
      block_number: 1,
      finality_status: 'PRE_CONFIRMED',
      execution_status: 'SUCCEEDED',
    });
    expect(receipt).not.toHaveProperty('block_hash');
    node.control.advance('accepted_on_l2');
    const { block_hash: blockHash } = Object(await node.result('starknet_blockHashAndNumber'));
    expect(await node.result('starknet_getTransactionReceipt', [hash])).toMatchObject({
      block_number: 1,
      block_hash: blockHash,
    });
  });

  it('a reverted transaction consumes its nonce and pays its fee', async () => {
    const hash = await node.send({
      account: ALICE,
      calls: [{ to: COUNTER_1, entrypoint: 'fail' }],
    });
    node.control.mine();
    const status = await node.status(hash);
    expect(status).toMatchObject({
      finality_status: 'ACCEPTED_ON_L2',
      execution_status: 'REVERTED',
    });
    expect(status).toHaveProperty(
      'failure_reason',
      expect.stringContaining("('counter is broken')"),
    );
    const receipt = await node.result('starknet_getTransactionReceipt', [hash]);
    expect(receipt).toMatchObject({ execution_status: 'REVERTED', actual_fee: { unit: 'FRI' } });
    expect(receipt).toHaveProperty(
      'revert_reason',
      expect.stringContaining("0x636f756e7465722069732062726f6b656e ('counter is broken')"),
    );
    expect(await node.nonce(ALICE.address)).toBe('0x1');
    expect(await node.view(COUNTER_1, 'value')).toEqual(['0x0']);
    expect(node.control.paidInclusions()).toMatchObject([
      { sender: ALICE.address, nonce: 0n, executionStatus: 'REVERTED', finality: 'ACCEPTED_ON_L2' },
    ]);
    expect(node.control.paidInclusions()[0]?.feeFri).toBeGreaterThan(0n);
  });

  it('the sandbox returns error 29 for the hash of a transaction that was never sent', async () => {
    for (const method of [
      'starknet_getTransactionStatus',
      'starknet_getTransactionByHash',
      'starknet_getTransactionReceipt',
    ]) {
      expect(await node.error(method, ['0x123'])).toEqual({
        code: 29,
        message: 'Transaction hash not found',
      });
    }
  });
});
