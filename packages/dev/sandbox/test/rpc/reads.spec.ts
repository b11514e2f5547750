import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex } from '../../src/engine/felt.js';
import { functionCall, startHarness, type Harness } from '../support/harness.js';
import { ALICE, BOB, COUNTER_1, COUNTER_2, STRK } from '../support/world.js';

const increaseBy = (amount: bigint): { to: bigint; entrypoint: string; calldata: bigint[] } => ({
  to: COUNTER_1,
  entrypoint: 'increase',
  calldata: [amount],
});

describe('reading the chain', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  it('the sandbox returns its specification version, chain id and block height', async () => {
    expect(await node.result('starknet_specVersion')).toBe('0.10.2');
    expect(await node.result('starknet_chainId')).toBe('0x534e5f54455354');
    expect(await node.result('starknet_syncing')).toBe(false);
    expect(await node.result('starknet_blockNumber')).toBe(0);
    node.control.mine(3);
    expect(await node.result('starknet_blockNumber')).toBe(3);
  });

  it('starknet_call executes on the state of the requested block', async () => {
    await node.send({ account: ALICE, calls: [increaseBy(1n)] });
    node.control.mine();
    const { block_hash: firstHash } = Object(await node.result('starknet_blockHashAndNumber'));
    await node.send({ account: ALICE, nonce: 1n, calls: [increaseBy(10n)] });
    node.control.mine();
    await node.send({ account: ALICE, nonce: 2n, calls: [increaseBy(100n)] });
    node.control.advance('candidate');
    node.control.advance('pre_confirmed');
    const valueAt = (block: unknown): Promise<unknown> => node.view(COUNTER_1, 'value', [], block);
    expect(await valueAt({ block_number: 0 })).toEqual(['0x0']);
    expect(await valueAt({ block_number: 1 })).toEqual(['0x1']);
    expect(await valueAt({ block_hash: firstHash })).toEqual(['0x1']);
    expect(await valueAt('latest')).toEqual(['0xb']);
    expect(await valueAt('pre_confirmed')).toEqual(['0x6f']);
    expect(await valueAt('l1_accepted')).toEqual(['0x0']);
    expect(await node.nonce(ALICE.address, { block_number: 1 })).toBe('0x1');
  });

  it('starknet_call does not store the writes of a call', async () => {
    expect(await node.view(COUNTER_1, 'increase', [5n])).toEqual(['0x5']);
    expect(await node.view(COUNTER_1, 'value')).toEqual(['0x0']);
  });

  it('a contract in starknet_call sees the caller zero and the requested block', async () => {
    node.control.freezeClock(2_000_000_000_500);
    node.control.mine();
    expect(await node.view(COUNTER_1, 'caller_and_block', [], 'latest')).toEqual([
      '0x0',
      '0x1',
      toHex(2_000_000_000n),
    ]);
  });

  it('starknet_call returns the error code of a missing contract, entry point or block', async () => {
    expect(
      await node.error('starknet_call', [functionCall(0xdeadn, 'value'), 'latest']),
    ).toMatchObject({ code: 20 });
    expect(
      await node.error('starknet_call', [functionCall(COUNTER_1, 'nothing'), 'latest']),
    ).toMatchObject({ code: 21 });
    expect(await node.error('starknet_getNonce', ['latest', '0xdead'])).toEqual({
      code: 20,
      message: 'Contract not found',
    });
    expect(await node.error('starknet_getClassHashAt', ['latest', '0xdead'])).toMatchObject({
      code: 20,
    });
    expect(await node.error('starknet_getClass', ['latest', '0xdead'])).toMatchObject({ code: 28 });
    for (const block of [{ block_number: 1 }, { block_hash: '0x1' }]) {
      expect(await node.error('starknet_getNonce', [block, toHex(ALICE.address)])).toEqual({
        code: 24,
        message: 'Block not found',
      });
      expect(await node.error('starknet_getBlockWithTxHashes', [block])).toMatchObject({
        code: 24,
      });
    }
    expect(
      await node.error('starknet_getTransactionByBlockIdAndIndex', ['latest', 0]),
    ).toMatchObject({ code: 27 });
  });

  it('the error of a failed starknet_call contains the frames of all contracts that were called', async () => {
    const failure = await node.error('starknet_call', [
      functionCall(COUNTER_1, 'fail_through', [COUNTER_2]),
      'latest',
    ]);
    expect(failure).toMatchObject({
      code: 40,
      data: {
        revert_error: {
          contract_address: toHex(COUNTER_1),
          class_hash: '0xc0def00d',
          error: {
            contract_address: toHex(COUNTER_2),
            error: "0x636f756e7465722069732062726f6b656e ('counter is broken')",
          },
        },
      },
    });
  });

  it('starknet_getClassHashAt returns the class hash of a contract', async () => {
    expect(await node.result('starknet_getClassHashAt', ['latest', toHex(COUNTER_1)])).toBe(
      '0xc0def00d',
    );
    for (const params of [
      ['pending', '0x1'],
      ['latest'],
      ['latest', '0x1', 'more'],
      { block_id: 'latest', contract: '0x1' },
      [{ block_number: -1 }, '0x1'],
      [{}, '0x1'],
    ]) {
      expect(await node.error('starknet_getNonce', params)).toMatchObject({ code: -32602 });
    }
  });

  it('starknet_getClass returns a class whose program begins with its Sierra version', async () => {
    const found = await node.result('starknet_getClass', ['latest', '0xc0def00d']);
    expect(found).toMatchObject({
      sierra_program: ['0x1', '0x7', '0x0', '0x2', '0xe', '0x0'],
      contract_class_version: '0.1.0',
    });
  });

  it('the sandbox accepts RPC parameters by name', async () => {
    expect(
      await node.result('starknet_getNonce', {
        contract_address: toHex(ALICE.address),
        block_id: 'latest',
      }),
    ).toBe('0x0');
  });

  it('the sandbox returns blocks with hashes, transactions and receipts, including the pre-confirmed block', async () => {
    const first = await node.send({ account: ALICE, calls: [increaseBy(1n)] });
    const second = await node.send({
      account: BOB,
      calls: [{ to: COUNTER_1, entrypoint: 'fail' }],
    });
    node.control.advance('candidate');
    node.control.advance('pre_confirmed');
    const open = await node.result('starknet_getBlockWithTxHashes', ['pre_confirmed']);
    expect(open).toMatchObject({ block_number: 1, transactions: [first, second] });
    expect(open).not.toHaveProperty('block_hash');
    node.control.advance('accepted_on_l2');
    const parent = Object(
      await node.result('starknet_getBlockWithTxHashes', [{ block_number: 0 }]),
    );
    expect(await node.result('starknet_getBlockWithTxHashes', ['latest'])).toMatchObject({
      status: 'ACCEPTED_ON_L2',
      parent_hash: parent.block_hash,
      transactions: [first, second],
      l2_gas_price: { price_in_fri: toHex(8_000_000_000n) },
    });
    expect(parent.status).toBe('ACCEPTED_ON_L1');
    expect(await node.result('starknet_getBlockWithTxs', ['latest'])).toMatchObject({
      transactions: [{ transaction_hash: first, nonce: '0x0' }, { transaction_hash: second }],
    });
    expect(await node.result('starknet_getBlockWithReceipts', ['latest'])).toMatchObject({
      transactions: [
        {
          transaction: { type: 'INVOKE' },
          receipt: { transaction_hash: first, execution_status: 'SUCCEEDED' },
        },
        { receipt: { transaction_hash: second, execution_status: 'REVERTED' } },
      ],
    });
    expect(await node.result('starknet_getBlockTransactionCount', ['latest'])).toBe(2);
    expect(
      await node.result('starknet_getTransactionByBlockIdAndIndex', ['latest', 1]),
    ).toMatchObject({ transaction_hash: second });
    expect(await node.result('starknet_getTransactionByHash', [first])).toMatchObject({
      transaction_hash: first,
      sender_address: toHex(ALICE.address),
    });
  });

  it('block times advance with the node’s clock and never decrease', async () => {
    node.control.freezeClock(2_000_000_000_000);
    node.control.mine();
    node.control.moveClock(-60_000);
    node.control.mine();
    node.control.moveClock(120_000);
    node.control.mine();
    const times = await Promise.all(
      [1, 2, 3].map(
        async (number) =>
          Object(await node.result('starknet_getBlockWithTxHashes', [{ block_number: number }]))
            .timestamp,
      ),
    );
    expect(times).toEqual([2_000_000_000, 2_000_000_000, 2_000_000_060]);
  });

  it('new gas prices apply from the next block on', async () => {
    await node.send({ account: ALICE, calls: [increaseBy(1n)] });
    node.control.advance('candidate');
    node.control.advance('pre_confirmed');
    node.control.setGasPrices({ l2Gas: 9_000_000_000n });
    const priceOf = async (block: unknown): Promise<unknown> =>
      Object(await node.result('starknet_getBlockWithTxHashes', [block])).l2_gas_price.price_in_fri;
    expect(await priceOf('pre_confirmed')).toBe(toHex(8_000_000_000n));
    node.control.advance('accepted_on_l2');
    expect([await priceOf('latest'), await priceOf('pre_confirmed')]).toEqual([
      toHex(8_000_000_000n),
      toHex(9_000_000_000n),
    ]);
  });

  it('a transaction pays its fee in STRK to the sequencer', async () => {
    const before = await node.view(STRK, 'balanceOf', [ALICE.address]);
    const hash = await node.send({ account: ALICE, calls: [increaseBy(3n)], tip: 11n });
    node.control.mine();
    const [paid] = node.control.paidInclusions();
    const fee = paid?.feeFri ?? 0n;
    const receipt = Object(await node.result('starknet_getTransactionReceipt', [hash]));
    const { l2_gas: l2Gas, l1_data_gas: dataGas } = receipt.execution_resources;
    expect(fee).toBe(BigInt(l2Gas) * (8_000_000_000n + 11n) + BigInt(dataGas) * 1_000_000_000n);
    expect(receipt.actual_fee).toEqual({ amount: toHex(fee), unit: 'FRI' });
    expect(receipt.events).toMatchObject([
      { from_address: toHex(COUNTER_1), data: ['0x3'] },
      { from_address: toHex(STRK), data: [toHex(fee), '0x0'] },
    ]);
    const after = await node.view(STRK, 'balanceOf', [ALICE.address]);
    expect(BigInt(String(Object(before)[0])) - BigInt(String(Object(after)[0]))).toBe(fee);
  });
});
