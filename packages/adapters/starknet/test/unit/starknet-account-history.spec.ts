import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  GuardCalls,
  NodeMalformedAnswer,
  NodeUnavailable,
  StarknetAccountHistory,
  selectorOf,
} from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { hash } from 'starknet';
import { z } from 'zod';
import { LoopbackNode, failure, type ScriptedAnswer } from '../support/loopback-node.js';
import { withdrawal } from '../support/withdrawal.js';

const ACCOUNT = toFelt('0xa1');
const Height = z.object({ block_id: z.object({ block_number: z.int() }) });
type Wire = Record<string, unknown>;

function sent(
  transactionHash: string,
  transaction: Wire = {},
  receipt: Wire = {},
): { transaction: Wire; receipt: Wire } {
  return {
    transaction: {
      type: 'INVOKE',
      version: '0x3',
      sender_address: '0x00A1',
      nonce: '0x5',
      calldata: ['0x0'],
      ...transaction,
    },
    receipt: {
      type: 'INVOKE',
      transaction_hash: transactionHash,
      finality_status: 'ACCEPTED_ON_L2',
      execution_status: 'SUCCEEDED',
      actual_fee: { amount: '0x10', unit: 'FRI' },
      ...receipt,
    },
  };
}

/** Encodes the first three felts of a call: target, selector and calldata length. */
const opening = (to: string, entrypoint: string, length: number): readonly string[] => [
  to,
  selectorOf(entrypoint),
  `0x${length.toString(16)}`,
];

describe('StarknetAccountHistory', () => {
  let node: LoopbackNode;
  let history: StarknetAccountHistory;
  let blocks: Map<number, readonly { transaction: Wire; receipt: Wire }[]>;
  let head: number;
  /**
   * Returns the members that replace members of the block with this number, to make the block
   * malformed.
   */
  let odd: (number: number) => Wire;
  let byHash: Record<string, ScriptedAnswer>;

  beforeEach(async () => {
    blocks = new Map();
    head = 20;
    odd = () => ({});
    byHash = {};
    node = await LoopbackNode.start();
    node.answer = ({ method, params }) => {
      if (method === 'starknet_blockHashAndNumber')
        return { result: { block_hash: '0xb', block_number: head } };
      if (method.startsWith('starknet_getTransaction'))
        return byHash[method] ?? { error: { code: 29, message: 'Transaction hash not found' } };
      const number = Height.parse(params).block_id.block_number;
      if (number > head) return { error: { code: 24, message: 'Block not found' } };
      const named = {
        block_number: number,
        block_hash: `0x${(number + 0xb00).toString(16)}`,
        parent_hash: `0x${(number + 0xaff).toString(16)}`,
      };
      return {
        result: {
          status: 'ACCEPTED_ON_L2',
          timestamp: number * 10,
          ...named,
          transactions: blocks.get(number) ?? [],
          ...odd(number),
        },
      };
    };
    history = new StarknetAccountHistory(node.client(), { concurrency: 3 });
  });
  afterEach(async () => node.stop());

  const answer = (transaction: Wire = {}, receipt: Wire = {}): void => {
    const { transaction: returned, receipt: shown } = sent(
      '0x00F1',
      { transaction_hash: '0x00F1', ...transaction },
      receipt,
    );
    byHash = {
      starknet_getTransactionByHash: { result: returned },
      starknet_getTransactionReceipt: {
        result: { ...shown, block_number: 4, block_hash: '0xb04', ...receipt },
      },
    };
  };

  describe('transactions', () => {
    it('returns sender, nonce, outcome, block and calls of a transaction', async () => {
      const calldata = ['0x1', '0x7a11', selectorOf('withdraw'), '0x1', '0x9'];
      blocks.set(4, [
        sent('0x00F1', { calldata }, { execution_status: 'REVERTED', revert_reason: 'paused' }),
        sent('0xf2', { sender_address: '0xa2' }),
      ]);
      const {
        sent: [found, ...others],
        last,
      } = await history.transactions([ACCOUNT], 2, 6);
      expect(others).toEqual([]);
      expect(last).toEqual({ number: 6, hash: '0xb06' });
      expect(found).toMatchObject({
        sender: ACCOUNT,
        nonce: 5n,
        consumer: {
          hash: '0xf1',
          execution: 'REVERTED',
          revertReason: 'paused',
          feeFri: 16n,
          block: { number: 4, hash: '0xb04' },
        },
        calls: [{ target: { to: '0x7a11', entrypoint: 'withdraw' } }],
      });
    });

    it('T8: removes only the guard call from the calls of a guarded withdrawal', async () => {
      const guardCalls = new GuardCalls({
        guard: toFelt('0x9a2d'),
        entrypoints: { isKnownRoot: 'is_known_root', isSpent: 'is_spent' },
        swapPool: null,
        depositTokens: new Map(),
      });
      const target = { to: toFelt('0x7a11'), entrypoint: 'withdraw' };
      const guard = guardCalls.beforeWithdrawal(target, withdrawal.calldata);
      if (guard === null) throw new Error('a withdrawal has no guard');
      const after = (to: string): readonly string[] => [
        '0x2',
        ...opening(to, 'assert_views', guard.calldata.length),
        ...guard.calldata.toHex(),
        ...opening('0x7a11', 'withdraw', withdrawal.calldata.length),
        ...withdrawal.calldata.toHex(),
      ];
      blocks.set(4, [
        sent('0xf1', { calldata: after('0x9a2d') }),
        sent('0xf2', { calldata: after('0xbad') }),
      ]);
      history = new StarknetAccountHistory(node.client(), { guardCalls });
      const { sent: found } = await history.transactions([ACCOUNT], 4, 4);
      expect(found.map(({ calls }) => calls?.map(({ target: { to } }) => to))).toEqual([
        ['0x7a11'],
        ['0xbad', '0x7a11'],
      ]);
      expect(found[0]?.calls).toEqual([{ target, calldata: withdrawal.calldata }]);
    });

    it('returns an account’s transactions in chain order, and reads only a few blocks concurrently', async () => {
      for (let number = 1; number <= 10; number += 1)
        blocks.set(number, [
          sent(`0xf0${number.toString(16)}`),
          sent(`0xf1${number.toString(16)}`),
        ]);
      const { sent: found } = await history.transactions([ACCOUNT], 1, 10);
      expect(found.map(({ consumer }) => consumer.block.number)).toEqual([
        1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10,
      ]);
      expect(node.batchSizes()).toEqual([1, 3, 3, 3]);
    });

    it('parses only the transactions of the requested accounts', async () => {
      const other = {
        transaction: { type: 'L1_HANDLER', nonce: '0x1', calldata: 'private' },
        receipt: null,
      };
      blocks.set(1, [
        { ...other, receipt: {} },
        sent('0xf1'),
        sent('0xf2', { sender_address: '0xa2' }, { actual_fee: null }),
      ]);
      expect(
        (await history.transactions([ACCOUNT], 1, 1)).sent.map(({ consumer }) => consumer.hash),
      ).toEqual(['0xf1']);
    });

    it('attributes an account’s deployment to the computed account address', async () => {
      const parts = {
        class_hash: '0xc1a55',
        contract_address_salt: '0x5a17',
        constructor_calldata: ['0x1'],
      };
      const account = toFelt(
        hash.calculateContractAddressFromHash('0x5a17', '0xc1a55', ['0x1'], 0),
      );
      blocks.set(1, [
        sent('0xf1', {
          type: 'DEPLOY_ACCOUNT',
          sender_address: undefined,
          nonce: '0x0',
          calldata: undefined,
          ...parts,
        }),
      ]);
      expect((await history.transactions([account], 1, 1)).sent).toMatchObject([
        { sender: account, nonce: 0n, calls: null },
      ]);
    });

    it.each([
      ['a declaration', { type: 'DECLARE', calldata: undefined }],
      ['calldata of another layout', { calldata: ['0x1', '0x2'] }],
      ['no calldata', { calldata: undefined }],
    ])('the history returns null as the calls of %s', async (_what, transaction) => {
      blocks.set(1, [sent('0xf1', transaction)]);
      expect((await history.transactions([ACCOUNT], 1, 1)).sent).toMatchObject([{ calls: null }]);
    });

    it.each([
      ['another block', (): Wire => ({ block_number: 1 })],
      ['a pre-confirmed block', (): Wire => ({ status: 'PRE_CONFIRMED' })],
      [
        'a receipt of ours without a fee',
        (): Wire => ({ transactions: [sent('0xf1', {}, { actual_fee: undefined })] }),
      ],
      [
        'a fee in wei',
        (): Wire => ({
          transactions: [sent('0xf1', {}, { actual_fee: { amount: '0x1', unit: 'WEI' } })],
        }),
      ],
      [
        'a transaction of ours without a nonce',
        (): Wire => ({ transactions: [sent('0xf1', { nonce: undefined })] }),
      ],
      [
        'a nonce of 2^64',
        (): Wire => ({ transactions: [sent('0xf1', { nonce: `0x1${'0'.repeat(16)}` })] }),
      ],
    ])('rejects a block range that contains %s as malformed', async (_what, changes) => {
      odd = changes;
      expect(await failure(history.transactions([ACCOUNT], 3, 3))).toBeInstanceOf(
        NodeMalformedAnswer,
      );
    });

    it('rejects a block range if one of its blocks is unreadable', async () => {
      expect(await failure(history.transactions([ACCOUNT], 19, 21))).toMatchObject({
        code: 'NODE_UNAVAILABLE',
      });
    });

    it('rejects a block range if a rollback of blocks happened between the reads', async () => {
      odd = (number) => (number === 4 ? { parent_hash: '0xdead' } : {});
      expect(await failure(history.transactions([ACCOUNT], 1, 6))).toMatchObject({
        code: 'NODE_UNAVAILABLE',
      });
      expect((await history.transactions([ACCOUNT], 4, 6)).sent).toEqual([]);
    });
  });

  describe('transaction', () => {
    const HASH = toFelt('0xf1');

    it('reads a single transaction in one request', async () => {
      answer();
      expect(await history.transaction(HASH, [ACCOUNT])).toEqual({
        sender: ACCOUNT,
        nonce: 5n,
        consumer: {
          hash: '0xf1',
          execution: 'SUCCEEDED',
          revertReason: null,
          feeFri: 16n,
          block: { number: 4, hash: '0xb04' },
        },
        calls: [],
      });
      expect(node.bodies).toHaveLength(1);
    });

    it('returns null for a transaction whose sender is not a requested account', async () => {
      answer({ sender_address: '0xa2' });
      expect(await history.transaction(HASH, [ACCOUNT])).toBeNull();
    });

    it.each([
      ['is unknown', (): void => undefined],
      [
        'is pre-confirmed',
        (): void => answer({}, { finality_status: 'PRE_CONFIRMED', block_hash: undefined }),
      ],
      [
        'waits',
        (): void => {
          answer();
          delete byHash['starknet_getTransactionReceipt'];
        },
      ],
    ])('the history reports the node as unavailable if a transaction %s', async (_what, stage) => {
      stage();
      expect(await failure(history.transaction(HASH, [ACCOUNT]))).toBeInstanceOf(NodeUnavailable);
    });

    it.each([
      ['another transaction', { transaction_hash: '0xf2' }, {}],
      ['another receipt', {}, { transaction_hash: '0xf2' }],
      ['an accepted receipt without its block', {}, { block_hash: undefined }],
    ])('rejects a response about a transaction with %s', async (_what, transaction, receipt) => {
      answer(transaction, receipt);
      expect(await failure(history.transaction(HASH, [ACCOUNT]))).toBeInstanceOf(
        NodeMalformedAnswer,
      );
    });
  });

  describe('blockAt', () => {
    it.each([
      [0, 0],
      [1, 1],
      [10, 1],
      [11, 2],
      [95, 10],
      [190, 19],
      [191, 20],
      [200, 20],
      [201, 20],
      [1_000_000, 20],
    ])('finds for the timestamp %d the block %d', async (moment, block) => {
      expect(await history.blockAt(moment)).toBe(block);
    });

    it('finds the block of a timestamp with a logarithmic number of block reads', async () => {
      head = 1_000_000_000;
      odd = (number) => ({ timestamp: Math.floor(number / 10) });
      await history.blockAt(100_000_000 - 3_600);
      expect(node.bodies.length).toBeLessThan(40);
    });
  });
});
