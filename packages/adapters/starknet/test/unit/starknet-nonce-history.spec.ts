import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetNonceHistory } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { hash } from 'starknet';
import { z } from 'zod';
import { LoopbackNode, failure } from '../support/loopback-node.js';

const ACCOUNT = toFelt('0xa1');
const Height = z.object({ block_id: z.object({ block_number: z.int() }) });

function took(
  nonce: number,
  transactionHash: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const own = {
    type: 'INVOKE',
    version: '0x3',
    sender_address: '0x00A1',
    transaction_hash: transactionHash,
  };
  return { ...own, nonce: `0x${nonce.toString(16)}`, ...changes };
}

describe('StarknetNonceHistory', () => {
  let node: LoopbackNode;
  let history: StarknetNonceHistory;
  /** Transactions of each block, by block height. */
  let blocks: Map<number, readonly Record<string, unknown>[]>;
  let head: number;
  let deployedAt: number;
  let status: string;

  beforeEach(async () => {
    blocks = new Map();
    head = 1_000;
    deployedAt = 0;
    status = 'ACCEPTED_ON_L2';
    node = await LoopbackNode.start();
    node.answer = ({ method, params }) => {
      if (method === 'starknet_blockNumber') return { result: head };
      const height = Height.parse(params).block_id.block_number;
      if (height > head || height < 0) return { error: { code: 24, message: 'Block not found' } };
      if (method === 'starknet_getBlockWithTxs') {
        return { result: { status, block_number: height, transactions: blocks.get(height) ?? [] } };
      }
      if (height < deployedAt) return { error: { code: 20, message: 'Contract not found' } };
      const passed = [...blocks]
        .filter(([number]) => number <= height)
        .flatMap(([, transactions]) => transactions);
      const own = passed.filter(
        (transaction) =>
          transaction['sender_address'] === '0x00A1' || transaction['type'] === 'DEPLOY_ACCOUNT',
      );
      return { result: `0x${own.length.toString(16)}` };
    };
    history = new StarknetNonceHistory(node.client());
  });
  afterEach(async () => node.stop());

  it.each([[0], [1], [2], [499], [500], [998], [999], [1_000]])(
    'finds the transaction that consumed the nonce in block %d',
    async (number) => {
      blocks.set(number, [took(0, '0xf00')]);
      expect(await history.consumerOf(ACCOUNT, 0n)).toBe('0xf00');
    },
  );

  it('the search for a consumed nonce begins with the newest blocks', async () => {
    head = 10_000_000;
    blocks.set(head - 3, [took(0, '0xf00')]);
    await history.consumerOf(ACCOUNT, 0n);
    expect(node.bodies.length).toBeLessThan(10);
  });

  it('finds a consumed nonce with a logarithmic number of block reads', async () => {
    head = 10_000_000;
    blocks.set(5, [took(0, '0xf00')]);
    expect(await history.consumerOf(ACCOUNT, 0n)).toBe('0xf00');
    expect(node.bodies.length).toBeLessThan(60);
  });

  it('identifies the transaction that consumed a nonce by its sender and nonce', async () => {
    blocks.set(3, [took(0, '0xe0')]);
    blocks.set(7, [
      {
        type: 'L1_HANDLER',
        version: '0x0',
        nonce: '0x1',
        transaction_hash: '0xbad',
        contract_address: '0xa1',
      },
      took(1, '0xbad2', { sender_address: '0xa2' }),
      took(1, '0xf01'),
      took(2, '0xf02'),
    ]);
    expect(await history.consumerOf(ACCOUNT, 1n)).toBe('0xf01');
    expect(await history.consumerOf(ACCOUNT, 2n)).toBe('0xf02');
  });

  it('treats the account’s nonce as zero in blocks below the account’s deployment', async () => {
    deployedAt = 600;
    blocks.set(700, [took(0, '0xf00')]);
    expect(await history.consumerOf(ACCOUNT, 0n)).toBe('0xf00');
  });

  it('attributes nonce 0 to the deployment of the account', async () => {
    const [salt, classHash, calldata] = ['0x5', '0x6', ['0x7', '0x8']] as const;
    const deployed = toFelt(
      hash.calculateContractAddressFromHash(salt, classHash, [...calldata], 0),
    );
    deployedAt = 40;
    blocks.set(40, [
      {
        type: 'DEPLOY_ACCOUNT',
        nonce: '0x0',
        transaction_hash: '0xd1',
        contract_address_salt: salt,
        class_hash: classHash,
        constructor_calldata: calldata,
      },
    ]);
    expect(await history.consumerOf(deployed, 0n)).toBe('0xd1');
  });

  it('returns null for a nonce that is not consumed at the latest block', async () => {
    blocks.set(3, [took(0, '0xe0')]);
    expect(await history.consumerOf(ACCOUNT, 1n)).toBeNull();
  });

  it('rejects the search for a consumed nonce if the found block lacks the transaction', async () => {
    blocks.set(3, [took(5, '0xe0')]);
    expect(await failure(history.consumerOf(ACCOUNT, 0n))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('rejects the search for a consumed nonce if the found block is only pre-confirmed', async () => {
    blocks.set(3, [took(0, '0xe0')]);
    status = 'PRE_CONFIRMED';
    expect(await failure(history.consumerOf(ACCOUNT, 0n))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('rejects the search for a consumed nonce if a reorg shortens the chain during the search', async () => {
    blocks.set(1_000, [took(0, '0xf00')]);
    const answer = node.answer;
    node.answer = (request) =>
      request.method === 'starknet_getBlockWithTxs'
        ? { error: { code: 24, message: 'Block not found' } }
        : answer(request);
    expect(await failure(history.consumerOf(ACCOUNT, 0n))).toMatchObject({
      code: 'NODE_UNAVAILABLE',
    });
  });
});
