import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, StarknetChainReader } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { LoopbackNode, failure, type RpcRequest, type ScriptedAnswer } from '../support/loopback-node.js';

const HASH = toFelt('0xabc');
const OTHER = toFelt('0xdef');
const ACCOUNTS = [toFelt('0xa1'), toFelt('0xa2'), toFelt('0xa3')];
const price = (fri: string): unknown => ({ price_in_fri: fri, price_in_wei: '0x1' });
const BLOCK = {
  status: 'ACCEPTED_ON_L2',
  block_number: 12,
  l1_gas_price: price('0x2'),
  l1_data_gas_price: price('0x3'),
  l2_gas_price: price('0x4'),
  transactions: ['0x1'],
};
const RECEIPT = {
  type: 'INVOKE',
  transaction_hash: '0x00ABC',
  finality_status: 'ACCEPTED_ON_L2',
  execution_status: 'SUCCEEDED',
  actual_fee: { amount: '0x10', unit: 'FRI' },
  block_hash: '0x1',
  block_number: 12,
};

describe('StarknetChainReader', () => {
  let node: LoopbackNode;
  let reader: StarknetChainReader;
  const answers: Record<string, (request: RpcRequest) => ScriptedAnswer> = {};
  const script = (method: string, answer: ScriptedAnswer | ((request: RpcRequest) => ScriptedAnswer)): void => {
    answers[method] = typeof answer === 'function' ? answer : () => answer;
  };
  beforeEach(async () => {
    node = await LoopbackNode.start();
    node.answer = (request) => answers[request.method]?.(request) ?? { error: { code: -32_601, message: 'no such method' } };
    reader = new StarknetChainReader(node.client());
    script('starknet_getBlockWithTxHashes', { result: BLOCK });
    script('starknet_getNonce', { result: '0x5' });
    script('starknet_call', { result: ['0x7', '0x1'] });
    script('starknet_getTransactionStatus', { result: { finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED' } });
    script('starknet_getTransactionReceipt', { result: RECEIPT });
  });
  afterEach(async () => node.stop());

  describe('head', () => {
    it('is one request for all accounts', async () => {
      const head = await reader.head(ACCOUNTS);
      expect(head.blockNumber).toBe(12);
      expect(head.gasPrices).toEqual({ l1GasFri: 2n, l1DataGasFri: 3n, l2GasFri: 4n });
      expect([...head.accounts]).toEqual(ACCOUNTS.map((account) => [account, { nonce: 5n, balanceFri: 2n ** 128n + 7n }]));
      expect(node.bodies).toHaveLength(1);
    });

    it('reads only accepted state', async () => {
      await reader.head(ACCOUNTS);
      for (const { params } of node.calls()) expect(params['block_id']).toBe('latest');
    });

    it.each([
      ['a pre-confirmed block', { ...BLOCK, status: 'PRE_CONFIRMED' }],
      ['a block without a number', { ...BLOCK, block_number: undefined }],
      ['a price that is a number', { ...BLOCK, l2_gas_price: { price_in_fri: 8 } }],
      ['a price of 2^128', { ...BLOCK, l2_gas_price: price(`0x1${'0'.repeat(32)}`) }],
    ])('refuses %s', async (_what, block) => {
      script('starknet_getBlockWithTxHashes', { result: block });
      expect(await failure(reader.head([]))).toBeInstanceOf(NodeMalformedAnswer);
    });

    it.each([[[]], [['0x1']], [['0x1', '0x2', '0x3']], [[`0x1${'0'.repeat(32)}`, '0x0']], [['1', '0']], [null]])(
      'refuses the balance %j',
      async (result) => {
        script('starknet_call', { result });
        expect(await failure(reader.head(ACCOUNTS))).toBeInstanceOf(NodeMalformedAnswer);
      },
    );
  });

  describe('sightings', () => {
    it('takes one request when nothing is accepted, two when something is, however many hashes', async () => {
      script('starknet_getTransactionStatus', { result: { finality_status: 'RECEIVED' } });
      await reader.sightings([HASH, OTHER]);
      expect(node.bodies).toHaveLength(1);
      script('starknet_getTransactionStatus', { result: { finality_status: 'ACCEPTED_ON_L1' } });
      script('starknet_getTransactionReceipt', ({ params }) => ({ result: { ...RECEIPT, transaction_hash: params['transaction_hash'] } }));
      const sightings = await reader.sightings([HASH, OTHER]);
      expect(sightings.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
      expect(node.bodies).toHaveLength(3);
    });

    it('compares hashes as numbers', async () => {
      expect(await reader.sightings([HASH])).toEqual([
        { kind: 'accepted', execution: 'SUCCEEDED', revertReason: null, feeFri: 16n, blockNumber: 12 },
      ]);
    });

    it('takes a null for no reason, as starknet-devnet writes it', async () => {
      const status = { finality_status: 'PRE_CONFIRMED', execution_status: 'SUCCEEDED', failure_reason: null };
      script('starknet_getTransactionStatus', { result: status });
      expect(await reader.sightings([HASH])).toEqual([{ kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null }]);
    });

    it('refuses the receipt of another transaction', async () => {
      expect(await failure(reader.sightings([OTHER]))).toBeInstanceOf(NodeMalformedAnswer);
    });

    it('takes no receipt for evidence that is only pre-confirmed', async () => {
      script('starknet_getTransactionReceipt', { result: { ...RECEIPT, finality_status: 'PRE_CONFIRMED' } });
      expect(await reader.sightings([HASH])).toEqual([{ kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null }]);
    });

    it('knows nothing of a transaction whose receipt a reorg took', async () => {
      script('starknet_getTransactionReceipt', { error: { code: 29, message: 'Transaction hash not found' } });
      expect(await reader.sightings([HASH])).toEqual([{ kind: 'unknown' }]);
    });

    it.each([
      [{ finality_status: 'RECEIVED' }, { kind: 'waiting' }],
      [{ finality_status: 'CANDIDATE' }, { kind: 'waiting' }],
      [{ finality_status: 'PRE_CONFIRMED' }, { kind: 'waiting' }],
      [
        { finality_status: 'PRE_CONFIRMED', execution_status: 'REVERTED', failure_reason: 'paused' },
        { kind: 'pre_confirmed', execution: 'REVERTED', revertReason: 'paused' },
      ],
      [
        { finality_status: 'PRE_CONFIRMED', execution_status: 'REVERTED' },
        { kind: 'pre_confirmed', execution: 'REVERTED', revertReason: 'the contract reverts without a readable reason' },
      ],
      [
        { finality_status: 'PRE_CONFIRMED', execution_status: 'SUCCEEDED', failure_reason: 'odd' },
        { kind: 'pre_confirmed', execution: 'SUCCEEDED', revertReason: null },
      ],
    ])('reads the status %j', async (status, sighting) => {
      script('starknet_getTransactionStatus', { result: status });
      expect(await reader.sightings([HASH])).toEqual([sighting]);
    });

    it.each([[{ finality_status: 'REJECTED' }], [{}], ['RECEIVED'], [{ finality_status: 'PRE_CONFIRMED', execution_status: 'MAYBE' }]])(
      'refuses the status %j',
      async (status) => {
        script('starknet_getTransactionStatus', { result: status });
        expect(await failure(reader.sightings([HASH]))).toBeInstanceOf(NodeMalformedAnswer);
      },
    );

    it('takes 29 for unknown, and no other error', async () => {
      script('starknet_getTransactionStatus', { error: { code: 29, message: 'x' } });
      expect(await reader.sightings([HASH])).toEqual([{ kind: 'unknown' }]);
      script('starknet_getTransactionStatus', { error: { code: -32_603, message: 'Transaction hash not found' } });
      expect(await failure(reader.sightings([HASH]))).toMatchObject({ code: 'NODE_UNAVAILABLE' });
    });

    it('keeps the innermost words of a reason, and nothing of the trace around them', async () => {
      const [recipient, nullifierHash] = ['0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abc', '98765432109876543210'];
      const trace = [
        'Transaction execution has failed:',
        `0: Error in the called contract (contract address: ${recipient}, class hash: 0x5b4b537eaa2399e3aa99c4e2e0208ebd6c71bc1467938cd52c798c601e43564, selector: 0x15d40a3d6ca2ac30f4031e42be28da9b056fef9bb7357ac5e85627ee876e5ad):`,
        'Execution failed. Failure reason:',
        `Error in contract (contract address: ${recipient}, class hash: 0x1, selector: 0x2):`,
        `(0x617267656e742f6d756c746963616c6c2d6661696c6564 ('argent/multicall-failed'), 0x0, "note ${nullifierHash} is spent", 0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED')).`,
      ].join('\n');
      script('starknet_getTransactionReceipt', { result: { ...RECEIPT, execution_status: 'REVERTED', revert_reason: trace } });
      expect(await reader.sightings([HASH])).toMatchObject([{ kind: 'accepted', revertReason: 'note # is spent' }]);
      script('starknet_getTransactionStatus', {
        result: { finality_status: 'PRE_CONFIRMED', execution_status: 'REVERTED', failure_reason: trace },
      });
      expect(await reader.sightings([HASH])).toMatchObject([{ kind: 'pre_confirmed', revertReason: 'note # is spent' }]);
    });

    it('cuts a reason without end', async () => {
      script('starknet_getTransactionReceipt', { result: { ...RECEIPT, execution_status: 'REVERTED', revert_reason: 'x'.repeat(50_000) } });
      expect(await reader.sightings([HASH])).toMatchObject([{ kind: 'accepted', revertReason: `${'x'.repeat(197)}...` }]);
    });
  });
});
