import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeMalformedAnswer,
  NodeUnavailable,
  StarknetPoolEvents,
  selectorOf,
  type PoolEventsSettings,
} from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode } from '../support/loopback-node.js';

const POOL = toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33');
const price = { price_in_fri: '0x1', price_in_wei: '0x1' };

function block(number: number, timestamp: number): object {
  const prices = { l1_gas_price: price, l1_data_gas_price: price, l2_gas_price: price };
  return {
    status: 'ACCEPTED_ON_L2',
    block_number: number,
    block_hash: '0xb10c',
    timestamp,
    ...prices,
  };
}

function event(leaf: number, time: number, changes: object = {}): object {
  const data = [`0x${leaf.toString(16)}`, `0x${time.toString(16)}`];
  return {
    from_address: POOL,
    keys: [selectorOf('Deposit'), '0x5', '0x0'],
    data,
    block_number: 960,
    transaction_hash: '0xa',
    ...changes,
  };
}

function batch(start: number, size: number, blockNumber: number): object {
  const data = [start, size, 1, 0, 1, 0].map((value) => `0x${value.toString(16)}`);
  return event(0, 0, {
    keys: [selectorOf('BatchDeployed'), '0x0'],
    data,
    block_number: blockNumber,
  });
}

describe('StarknetPoolEvents for deposits and batches', () => {
  let node: LoopbackNode;
  let head: object;
  let pages: unknown[];
  beforeEach(async () => {
    node = await LoopbackNode.start();
    head = block(1_000, 10_000);
    pages = [];
    node.answer = ({ method }) => ({
      result: method === 'starknet_getEvents' ? pages.shift() : head,
    });
  });
  afterEach(async () => node.stop());

  const ages = (settings?: PoolEventsSettings): StarknetPoolEvents =>
    new StarknetPoolEvents(node.client({ readTimeoutMs: 5_000 }), settings);
  const filters = (): unknown[] =>
    node
      .calls()
      .filter(({ method }) => method === 'starknet_getEvents')
      .map(({ params }) => params['filter']);

  it('computes the ages of a pool’s deposits at the newest accepted block', async () => {
    pages = [{ events: [event(0, 4_000), event(1, 9_990)] }];
    expect(await ages({ deployedAt: new Map([[POOL, 700]]) }).agesOf(POOL, 0, 2)).toEqual([
      6_000, 10,
    ]);
    expect(filters()).toEqual([
      {
        from_block: { block_number: 700 },
        to_block: { block_number: 1_000 },
        address: POOL,
        keys: [[selectorOf('Deposit'), selectorOf('BatchDeployed')]],
        chunk_size: 1_000,
      },
    ]);
  });

  it('a later query for pool events reads only the newest blocks again', async () => {
    pages = [
      { events: [event(0, 4_000, { block_number: 900 }), event(1, 9_990)] },
      { events: [event(1, 10_100)] },
    ];
    const subject = ages({ unsettledBlocks: 50 });
    await subject.agesOf(POOL, 0, 2);
    head = block(1_020, 10_200);
    expect(await subject.agesOf(POOL, 0, 2)).toEqual([6_200, 100]);
    expect(filters()).toMatchObject([
      { from_block: { block_number: 0 } },
      { from_block: { block_number: 951 } },
    ]);
  });

  it('discards a cached batch that a rollback of blocks replaced with another batch', async () => {
    const subject = ages({ unsettledBlocks: 50 });
    pages = [
      { events: [batch(0, 3, 900), batch(3, 5, 970), batch(8, 3, 990)] },
      { events: [batch(3, 3, 980)] },
    ];
    expect(await subject.batchesOf(POOL)).toHaveLength(3);
    expect(await subject.batchesOf(POOL)).toEqual([
      { id: 0, start: 0, size: 3 },
      { id: 0, start: 3, size: 3 },
    ]);
  });

  it('reads pages of pool events up to the maximum number of pages', async () => {
    pages = [{ events: [], continuation_token: 'a' }, { events: [event(0, 1)] }];
    expect(await ages().agesOf(POOL, 0, 1)).toEqual([9_999]);
    expect(filters()).toMatchObject([{}, { continuation_token: 'a' }]);
    pages = [
      { events: [], continuation_token: 'a' },
      { events: [], continuation_token: 'b' },
    ];
    await expect(ages({ maxPages: 2 }).agesOf(POOL, 0, 1)).rejects.toThrow(NodeUnavailable);
  });

  it('caches no pool events from a failed query', async () => {
    const subject = ages();
    pages = [{ events: 'none' }, { events: [event(0, 4_000)] }];
    await expect(subject.agesOf(POOL, 0, 1)).rejects.toThrow(NodeMalformedAnswer);
    expect(await subject.agesOf(POOL, 0, 1)).toEqual([6_000]);
    expect(filters()).toMatchObject([
      { from_block: { block_number: 0 } },
      { from_block: { block_number: 0 } },
    ]);
  });

  it('a query for deposit ages fails if a deposit is missing, instead of treating this deposit as new', async () => {
    pages = [{ events: [event(0, 4_000)] }];
    await expect(ages().agesOf(POOL, 0, 2)).rejects.toThrow(NodeUnavailable);
  });

  it.each([
    ['of another contract', { from_address: '0x1' }],
    ['of another name', { keys: [selectorOf('Withdrawal'), '0x5', '0x0'] }],
    ['without a time', { data: ['0x0'] }],
    ['of a block that was not asked for', { block_number: 1_001 }],
  ])('rejects a pool event %s', async (_what, changes) => {
    pages = [{ events: [event(0, 4_000, changes)] }];
    await expect(ages().agesOf(POOL, 0, 1)).rejects.toThrow(NodeMalformedAnswer);
  });

  it('returns age 0 for a deposit whose time is later than the newest block’s time', async () => {
    pages = [{ events: [event(0, 10_005)] }];
    expect(await ages().agesOf(POOL, 0, 1)).toEqual([0]);
  });
});
