import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetPoolReader, selectorOf } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { LoopbackNode, failure, type RpcRequest } from '../support/loopback-node.js';
import { V4_ENTRYPOINTS } from '../support/settings.js';

const POOL = toFelt('0xc0');
const HEAD = 'starknet_blockHashAndNumber';
const BLOCK = 'starknet_getBlockWithTxHashes';
const isHead = (method: string): boolean => method === HEAD || method === BLOCK;
const PRICE = { price_in_fri: '0x1', price_in_wei: '0x1' };
const GOOD: Readonly<Record<string, readonly string[]>> = {
  denomination: ['0x4e20', '0x0'],
  undeployed_count: ['0x2'],
  active_deposits: ['0x5'],
  total_deposits: ['0x9'],
  total_assets: ['0x1', '0x1'],
  max_fee_bps: ['0x1f4'],
  max_fee: ['0x3e8', '0x0'],
  get_next_index: ['0x9'],
};
const STATUS = {
  blockNumber: 7,
  timestamp: 1_760_000_000,
  denomination: 20_000n,
  undeployedCount: 2,
  activeDeposits: 5,
  totalDeposits: 9,
  totalAssets: 2n ** 128n + 1n,
  maxFeeBps: 500,
  maxFee: 1_000n,
  nextIndex: 9,
};
const ViewParams = z.object({
  block_id: z.unknown(),
  request: z.object({ contract_address: z.string(), entry_point_selector: z.string() }),
});

describe('StarknetPoolReader.poolStatus', () => {
  let node: LoopbackNode;
  /** Hash and number of the latest block, for each query. The last entry is repeated. */
  let heads: (readonly [hash: string, number: unknown])[];
  beforeEach(async () => {
    node = await LoopbackNode.start();
    heads = [['0xb7', 7]];
    script({});
  });
  afterEach(async () => node.stop());

  function script(views: Readonly<Record<string, readonly string[]>>): void {
    const bySelector = new Map(
      Object.entries({ ...GOOD, ...views }).map(([name, result]) => [
        String(selectorOf(name)),
        result,
      ]),
    );
    node.answer = ({ method, params }: RpcRequest) => {
      if (!isHead(method))
        return { result: bySelector.get(ViewParams.parse(params).request.entry_point_selector) };
      const [hash, number] = (heads.length > 1 ? heads.shift() : heads[0]) ?? [];
      return {
        result: {
          block_hash: hash,
          block_number: number,
          ...(method === BLOCK && {
            status: 'ACCEPTED_ON_L2',
            timestamp: 1_760_000_000,
            l1_gas_price: PRICE,
            l1_data_gas_price: PRICE,
            l2_gas_price: PRICE,
          }),
        },
      };
    };
  }

  it('reads the head, the pool’s eight views and the block in one request', async () => {
    expect(await new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).poolStatus(POOL)).toEqual(
      STATUS,
    );
    expect(node.bodies).toHaveLength(1);
    const calls = node.calls();
    expect(calls).toHaveLength(10);
    expect([calls.at(0)?.method, calls.at(-1)?.method]).toEqual([HEAD, BLOCK]);
    for (const { params } of calls.slice(1, -1)) {
      expect(params).toMatchObject({ block_id: 'latest', request: { contract_address: POOL } });
    }
  });

  it('all reads of one pool remain in one request when several pools are read', async () => {
    const reader = new StarknetPoolReader(node.client(), V4_ENTRYPOINTS);
    await Promise.all(Array.from({ length: 7 }, async () => reader.poolStatus(POOL)));
    expect(node.batchSizes()).toEqual([20, 50]);
  });

  it('reads the pool status again if a block arrived during the request', async () => {
    heads = [
      ['0xb6', 6],
      ['0xb7', 7],
      ['0xb7', 7],
    ];
    expect(await new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).poolStatus(POOL)).toEqual(
      STATUS,
    );
    expect(node.calls()).toHaveLength(20);
  });

  it('reads the pool status again if a block was replaced by another block of the same height', async () => {
    heads = [
      ['0xa7', 7],
      ['0xb7', 7],
      ['0xb7', 7],
    ];
    await new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).poolStatus(POOL);
    expect(node.calls()).toHaveLength(20);
  });

  it('fails if a new block arrives during every attempt to read the pool status', async () => {
    heads = [
      ['0xb6', 6],
      ['0xb7', 7],
      ['0xb8', 8],
      ['0xb9', 9],
    ];
    expect(
      await failure(new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).poolStatus(POOL)),
    ).toMatchObject({
      code: 'NODE_UNAVAILABLE',
    });
    expect(node.bodies).toHaveLength(2);
  });

  it.each([
    ['no felt', { denomination: [] }],
    ['one half of a u256', { total_assets: ['0x1'] }],
    ['a half of 2^128', { max_fee: ['0x0', `0x1${'0'.repeat(32)}`] }],
    ['a u32 of 2^32', { total_deposits: ['0x100000000'] }],
    ['two felts for a u32', { active_deposits: ['0x1', '0x0'] }],
    ['a denomination of nothing', { denomination: ['0x0', '0x0'] }],
    ['a fee above the whole amount', { max_fee_bps: ['0x2711'] }],
    ['more waiting leaves than leaves', { undeployed_count: ['0xa'] }],
  ])('rejects a pool status with %s', async (_what, views) => {
    script(views);
    expect(
      await failure(new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).poolStatus(POOL)),
    ).toBeInstanceOf(NodeMalformedAnswer);
  });

  it.each([['7'], [-1], [undefined]])(
    'rejects a pool status with the invalid block number %j',
    async (number) => {
      heads = [['0xb7', number]];
      expect(
        await failure(new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).poolStatus(POOL)),
      ).toBeInstanceOf(NodeMalformedAnswer);
    },
  );

  it.each(Object.keys(GOOD))(
    'rejects the pool status if the view %s is missing',
    async (missing) => {
      const { answer } = node;
      node.answer = (request) =>
        !isHead(request.method) &&
        ViewParams.parse(request.params).request.entry_point_selector === selectorOf(missing)
          ? { error: { code: 21, message: 'Requested entrypoint does not exist in the contract' } }
          : answer(request);
      expect(
        await failure(new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).poolStatus(POOL)),
      ).toMatchObject({
        code: 'NODE_REFUSED_CALL',
      });
    },
  );

  it('calls the pool’s views by the entry point names in the configuration', async () => {
    script({ idle_count: ['0x3'], undeployed_count: [] });
    const reader = new StarknetPoolReader(node.client(), {
      ...V4_ENTRYPOINTS,
      undeployedCount: 'idle_count',
    });
    expect(await reader.poolStatus(POOL)).toEqual({ ...STATUS, undeployedCount: 3 });
  });
});
