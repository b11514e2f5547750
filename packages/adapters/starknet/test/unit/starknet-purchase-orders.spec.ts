import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeMalformedAnswer,
  StarknetPurchaseOrders,
  selectorOf,
  type PurchaseOrdersSettings,
} from '@sotto/adapter-starknet';
import type { PurchaseContract } from '@sotto/dca-core';
import { Felts, toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { LoopbackNode, failure, type ScriptedAnswer } from '../support/loopback-node.js';

const CREATED = selectorOf('OrderCreated');
const CONTRACT: PurchaseContract = {
  address: toFelt('0xdca'),
  firstBlock: 3,
  keeperFeeBps: 10,
  layout: {
    fields: [],
    created: { selector: CREATED, orderId: { in: 'keys', at: 1 } },
    mayerMultiple: { size: 'u256', scale: 10n ** 18n },
    entrypoints: {
      order: 'get_order',
      mayerMultiple: 'get_mayer_multiple',
      execute: 'execute_order',
    },
    execution: ['order', 'minimum', 'routes'],
  },
};
const TO = { number: 9, hash: toFelt('0xb9'), timestamp: 1_700_000_009 };
const NOT_FOUND: ScriptedAnswer = { error: { code: 24, message: 'Block not found' } };
const Filter = z.object({ filter: z.record(z.string(), z.unknown()) });
const Token = z.object({ filter: z.object({ continuation_token: z.string().default('first') }) });
const View = z.object({
  request: z.object({ entry_point_selector: z.string(), calldata: z.array(z.string()) }),
  block_id: z.unknown(),
});

type Wire = Readonly<Record<string, unknown>>;

function created(orderId: string, blockNumber: number, changes: Wire = {}): Wire {
  return {
    from_address: '0x0DCA',
    block_number: blockNumber,
    block_hash: `0xb${blockNumber}`,
    transaction_hash: '0x1',
    keys: [CREATED, orderId],
    data: ['0xa1', '0xb2'],
    ...changes,
  };
}

describe('StarknetPurchaseOrders', () => {
  let node: LoopbackNode;
  /** Event pages by continuation token. */
  let pages: Record<string, Wire>;
  let blocks: Record<number, ScriptedAnswer>;
  let views: (selector: string, orderId: string | undefined) => ScriptedAnswer;
  const subject = (
    settings: PurchaseOrdersSettings = {},
    contract = CONTRACT,
  ): StarknetPurchaseOrders => new StarknetPurchaseOrders(node.client(), contract, settings);

  beforeEach(async () => {
    pages = { first: { events: [] } };
    blocks = {};
    views = () => ({ error: { code: 40, message: 'Contract error' } });
    node = await LoopbackNode.start();
    node.answer = ({ method, params }) => {
      if (method === 'starknet_getEvents')
        return { result: pages[Token.parse(params).filter.continuation_token] };
      if (method === 'starknet_blockHashAndNumber')
        return { result: { block_hash: TO.hash, block_number: TO.number } };
      if (method === 'starknet_call') {
        const { request } = View.parse(params);
        return views(request.entry_point_selector, request.calldata[0]);
      }
      const { block_number: number } = z
        .object({ block_number: z.int() })
        .parse(params['block_id']);
      return blocks[number] ?? NOT_FOUND;
    };
  });
  afterEach(async () => node.stop());

  const block = (number: number, changes: Wire = {}): ScriptedAnswer => ({
    result: {
      status: 'ACCEPTED_ON_L2',
      block_number: number,
      block_hash: `0xb${number}`,
      ...changes,
    },
  });
  const filters = (): readonly Wire[] =>
    node
      .calls()
      .filter(({ method }) => method === 'starknet_getEvents')
      .map(({ params }) => Filter.parse(params).filter);

  describe('opened', () => {
    it('reads all pages of order events by their continuation tokens', async () => {
      pages = {
        first: { events: [created('0x1', 4), created('0x2', 4)], continuation_token: 'a' },
        a: { events: [], continuation_token: 'b' },
        b: { events: [created('0xffffffffffffffff', 9)] },
      };
      expect(await subject().opened(4, TO)).toEqual({
        opened: [
          { orderId: 1n, blockNumber: 4 },
          { orderId: 2n, blockNumber: 4 },
          { orderId: 2n ** 64n - 1n, blockNumber: 9 },
        ],
        throughBlock: 9,
      });
      expect(filters()).toEqual(
        [{}, { continuation_token: 'a' }, { continuation_token: 'b' }].map((token) => ({
          from_block: { block_number: 4 },
          to_block: { block_hash: TO.hash },
          address: CONTRACT.address,
          keys: [[CREATED]],
          chunk_size: 1_000,
          ...token,
        })),
      );
    });

    it('reads the order id from the event’s data if the configured event layout states so', async () => {
      const { layout } = CONTRACT;
      const created2 = { ...layout.created, orderId: { in: 'data', at: 1 } } as const;
      const contract = { ...CONTRACT, layout: { ...layout, created: created2 } };
      pages = { first: { events: [created('0x1', 4)] } };
      expect(await subject({}, contract).opened(4, TO)).toMatchObject({
        opened: [{ orderId: 0xb2n }],
      });
    });

    it('a query for new orders ends with the last complete block if there are too many event pages', async () => {
      pages = {
        first: { events: [created('0x1', 5), created('0x2', 6)], continuation_token: 'a' },
        a: { events: [created('0x3', 6), created('0x4', 7)], continuation_token: 'b' },
      };
      expect(await subject({ maxPages: 2 }).opened(4, TO)).toEqual({
        opened: [
          { orderId: 1n, blockNumber: 5 },
          { orderId: 2n, blockNumber: 6 },
          { orderId: 3n, blockNumber: 6 },
        ],
        throughBlock: 6,
      });
      expect(filters()).toHaveLength(2);
    });

    it.each<[string, readonly Wire[]]>([
      ['nothing', []],
      ['no whole block', [created('0x1', 4)]],
    ])(
      'rejects a node whose event pages contain only %s up to the maximum number of pages',
      async (_what, events) => {
        pages = { first: { events, continuation_token: 'first' } };
        expect(await failure(subject({ maxPages: 3 }).opened(4, TO))).toMatchObject({
          code: 'NODE_UNAVAILABLE',
        });
        expect(filters()).toHaveLength(3);
      },
    );

    it('reads new orders from a limited range of blocks', async () => {
      blocks = { 6: block(6), 9: block(9) };
      pages = { first: { events: [created('0x1', 5)] } };
      expect(await subject({ maxBlocks: 3 }).opened(4, TO)).toEqual({
        opened: [{ orderId: 1n, blockNumber: 5 }],
        throughBlock: 6,
      });
      expect(filters()).toMatchObject([{ to_block: { block_hash: '0xb6' } }]);
      expect(node.bodies).toHaveLength(2);
    });

    it('reports the node as behind if the requested block is not on the node’s chain', async () => {
      blocks = { 6: block(6), 9: block(9, { block_hash: '0xbad' }) };
      expect(await failure(subject({ maxBlocks: 3 }).opened(4, TO))).toMatchObject({
        code: 'NODE_BEHIND',
      });
      expect(filters()).toHaveLength(0);
    });

    it('reports the node as behind if the node lacks the requested block', async () => {
      node.answer = () => NOT_FOUND;
      expect(await failure(subject().opened(4, TO))).toMatchObject({ code: 'NODE_BEHIND' });
    });

    it.each<[string, Wire]>([
      ['of another contract', created('0x1', 5, { from_address: '0xbad' })],
      ['of another name', created('0x1', 5, { keys: ['0xbad', '0x1'] })],
      ['before the range', created('0x1', 3)],
      ['after the range', created('0x1', 10)],
      ['in a block that is not accepted', created('0x1', 5, { block_hash: undefined })],
      ['without an id', created('0x1', 5, { keys: [CREATED] })],
      ['whose id is no u64', created(`0x1${'0'.repeat(16)}`, 5)],
      ['whose id is no felt', created('1', 5)],
      ['with more felts than any event', created('0x1', 5, { data: Array(65).fill('0x1') })],
    ])('rejects an order’s creation event %s', async (_what, event) => {
      pages = { first: { events: [event] } };
      expect(await failure(subject().opened(4, TO))).toBeInstanceOf(NodeMalformedAnswer);
    });

    it.each<[string, Record<string, Wire>]>([
      ['events in the wrong order', { first: { events: [created('0x1', 6), created('0x2', 5)] } }],
      [
        'a page that goes back',
        {
          first: { events: [created('0x1', 6)], continuation_token: 'a' },
          a: { events: [created('0x2', 5)] },
        },
      ],
      [
        'more events than a page has',
        { first: { events: Array.from({ length: 1_001 }, () => created('0x1', 5)) } },
      ],
      ['an endless token', { first: { events: [], continuation_token: 'x'.repeat(4_097) } }],
      ['no page', { first: {} }],
    ])('rejects pages of order events with %s', async (_what, answers) => {
      pages = answers;
      expect(await failure(subject().opened(4, TO))).toBeInstanceOf(NodeMalformedAnswer);
    });
  });

  describe('read', () => {
    it('returns null for an order whose view reverts', async () => {
      views = (_selector, orderId) =>
        orderId === '0x2'
          ? { error: { code: 40, message: 'Contract error', data: { revert_error: 'No order' } } }
          : { result: [orderId, '0xff'] };
      expect(await subject().read([3n, 2n, 1n], TO)).toEqual([
        Felts.of([3n, 255n]),
        null,
        Felts.of([1n, 255n]),
      ]);
      expect(node.bodies).toHaveLength(1);
      for (const { params } of node.calls())
        expect(View.parse(params)).toMatchObject({
          request: { entry_point_selector: selectorOf('get_order') },
          block_id: { block_hash: TO.hash },
        });
    });

    it('sends no request if no orders are requested', async () => {
      expect(await subject().read([], TO)).toEqual([]);
      expect(node.bodies).toHaveLength(0);
    });

    it.each<[string, ScriptedAnswer, string]>([
      ['the block is missing', NOT_FOUND, 'NODE_BEHIND'],
      ['there is no contract', { error: { code: 20, message: '' } }, 'NODE_REFUSED_CALL'],
      ['there is no such view', { error: { code: 21, message: '' } }, 'NODE_REFUSED_CALL'],
      ['the node fails', { error: { code: -32_603, message: '' } }, 'NODE_UNAVAILABLE'],
      ['it answers no felt', { result: ['12'] }, 'NODE_MALFORMED_ANSWER'],
      ['it answers too much', { result: Array(65).fill('0x1') }, 'NODE_MALFORMED_ANSWER'],
    ])('rejects the read of several orders if for one order %s', async (_what, answer, code) => {
      views = (_selector, orderId) => (orderId === '0x2' ? answer : { result: ['0x1'] });
      expect(await failure(subject().read([1n, 2n], TO))).toMatchObject({ code });
    });
  });

  describe('mayerMultiple', () => {
    it('reads the Mayer Multiple at the requested block', async () => {
      views = (selector) =>
        selector === selectorOf('get_mayer_multiple')
          ? { result: ['0x5', '0x1'] }
          : { error: { code: 21, message: '' } };
      expect(await subject().mayerMultiple(TO)).toBe(2n ** 128n + 5n);
      expect(node.calls()).toMatchObject([{ params: { block_id: { block_hash: TO.hash } } }]);
    });

    it.each<[string, ScriptedAnswer, string]>([
      ['fewer felts', { result: ['0x5'] }, 'NODE_MALFORMED_ANSWER'],
      ['more felts', { result: ['0x5', '0x0', '0x0'] }, 'NODE_MALFORMED_ANSWER'],
      ['no u256', { result: ['0x0', `0x1${'0'.repeat(32)}`] }, 'NODE_MALFORMED_ANSWER'],
      ['a revert', { error: { code: 40, message: '' } }, 'NODE_REFUSED_CALL'],
      ['no such block', NOT_FOUND, 'NODE_BEHIND'],
    ])('rejects a read of the Mayer Multiple that returns %s', async (_what, answer, code) => {
      views = () => answer;
      expect(await failure(subject().mayerMultiple(TO))).toMatchObject({ code });
    });
  });

  describe('blockAt', () => {
    it('returns the accepted block at a height, and null for a height above the head', async () => {
      blocks = { 4: block(4) };
      expect(await subject().blockAt(4)).toEqual({ number: 4, hash: toFelt('0xb4') });
      expect(await subject().blockAt(10)).toBeNull();
    });

    it('a read of a block by its height fails if the block is below the head and missing', async () => {
      expect(await failure(subject().blockAt(5))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
    });
  });
});
