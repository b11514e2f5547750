import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Account, RpcError, RpcProvider, selector } from 'starknet';
import { toHex } from '../../src/engine/felt.js';
import { startSandbox, type Sandbox } from '../../src/index.js';
import { rpc } from '../support/rpc.js';
import { ALICE, COUNTER_1, POOR, STRK, testGenesis } from '../support/world.js';
import type { GenesisAccount } from '../../src/engine/genesis.js';

const resourceBounds = {
  l1_gas: { max_amount: 256n, max_price_per_unit: 120_000_000_000_000n },
  l1_data_gas: { max_amount: 20_480n, max_price_per_unit: 3_000_000_000n },
  l2_gas: { max_amount: 1_200_000_000n, max_price_per_unit: 24_000_000_000n },
};
const explicit = { resourceBounds, tip: 0n };
const increase = { contractAddress: toHex(COUNTER_1), entrypoint: 'increase', calldata: ['0x5'] };

const rejection = async (account: Account, details: object): Promise<unknown> =>
  account.execute(increase, { ...explicit, ...details }).then(
    () => 'taken',
    (error: unknown) => error,
  );

describe('starknet.js as a client', () => {
  let sandbox: Sandbox;
  let provider: RpcProvider;
  beforeEach(async () => {
    sandbox = await startSandbox({
      genesis: testGenesis(),
      cadence: { candidateMs: 5, preConfirmedMs: 5, blockMs: 20, l1Ms: 10_000 },
    });
    provider = new RpcProvider({ nodeUrl: sandbox.rpcUrl });
  });
  afterEach(() => sandbox.stop());

  const accountOf = ({ address, privateKey }: GenesisAccount): Account =>
    new Account({
      provider,
      address: toHex(address),
      signer: toHex(privateKey),
      cairoVersion: '1',
    });

  it('starknet.js executes a transaction with explicit resource bounds and tip, and follows it to ACCEPTED_ON_L2', async () => {
    const { transaction_hash: hash } = await accountOf(ALICE).execute(
      [increase, increase],
      explicit,
    );
    const receipt = await provider.waitForTransaction(hash, { retryInterval: 20 });
    expect(receipt.isSuccess()).toBe(true);
    expect(await provider.getTransactionStatus(hash)).toMatchObject({
      finality_status: 'ACCEPTED_ON_L2',
      execution_status: 'SUCCEEDED',
    });
    expect(
      await provider.callContract({ contractAddress: toHex(COUNTER_1), entrypoint: 'value' }),
    ).toEqual(['0xa']);
    expect(await provider.getNonceForAddress(toHex(ALICE.address), 'latest')).toBe('0x1');
  });

  it('starknet.js executes transactions with an account object that has only an address and a private key', async () => {
    const account = new Account({
      provider,
      address: toHex(ALICE.address),
      signer: toHex(ALICE.privateKey),
    });
    const simulated = await account.simulateTransaction([{ type: 'INVOKE', payload: increase }]);
    expect(simulated).toMatchObject({
      simulated_transactions: [
        { transaction_trace: { execute_invocation: { calls: [{ result: ['0x5'] }] } } },
      ],
    });
    const { transaction_hash: hash } = await account.execute(increase);
    const receipt = await provider.waitForTransaction(hash, { retryInterval: 20 });
    expect(receipt.isSuccess()).toBe(true);
    expect(
      await provider.callContract({ contractAddress: toHex(COUNTER_1), entrypoint: 'value' }),
    ).toEqual(['0x5']);
  });

  it('starknet.js reads classes, storage and traces', async () => {
    const account = accountOf(ALICE);
    const { transaction_hash: first } = await account.execute(increase, explicit);
    await provider.waitForTransaction(first, { retryInterval: 20 });
    const failing = { ...increase, entrypoint: 'fail' };
    const { transaction_hash: second } = await account.execute(failing, explicit);
    await provider.waitForTransaction(second, { retryInterval: 20 });
    const classHash = await provider.getClassHashAt(toHex(COUNTER_1));
    expect(await provider.getClassAt(toHex(COUNTER_1))).toEqual(await provider.getClass(classHash));
    const value = selector.starknetKeccak('value');
    for (const [key, held] of [
      [value, '0x5'],
      [1n, '0x0'],
    ] as const) {
      const slot = [toHex(COUNTER_1), toHex(key), 'latest'];
      expect((await rpc(sandbox.rpcUrl, 'starknet_getStorageAt', slot)).result).toBe(held);
    }
    expect(await provider.getStorageAt(toHex(COUNTER_1), '0x1')).toBeDefined();
    expect(await provider.getTransactionTrace(first)).toMatchObject({
      type: 'INVOKE',
      execute_invocation: { calls: [{ result: ['0x5'] }] },
    });
    expect(await provider.getTransactionTrace(second)).toMatchObject({
      execute_invocation: { revert_reason: expect.stringContaining('counter is broken') },
    });
    const { block_number: block } = await provider.getTransactionReceipt(second).then(Object);
    expect(await provider.getBlockTransactionsTraces(block)).toContainEqual(
      expect.objectContaining({ transaction_hash: second }),
    );
    await expect(provider.getTransactionTrace('0x1234')).rejects.toBeInstanceOf(RpcError);
  });

  it('starknet.js reads chain, blocks, transactions and events', async () => {
    const { transaction_hash: hash } = await accountOf(ALICE).execute(increase, explicit);
    await provider.waitForTransaction(hash, { retryInterval: 20 });
    expect(await provider.getChainId()).toBe('0x534e5f54455354');
    expect(await provider.getSpecVersion()).toBe('0.10.2');
    const { block_number: number } = await provider.getBlockLatestAccepted();
    expect(await provider.getBlockWithTxHashes(number)).toMatchObject({
      status: 'ACCEPTED_ON_L2',
      transactions: [hash],
    });
    expect(await provider.getBlockWithReceipts('pre_confirmed')).toMatchObject({
      block_number: number + 1,
    });
    expect(await provider.getTransactionByHash(hash)).toMatchObject({
      type: 'INVOKE',
      nonce: '0x0',
    });
    const { events } = await provider.getEvents({
      address: toHex(STRK),
      from_block: { block_number: 0 },
      to_block: 'latest',
      chunk_size: 10,
    });
    expect(events).toHaveLength(1);
  });

  it('starknet.js estimates and simulates transactions with the account’s signature', async () => {
    const account = accountOf(ALICE);
    const estimate = await account.estimateInvokeFee(increase, { tip: 0n });
    expect(estimate.overall_fee).toBeGreaterThan(0n);
    expect(estimate.unit).toBe('FRI');
    const simulated = await account.simulateTransaction([{ type: 'INVOKE', payload: increase }], {
      ...explicit,
      skipValidate: false,
    });
    expect(simulated).toMatchObject({
      simulated_transactions: [
        {
          transaction_trace: {
            type: 'INVOKE',
            execute_invocation: { calls: [{ result: ['0x5'] }] },
          },
        },
      ],
    });
    expect(
      await provider.callContract({ contractAddress: toHex(COUNTER_1), entrypoint: 'value' }),
    ).toEqual(['0x0']);
  });

  it('starknet.js receives the receipt of a reverted transaction', async () => {
    const { transaction_hash: hash } = await accountOf(ALICE).execute(
      { ...increase, entrypoint: 'fail' },
      explicit,
    );
    const receipt = await provider.waitForTransaction(hash, { retryInterval: 20 });
    expect(receipt.isReverted()).toBe(true);
    expect(receipt.value).toHaveProperty(
      'revert_reason',
      expect.stringContaining('counter is broken'),
    );
  });

  it('starknet.js throws the matching RPC error type for each rejection', async () => {
    const types = [
      ['INSUFFICIENT_ACCOUNT_BALANCE', await rejection(accountOf(POOR), { nonce: 0n })],
      ['UNEXPECTED_ERROR', await rejection(accountOf(ALICE), { nonce: 999n })],
      [
        'VALIDATION_FAILURE',
        await rejection(accountOf({ ...ALICE, privateKey: 5n }), { nonce: 0n }),
      ],
    ] as const;
    for (const [type, error] of types) {
      expect(error).toBeInstanceOf(RpcError);
      expect(error instanceof RpcError && error.isType(type)).toBe(true);
    }
  });
});
