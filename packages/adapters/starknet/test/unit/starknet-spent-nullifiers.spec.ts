import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeMalformedAnswer,
  StarknetPoolEvents,
  selectorOf,
  type PoolEventsSettings,
} from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure } from '../support/loopback-node.js';

const POOL = toFelt('0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33');
const NULLIFIER = (6n << 128n) + 5n;
const EVENT = {
  from_address: '0x002BDB9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33',
  keys: [selectorOf('Withdrawal'), '0x5', '0x6'],
  data: ['0x1', '0x2', '0x3', '0x0', '0x4', '0x0'],
  block_hash: '0xb10c',
  block_number: 17,
  transaction_hash: '0x0ABC',
  transaction_index: 0,
  event_index: 3,
};

describe('StarknetPoolEvents for spent notes', () => {
  let node: LoopbackNode;
  beforeEach(async () => {
    node = await LoopbackNode.start();
  });
  afterEach(async () => node.stop());

  async function spenderIn(
    pages: readonly unknown[],
    settings?: PoolEventsSettings,
  ): Promise<unknown> {
    const left = [...pages];
    node.answer = () => ({ result: left.shift() });
    return new StarknetPoolEvents(node.client(), settings).spenderOf(POOL, NULLIFIER);
  }

  const filters = () => node.calls().map(({ params }) => params['filter']);

  it('finds the transaction that spent a note by both halves of the note’s nullifier', async () => {
    expect(await spenderIn([{ events: [EVENT] }])).toBe('0xabc');
    expect(node.calls().map(({ method }) => method)).toEqual(['starknet_getEvents']);
    expect(filters()).toEqual([
      {
        from_block: { block_number: 0 },
        to_block: 'latest',
        address: POOL,
        keys: [[selectorOf('Withdrawal')], ['0x5'], ['0x6']],
        chunk_size: 10,
      },
    ]);
  });

  it('starts the search for a spent note at the block of the pool’s deployment', async () => {
    await spenderIn([{ events: [] }], { deployedAt: new Map([[POOL, 1_234_567]]) });
    expect(filters()).toMatchObject([{ from_block: { block_number: 1_234_567 } }]);
  });

  it('S4 searches the swap pool for the event SwapWithdraw instead of Withdrawal', async () => {
    const event = { ...EVENT, keys: [selectorOf('SwapWithdraw'), ...EVENT.keys.slice(1)] };
    expect(await spenderIn([{ events: [event] }], { swapPool: POOL })).toBe('0xabc');
    expect(filters()).toMatchObject([{ keys: [[selectorOf('SwapWithdraw')], ['0x5'], ['0x6']] }]);
  });

  it('the search for a spent note continues after empty event pages, and ends at the found event', async () => {
    const pages = [
      { events: [], continuation_token: 'a' },
      { events: [], continuation_token: 'b' },
      { events: [EVENT], continuation_token: 'c' },
    ];
    expect(await spenderIn(pages)).toBe('0xabc');
    const [first, ...others] = filters();
    expect(first).not.toHaveProperty('continuation_token');
    expect(others).toMatchObject([{ continuation_token: 'a' }, { continuation_token: 'b' }]);
  });

  it.each([[{ events: [] }], [{ events: [], continuation_token: null }]])(
    'the search for a spent note returns null if the last event page is empty: %j',
    async (page) => {
      expect(await spenderIn([{ events: [], continuation_token: 'a' }, page])).toBeNull();
    },
  );

  it('returns the first event if several events spent the same note', async () => {
    expect(await spenderIn([{ events: [EVENT, { ...EVENT, transaction_hash: '0xdef' }] }])).toBe(
      '0xabc',
    );
  });

  it('the search for a spent note fails after the maximum number of event pages', async () => {
    node.answer = () => ({ result: { events: [], continuation_token: 'on' } });
    const endless = new StarknetPoolEvents(node.client(), { maxPages: 3 }).spenderOf(
      POOL,
      NULLIFIER,
    );
    expect(await failure(endless)).toMatchObject({ code: 'NODE_UNAVAILABLE' });
    expect(node.calls()).toHaveLength(3);
  });

  it.each([
    ['of another contract', [{ ...EVENT, from_address: '0x1' }]],
    ['with another name', [{ ...EVENT, keys: [selectorOf('Deposit'), '0x5', '0x6'] }]],
    ['with another half', [{ ...EVENT, keys: [selectorOf('Withdrawal'), '0x5', '0x7'] }]],
    ['with a key too few', [{ ...EVENT, keys: EVENT.keys.slice(0, 2) }]],
    ['with a key too many', [{ ...EVENT, keys: [...EVENT.keys, '0x0'] }]],
    ['that is only pre-confirmed', [{ ...EVENT, block_hash: undefined }]],
    ['in more than was asked for', Array.from({ length: 11 }, () => EVENT)],
    ['that is malformed', [{}]],
    ['in no list', undefined],
  ])(
    'rejects the node’s response if the event of the spent note is invalid: %s',
    async (_what, events) => {
      expect(await failure(spenderIn([{ events }]))).toBeInstanceOf(NodeMalformedAnswer);
    },
  );

  it('rejects the search for a spent note if the node fails', async () => {
    node.answer = () => ({ error: { code: -32_603, message: 'Internal error' } });
    const requested = new StarknetPoolEvents(node.client()).spenderOf(POOL, NULLIFIER);
    expect(await failure(requested)).toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });
});
