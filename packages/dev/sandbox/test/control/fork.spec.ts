import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startSandbox, type Replica, type Sandbox } from '../../src/index.js';
import { toHex } from '../../src/engine/felt.js';
import { rpcError, rpcResult } from '../support/rpc.js';
import { ALICE, COUNTER_1, testGenesis } from '../support/world.js';
import { wireInvoke } from '../support/wire-invoke.js';

const nonce = (url: string): Promise<unknown> =>
  rpcResult(url, 'starknet_getNonce', ['latest', toHex(ALICE.address)]);
const blockHash = async (url: string, number: number): Promise<unknown> =>
  Object(await rpcResult(url, 'starknet_getBlockWithTxHashes', [{ block_number: number }]))
    .block_hash;

describe('a fork of the sandbox', () => {
  let sandbox: Sandbox;
  let fork: Replica;
  const calls = [{ to: COUNTER_1, entrypoint: 'increase', calldata: [5n] }] as const;
  const { hash, body } = wireInvoke({ account: ALICE, calls });
  beforeEach(async () => {
    sandbox = await startSandbox({ genesis: testGenesis(), cadence: 'manual' });
    sandbox.control.mine(2);
    await send(sandbox.rpcUrl);
    sandbox.control.mine();
    fork = await sandbox.fork();
  });
  afterEach(() => sandbox.stop());

  const send = (url: string): Promise<unknown> =>
    rpcResult(url, 'starknet_addInvokeTransaction', [body]);
  const receipt = (url: string): Promise<unknown> =>
    rpcResult(url, 'starknet_getTransactionReceipt', [hash]);

  it('a fork of the sandbox has the accepted blocks, states and receipts of the first node', async () => {
    for (const number of [0, 1, 2, 3])
      expect(await blockHash(fork.rpcUrl, number)).toBe(await blockHash(sandbox.rpcUrl, number));
    expect(await nonce(fork.rpcUrl)).toBe('0x1');
    expect(await receipt(fork.rpcUrl)).toEqual(await receipt(sandbox.rpcUrl));
  });

  it('a fork of the sandbox still has a block that the first node has replaced', async () => {
    const before = await blockHash(fork.rpcUrl, 3);
    sandbox.control.rollback(1, 'vanish');
    sandbox.control.mine();
    expect(await blockHash(fork.rpcUrl, 3)).toBe(before);
    expect(await blockHash(sandbox.rpcUrl, 3)).not.toBe(before);
    expect([await nonce(sandbox.rpcUrl), await nonce(fork.rpcUrl)]).toEqual(['0x0', '0x1']);
    expect(await rpcError(sandbox.rpcUrl, 'starknet_getTransactionReceipt', [hash])).toMatchObject({
      code: 29,
    });

    fork.control.rollback(2, 'vanish');
    expect([fork.control.mine(), sandbox.control.mine()]).toEqual([2, 4]);
    expect(await nonce(fork.rpcUrl)).toBe('0x0');
    await send(sandbox.rpcUrl);
    expect([sandbox.control.waiting(), fork.control.waiting()]).toMatchObject([
      [{ sender: ALICE.address }],
      [],
    ]);
  });
});
