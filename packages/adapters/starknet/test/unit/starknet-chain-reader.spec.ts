import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetChainReader } from '@sotto/adapter-starknet';
import { DomainError, toFelt } from '@sotto/kernel';
import { MAX_CONFIRMED } from '@sotto/submission-core';
import { ManualClock } from '@sotto/kernel/testing';
import {
  LoopbackNode,
  failure,
  type RpcRequest,
  type ScriptedAnswer,
} from '../support/loopback-node.js';

const HASH = toFelt('0xabc');
const OTHER = toFelt('0xdef');
const ACCOUNTS = [toFelt('0xa1'), toFelt('0xa2'), toFelt('0xa3')];
const price = (fri: string): unknown => ({ price_in_fri: fri, price_in_wei: '0x1' });
const BLOCK = {
  status: 'ACCEPTED_ON_L2',
  block_number: 12,
  block_hash: '0x00B12',
  timestamp: 1_700_000_000,
  l1_gas_price: price('0x2'),
  l1_data_gas_price: price('0x3'),
  l2_gas_price: price('0x4'),
  transactions: ['0x1'],
};
const L1_BLOCK = { ...BLOCK, status: 'ACCEPTED_ON_L1', block_number: 7 };
const RECEIPT = {
  type: 'INVOKE',
  transaction_hash: '0x00ABC',
  finality_status: 'ACCEPTED_ON_L2',
  execution_status: 'SUCCEEDED',
  actual_fee: { amount: '0x10', unit: 'FRI' },
  block_hash: '0x00B12',
  block_number: 12,
};

const named = (number: number, hash: string): ScriptedAnswer => ({
  result: { ...BLOCK, block_number: number, block_hash: hash },
});

describe('StarknetChainReader', () => {
  let node: LoopbackNode;
  let reader: StarknetChainReader;
  const answers: Record<string, (request: RpcRequest) => ScriptedAnswer> = {};
  const script = (
    method: string,
    answer: ScriptedAnswer | ((request: RpcRequest) => ScriptedAnswer),
  ): void => {
    answers[method] = typeof answer === 'function' ? answer : () => answer;
  };
  beforeEach(async () => {
    node = await LoopbackNode.start();
    node.answer = (request) =>
      answers[request.method]?.(request) ?? { error: { code: -32_601, message: 'no such method' } };
    reader = new StarknetChainReader(node.client());
    script('starknet_getBlockWithTxHashes', ({ params }) =>
      params['block_id'] === 'l1_accepted' ? { result: L1_BLOCK } : { result: BLOCK },
    );
    script('starknet_chainId', { result: '0x534e' });
    script('starknet_blockHashAndNumber', { result: { block_hash: '0x00B12', block_number: 12 } });
    script('starknet_getNonce', { result: '0x5' });
    script('starknet_call', { result: ['0x7', '0x1'] });
    script('starknet_getTransactionStatus', {
      result: { finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED' },
    });
    script('starknet_getTransactionReceipt', { result: RECEIPT });
  });
  afterEach(async () => node.stop());

  const l1Answers = (answer: ScriptedAnswer): void =>
    script('starknet_getBlockWithTxHashes', ({ params }) =>
      params['block_id'] === 'l1_accepted' ? answer : { result: BLOCK },
    );
  const requested = (): number =>
    node.calls().filter(({ params }) => params['block_id'] === 'l1_accepted').length;
  const l1Of = async (): Promise<number | null> => (await reader.head([])).l1BlockNumber;

  const heights = (): unknown[] =>
    node
      .calls()
      .filter(({ method }) => method === 'starknet_getBlockWithTxHashes')
      .map(({ params }) => params['block_id']);

  const shown = async (): Promise<unknown> =>
    (await reader.heads(ACCOUNTS)).map(({ blockNumber, timestamp, accounts }) => [
      blockNumber,
      timestamp,
      [...accounts.values()].map(({ nonce }) => nonce),
    ]);

  describe('T4: heads of all nodes', () => {
    let other: LoopbackNode;
    const clock = new ManualClock();
    beforeEach(async () => {
      other = await LoopbackNode.start();
      other.answer = (request) => {
        if (request.method === 'starknet_getNonce') return { result: '0x9' };
        return request.method === 'starknet_getBlockWithTxHashes'
          ? { result: { ...BLOCK, block_number: 13, timestamp: 1_700_000_030 } }
          : node.answer(request);
      };
      const nodes = [node.client(), other.client()];
      reader = new StarknetChainReader(node.client(), { nodes: () => nodes, clock });
    });
    afterEach(async () => other.stop());

    const FIRST = [12, 1_700_000_000, [5n, 5n, 5n]];
    const SECOND = [13, 1_700_000_030, [9n, 9n, 9n]];

    it('reads the head and the accounts’ nonces from each node in one request per node', async () => {
      expect(await shown()).toEqual([FIRST, SECOND]);
      expect([node.bodies.length, other.bodies.length]).toEqual([1, 1]);
    });

    it('omits a node from the list of heads if the node fails', async () => {
      other.respond = (response) => void response.destroy();
      expect(await shown()).toEqual([FIRST]);
    });

    it('omits a node from the list of heads if the node has not responded within two seconds', async () => {
      const received = new Promise<void>((resolve) => {
        other.respond = () => resolve();
      });
      const heads = shown();
      await received;
      clock.advance(2_000);
      expect(await heads).toEqual([FIRST]);
    });

    it('rejects the query for heads if no node responds', async () => {
      for (const each of [node, other]) each.respond = (response) => void response.destroy();
      await expect(reader.heads(ACCOUNTS)).rejects.toBeInstanceOf(DomainError);
    });
  });

  describe('head', () => {
    it('reads the head and the nonces and balances of all accounts in one request', async () => {
      const head = await reader.head(ACCOUNTS);
      expect(head).toMatchObject({
        chainId: '0x534e',
        blockNumber: 12,
        blockHash: '0xb12',
        timestamp: 1_700_000_000,
        l1BlockNumber: 7,
      });
      expect(head.gasPrices).toEqual({ l1GasFri: 2n, l1DataGasFri: 3n, l2GasFri: 4n });
      expect([...head.accounts]).toEqual(
        ACCOUNTS.map((account) => [account, { nonce: 5n, balanceFri: 2n ** 128n + 7n }]),
      );
      expect(node.bodies).toHaveLength(1);
    });

    it('reads the head only from accepted blocks, not from the pre-confirmed block', async () => {
      await reader.head(ACCOUNTS);
      const blocks = node.calls().map(({ params }) => params['block_id']);
      expect(new Set(blocks)).toEqual(new Set(['latest', 'l1_accepted', undefined]));
      expect(blocks.filter((block) => block === 'l1_accepted')).toHaveLength(1);
    });

    it.each([
      ['a pre-confirmed block', { ...BLOCK, status: 'PRE_CONFIRMED' }],
      ['a block without a number', { ...BLOCK, block_number: undefined }],
      ['a block without a hash', { ...BLOCK, block_hash: undefined }],
      ['a block without a time', { ...BLOCK, timestamp: undefined }],
      ['a time beyond all time', { ...BLOCK, timestamp: 2 ** 40 }],
      ['a height beyond all heights', { ...BLOCK, block_number: 2 ** 40 }],
      ['a price that is a number', { ...BLOCK, l2_gas_price: { price_in_fri: 8 } }],
      ['a price of 2^128', { ...BLOCK, l2_gas_price: price(`0x1${'0'.repeat(32)}`) }],
    ])('rejects a head whose block is malformed: %s', async (_what, block) => {
      script('starknet_getBlockWithTxHashes', { result: block });
      expect(await failure(reader.head([]))).toBeInstanceOf(NodeMalformedAnswer);
    });

    it.each([
      [[]],
      [['0x1']],
      [['0x1', '0x2', '0x3']],
      [[`0x1${'0'.repeat(32)}`, '0x0']],
      [['1', '0']],
      [null],
    ])('the head omits an account whose balance read returns %j', async (result) => {
      script('starknet_call', ({ params }) =>
        JSON.stringify(params).includes('0xa2') ? { result } : { result: ['0x7', '0x0'] },
      );
      expect([...(await reader.head(ACCOUNTS)).accounts.keys()]).toEqual([
        ACCOUNTS[0],
        ACCOUNTS[2],
      ]);
    });

    it.each([[`0x1${'0'.repeat(16)}`], ['0x'], [5], [null], ['-0x1']])(
      'the head omits an account whose nonce read returns %j',
      async (result) => {
        script('starknet_getNonce', ({ params }) =>
          params['contract_address'] === '0xa1' ? { result } : { result: '0x5' },
        );
        expect([...(await reader.head(ACCOUNTS)).accounts.keys()]).toEqual(ACCOUNTS.slice(1));
      },
    );

    it.each([[20], [-32_603], [429]])(
      'the head omits an account whose nonce read fails with the error %d',
      async (code) => {
        script('starknet_getNonce', ({ params }) =>
          params['contract_address'] === '0xa3'
            ? { error: { code, message: 'x' } }
            : { result: `0x${'f'.repeat(16)}` },
        );
        const { accounts } = await reader.head(ACCOUNTS);
        expect([...accounts.keys()]).toEqual(ACCOUNTS.slice(0, 2));
        expect(accounts.get(toFelt('0xa1'))?.nonce).toBe(2n ** 64n - 1n);
      },
    );

    it.each([['starknet_getBlockWithTxHashes'], ['starknet_chainId']])(
      'rejects the head if the request %s fails, even if all other reads succeed',
      async (method) => {
        script(method, { error: { code: -32_603, message: 'x' } });
        expect(await failure(reader.head(ACCOUNTS))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
      },
    );

    it('rejects a chain id that is not a felt', async () => {
      script('starknet_chainId', { result: 'SN_MAIN' });
      expect(await failure(reader.head([]))).toBeInstanceOf(NodeMalformedAnswer);
    });

    describe('L1 height', () => {
      const clock = new ManualClock();
      beforeEach(() => {
        reader = new StarknetChainReader(node.client(), {
          clock,
          l1MaxAgeMs: 1_000,
          l1RetryMs: 60_000,
        });
      });

      it('reads the L1 height again once the known height is older than the maximum age', async () => {
        expect([await l1Of(), await l1Of()]).toEqual([7, 7]);
        expect(requested()).toBe(1);
        l1Answers({ result: { ...L1_BLOCK, block_number: 9 } });
        clock.advance(1_000);
        expect([await l1Of(), requested()]).toEqual([9, 2]);
      });

      it.each([[-32_602], [-32_600]])(
        'returns null as the L1 height if the node rejects the block tag with %d',
        async (code) => {
          l1Answers({ error: { code, message: 'Invalid params' } });
          expect([await l1Of(), await l1Of(), requested()]).toEqual([null, null, 1]);
          clock.advance(60_000);
          expect([await l1Of(), requested()]).toEqual([null, 2]);
        },
      );

      it('returns null as the L1 height while L1 has accepted no block', async () => {
        l1Answers({ error: { code: 24, message: 'Block not found' } });
        expect([await l1Of(), await l1Of(), requested()]).toEqual([null, null, 2]);
        l1Answers({ result: L1_BLOCK });
        expect(await l1Of()).toBe(7);
      });

      it.each([
        [{ ...L1_BLOCK, status: 'ACCEPTED_ON_L2' }],
        [{ ...L1_BLOCK, block_number: -1 }],
        ['nonsense'],
      ])('returns the last known L1 height if the node returns %j', async (result) => {
        expect(await l1Of()).toBe(7);
        l1Answers({ result });
        clock.advance(1_000);
        expect(await l1Of()).toBe(7);
      });

      it('discards an L1 height above the head', async () => {
        l1Answers({ result: { ...L1_BLOCK, block_number: 13 } });
        expect(await l1Of()).toBeNull();
        l1Answers({ result: L1_BLOCK });
        expect(await l1Of()).toBe(7);
      });
    });
  });

  describe('blockHash', () => {
    it('reads a block hash in one request that identifies the block by its height', async () => {
      expect(await reader.blockHash(12)).toBe('0xb12');
      expect(node.bodies).toHaveLength(1);
      expect(node.calls().map(({ params }) => params['block_id'])).toContainEqual({
        block_number: 12,
      });
    });

    it('returns null as the hash of a block only if the block’s height is above the head', async () => {
      script('starknet_getBlockWithTxHashes', { error: { code: 24, message: 'Block not found' } });
      expect(await reader.blockHash(13)).toBeNull();
      expect(await failure(reader.blockHash(12))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
      expect(await failure(reader.blockHash(3))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
    });

    it.each([
      ['another block', { ...BLOCK, block_number: 11 }],
      ['a pre-confirmed block', { ...BLOCK, status: 'PRE_CONFIRMED' }],
      ['a block without a hash', { ...BLOCK, block_hash: undefined }],
    ])('rejects a block hash response with %s', async (_what, result) => {
      script('starknet_getBlockWithTxHashes', { result });
      expect(await failure(reader.blockHash(12))).toBeInstanceOf(NodeMalformedAnswer);
    });

    it('rejects the query for a block hash if the head can’t be read', async () => {
      script('starknet_getBlockWithTxHashes', { error: { code: 24, message: 'Block not found' } });
      script('starknet_blockHashAndNumber', { error: { code: -32_000, message: 'x' } });
      expect(await failure(reader.blockHash(13))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
    });
  });

  describe('confirm', () => {
    const FIRST = { number: 12, hash: toFelt('0xb12') };
    const ABSENT: ScriptedAnswer = { error: { code: 24, message: 'Block not found' } };
    const blocksAre = (of: Record<string, ScriptedAnswer>): void =>
      script(
        'starknet_getBlockWithTxHashes',
        ({ params }) => of[JSON.stringify(params['block_id'])] ?? ABSENT,
      );
    beforeEach(() => {
      blocksAre({
        '"l1_accepted"': { result: L1_BLOCK },
        '{"block_number":3}': named(3, '0xb3'),
        '{"block_number":9}': named(9, '0xb9'),
        '{"block_number":12}': named(12, '0xb12'),
      });
      script('starknet_blockHashAndNumber', { result: { block_hash: '0xb14', block_number: 14 } });
    });

    it('confirms blocks at all requested heights in one request', async () => {
      expect(await reader.confirm(FIRST, [9, 12, 3, 9])).toEqual({
        first: FIRST,
        last: { number: 14, hash: '0xb14' },
        blocks: new Map([
          [9, '0xb9'],
          [3, '0xb3'],
          [12, '0xb12'],
        ]),
        l1BlockNumber: 7,
      });
      expect(node.bodies).toHaveLength(1);
      expect(heights()).toEqual([
        'l1_accepted',
        { block_number: 9 },
        { block_number: 3 },
        { block_number: 12 },
      ]);
    });

    it('confirms blocks at the maximum number of heights in one request, and rejects more heights', async () => {
      const most = Array.from({ length: MAX_CONFIRMED }, (_, index) => 100 + index);
      await reader.confirm(FIRST, most);
      expect(node.bodies).toHaveLength(1);
      expect(await failure(reader.confirm(FIRST, [...most, 3]))).toBeInstanceOf(RangeError);
    });

    it('confirmations of the same turn with the same first block share a request', async () => {
      const other = { ...FIRST, hash: toFelt('0xf') };
      const [one, two, third] = await Promise.all([
        reader.confirm(FIRST, [9, 12]),
        reader.confirm(FIRST, [3]),
        reader.confirm(other, [3]),
      ]);
      expect(two).toBe(one);
      expect([...one.blocks.keys()].toSorted((a, b) => a - b)).toEqual(
        [...new Set([3, 9, 12, FIRST.number])].toSorted((a, b) => a - b),
      );
      expect(third?.first).toEqual(other);
      expect(requested()).toBe(2);
      const most = Array.from({ length: MAX_CONFIRMED }, (_, index) => 20 + index);
      await Promise.all([reader.confirm(FIRST, most), reader.confirm(FIRST, [3])]);
      expect(requested()).toBe(4);
    });

    it('a confirmation omits all blocks that the node lacks', async () => {
      blocksAre({ '"l1_accepted"': { result: L1_BLOCK }, '{"block_number":3}': named(3, '0xb3') });
      expect((await reader.confirm(FIRST, [3, 9])).blocks).toEqual(new Map([[3, '0xb3']]));
    });

    it.each<[string, ScriptedAnswer]>([
      ['has none', ABSENT],
      ['does not know the tag', { error: { code: -32_602, message: 'Invalid params' } }],
      ['fails on it', { error: { code: -32_603, message: 'x' } }],
      ['names a block that is not there', { result: BLOCK }],
      ['answers nonsense', { result: 'nonsense' }],
    ])('confirms all blocks without an L1 height if the node %s', async (_what, answer) => {
      blocksAre({ '"l1_accepted"': answer, '{"block_number":12}': named(12, '0xb12') });
      expect(await reader.confirm(FIRST, [])).toMatchObject({
        blocks: new Map([[12, '0xb12']]),
        l1BlockNumber: null,
      });
    });

    it.each([
      ['a height', '{"block_number":9}'],
      ['the first head', '{"block_number":12}'],
    ])(
      'rejects the whole confirmation if the response for %s is malformed or missing',
      async (_what, block) => {
        const all = {
          '"l1_accepted"': { result: L1_BLOCK },
          '{"block_number":9}': named(9, '0xb9'),
          '{"block_number":12}': named(12, '0xb12'),
        };
        blocksAre({ ...all, [block]: { result: { ...BLOCK, block_number: 11, block_hash: 5 } } });
        expect(await failure(reader.confirm(FIRST, [9]))).toBeInstanceOf(NodeMalformedAnswer);
        blocksAre({ ...all, [block]: { error: { code: -32_603, message: 'x' } } });
        expect(await failure(reader.confirm(FIRST, [9]))).toMatchObject({
          code: 'NODE_UNAVAILABLE',
        });
      },
    );
  });

  describe('transactionStatuses', () => {
    it('reads transaction statuses in one request, or in two requests if any of the transactions is accepted', async () => {
      script('starknet_getTransactionStatus', { result: { finality_status: 'RECEIVED' } });
      await reader.transactionStatuses([HASH, OTHER]);
      expect(node.bodies).toHaveLength(1);
      script('starknet_getTransactionStatus', { result: { finality_status: 'ACCEPTED_ON_L1' } });
      script('starknet_getTransactionReceipt', ({ params }) => ({
        result: { ...RECEIPT, transaction_hash: params['transaction_hash'] },
      }));
      const sightings = await reader.transactionStatuses([HASH, OTHER]);
      expect(sightings.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
      expect(node.bodies).toHaveLength(3);
    });

    it('compares transaction hashes as numbers', async () => {
      expect(await reader.transactionStatuses([HASH])).toEqual([
        {
          kind: 'accepted',
          execution: 'SUCCEEDED',
          revertReason: null,
          feeFri: 16n,
          block: { number: 12, hash: '0xb12' },
        },
      ]);
    });

    it('treats the failure reason null, which starknet-devnet sends, as no reason', async () => {
      const status = {
        finality_status: 'PRE_CONFIRMED',
        execution_status: 'SUCCEEDED',
        failure_reason: null,
      };
      script('starknet_getTransactionStatus', { result: status });
      expect(await reader.transactionStatuses([HASH])).toEqual([
        { kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null },
      ]);
    });

    it('the status of a transaction is unread if the receipt belongs to another transaction', async () => {
      expect(await reader.transactionStatuses([OTHER])).toEqual([{ kind: 'unread' }]);
    });

    it('the status of a transaction is unread if its accepted receipt lacks the block', async () => {
      script('starknet_getTransactionReceipt', { result: { ...RECEIPT, block_hash: undefined } });
      expect(await reader.transactionStatuses([HASH])).toEqual([{ kind: 'unread' }]);
    });

    it('returns a status for every transaction hash, even if the node’s response is unreadable', async () => {
      script('starknet_getTransactionStatus', ({ params }) =>
        params['transaction_hash'] === OTHER
          ? { error: { code: -32_603, message: 'x' } }
          : { result: { finality_status: 'RECEIVED' } },
      );
      expect(await reader.transactionStatuses([OTHER, HASH])).toEqual([
        { kind: 'unread' },
        { kind: 'waiting' },
      ]);
      expect(node.bodies).toHaveLength(1);
    });

    it('the status query fails after one request if the node is overloaded', async () => {
      node.respond = (response) => response.writeHead(503).end('overloaded');
      expect(await failure(reader.transactionStatuses([HASH, OTHER]))).toMatchObject({
        code: 'NODE_UNAVAILABLE',
      });
      expect(node.bodies).toHaveLength(1);
    });

    it.each([
      ['a page', '<html></html>'],
      [
        'one error for all',
        JSON.stringify({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32_005, message: 'rate limited' },
        }),
      ],
    ])(
      'the status query fails if the node responds to every request with %s',
      async (_what, body) => {
        node.respond = (response) => response.end(body);
        expect(await failure(reader.transactionStatuses([HASH, OTHER]))).toBeInstanceOf(
          DomainError,
        );
      },
    );

    it('returns the status pre-confirmed, without fee and block, for a pre-confirmed receipt', async () => {
      script('starknet_getTransactionReceipt', {
        result: { ...RECEIPT, finality_status: 'PRE_CONFIRMED' },
      });
      expect(await reader.transactionStatuses([HASH])).toEqual([
        { kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null },
      ]);
    });

    it('returns the status unknown for a transaction whose receipt a reorg removed', async () => {
      script('starknet_getTransactionReceipt', {
        error: { code: 29, message: 'Transaction hash not found' },
      });
      expect(await reader.transactionStatuses([HASH])).toEqual([{ kind: 'unknown' }]);
    });

    it.each([
      [{ finality_status: 'RECEIVED' }, { kind: 'waiting' }],
      [{ finality_status: 'CANDIDATE' }, { kind: 'waiting' }],
      [{ finality_status: 'PRE_CONFIRMED' }, { kind: 'waiting' }],
      [
        {
          finality_status: 'PRE_CONFIRMED',
          execution_status: 'REVERTED',
          failure_reason: 'paused',
        },
        { kind: 'pre_confirmed', execution: 'REVERTED', revertReason: 'paused' },
      ],
      [
        { finality_status: 'PRE_CONFIRMED', execution_status: 'REVERTED' },
        {
          kind: 'pre_confirmed',
          execution: 'REVERTED',
          revertReason: 'the contract reverts without a readable reason',
        },
      ],
      [
        { finality_status: 'PRE_CONFIRMED', execution_status: 'SUCCEEDED', failure_reason: 'odd' },
        { kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null },
      ],
    ])('parses the transaction status %j', async (status, reportedStatus) => {
      script('starknet_getTransactionStatus', { result: status });
      expect(await reader.transactionStatuses([HASH])).toEqual([reportedStatus]);
    });

    it.each([
      [{ finality_status: 'REJECTED' }],
      [{}],
      ['RECEIVED'],
      [{ finality_status: 'PRE_CONFIRMED', execution_status: 'MAYBE' }],
    ])('treats the transaction status %j as unread', async (status) => {
      script('starknet_getTransactionStatus', { result: status });
      expect(await reader.transactionStatuses([HASH])).toEqual([{ kind: 'unread' }]);
    });

    it('the status of a transaction is unknown only if the node returns error 29', async () => {
      script('starknet_getTransactionStatus', { error: { code: 29, message: 'x' } });
      expect(await reader.transactionStatuses([HASH])).toEqual([{ kind: 'unknown' }]);
      script('starknet_getTransactionStatus', {
        error: { code: -32_603, message: 'Transaction hash not found' },
      });
      expect(await reader.transactionStatuses([HASH])).toEqual([{ kind: 'unread' }]);
    });

    it('the status of a transaction contains the innermost revert reason and no other text of the trace', async () => {
      const [recipient, nullifierHash] = [
        '0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abc',
        '98765432109876543210',
      ];
      const trace = [
        'Transaction execution has failed:',
        `0: Error in the called contract (contract address: ${recipient}, class hash: 0x5b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564, selector: 0x15d40a3d6ca2ac30f4031e42be28da9b056fef9bb7357ac5e85627ee876e5ad):`,
        'Execution failed. Failure reason:',
        `Error in contract (contract address: ${recipient}, class hash: 0x1, selector: 0x2):`,
        `(0x617267656e742f6d756c746963616c6c2d6661696c6564 ('argent/multicall-failed'), 0x0, "note ${nullifierHash} is spent", 0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED')).`,
      ].join('\n');
      script('starknet_getTransactionReceipt', {
        result: { ...RECEIPT, execution_status: 'REVERTED', revert_reason: trace },
      });
      expect(await reader.transactionStatuses([HASH])).toMatchObject([
        { kind: 'accepted', revertReason: 'note # is spent' },
      ]);
      script('starknet_getTransactionStatus', {
        result: {
          finality_status: 'PRE_CONFIRMED',
          execution_status: 'REVERTED',
          failure_reason: trace,
        },
      });
      expect(await reader.transactionStatuses([HASH])).toMatchObject([
        { kind: 'pre_confirmed', revertReason: 'note # is spent' },
      ]);
    });

    it('T17 treats a null field of a status or receipt as an omitted field', async () => {
      script('starknet_getTransactionReceipt', { result: { ...RECEIPT, revert_reason: null } });
      expect(await reader.transactionStatuses([HASH])).toMatchObject([
        { kind: 'accepted', execution: 'SUCCEEDED', revertReason: null },
      ]);
      const waiting = { finality_status: 'RECEIVED', execution_status: null, failure_reason: null };
      script('starknet_getTransactionStatus', { result: waiting });
      expect(await reader.transactionStatuses([HASH])).toEqual([{ kind: 'waiting' }]);
    });

    it('truncates a long revert reason', async () => {
      script('starknet_getTransactionReceipt', {
        result: { ...RECEIPT, execution_status: 'REVERTED', revert_reason: 'x'.repeat(50_000) },
      });
      expect(await reader.transactionStatuses([HASH])).toMatchObject([
        { kind: 'accepted', revertReason: `${'x'.repeat(197)}...` },
      ]);
    });
  });
});
