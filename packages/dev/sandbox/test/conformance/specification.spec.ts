import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex } from '../../src/engine/felt.js';
import { functionCall, startHarness, type Harness } from '../support/harness.js';
import { rpc } from '../support/rpc.js';
import {
  readSpecification,
  type Specification,
} from '../../src/specification/read-specification.js';
import { ALICE, BOB, COUNTER_1, COUNTER_2, POOR } from '../support/world.js';
import { wireInvoke, type InvokeChoices } from '../support/wire-invoke.js';

/** Folder with the machine-readable specification 0.10.2; empty if the variable is not set. */
const folder = process.env['STARKNET_SPECS'] ?? '';

const SERVED = [
  'starknet_addInvokeTransaction',
  'starknet_blockHashAndNumber',
  'starknet_blockNumber',
  'starknet_call',
  'starknet_chainId',
  'starknet_estimateFee',
  'starknet_getBlockTransactionCount',
  'starknet_getBlockWithReceipts',
  'starknet_getBlockWithTxHashes',
  'starknet_getBlockWithTxs',
  'starknet_getClass',
  'starknet_getClassAt',
  'starknet_getClassHashAt',
  'starknet_getEvents',
  'starknet_getNonce',
  'starknet_getStorageAt',
  'starknet_getTransactionByBlockIdAndIndex',
  'starknet_getTransactionByHash',
  'starknet_getTransactionReceipt',
  'starknet_getTransactionStatus',
  'starknet_simulateTransactions',
  'starknet_specVersion',
  'starknet_syncing',
  'starknet_traceBlockTransactions',
  'starknet_traceTransaction',
];

const increase = { to: COUNTER_1, entrypoint: 'increase', calldata: [5n] };
const failThrough = { to: COUNTER_1, entrypoint: 'fail_through', calldata: [COUNTER_2] };
const alice = toHex(ALICE.address);

(folder === '' ? describe.skip : describe)(
  'conformance to the JSON-RPC specification (STARKNET_SPECS)',
  () => {
    let specification: Specification;
    let node: Harness;
    let problems: unknown[] = [];
    const answered = new Set<string>();
    const refusedWith = new Set<number>();

    beforeAll(async () => {
      specification = readSpecification(folder);
      node = await startHarness();
    });
    afterAll(() => node.stop());
    beforeEach(() => {
      problems = [];
    });

    /** Sends a request and checks the result or the error against the specification. */
    const exchange = async (method: string, params: unknown = []): Promise<unknown> => {
      const { result, error } = await rpc(node.url, method, params);
      const problem =
        error === undefined
          ? specification.findResultProblem(method, result)
          : specification.findErrorProblem(method, error);
      if (problem !== undefined) problems.push({ method, params, problem });
      if (error === undefined) answered.add(method);
      else refusedWith.add(error.code);
      return result ?? error;
    };
    const add = async (choices: InvokeChoices, changes: object = {}): Promise<string> => {
      const { hash, body } = wireInvoke(choices);
      await exchange('starknet_addInvokeTransaction', [{ ...body, ...changes }]);
      return hash;
    };
    const readTransaction = async (hash: string): Promise<void> => {
      for (const method of [
        'starknet_getTransactionStatus',
        'starknet_getTransactionByHash',
        'starknet_getTransactionReceipt',
        'starknet_traceTransaction',
      ]) {
        await exchange(method, [hash]);
      }
      await exchange('starknet_getTransactionByHash', [hash, ['INCLUDE_PROOF_FACTS']]);
    };
    const readBlock = async (block: unknown): Promise<void> => {
      for (const method of [
        'starknet_getBlockWithTxHashes',
        'starknet_getBlockWithTxs',
        'starknet_getBlockWithReceipts',
        'starknet_getBlockTransactionCount',
      ]) {
        await exchange(method, [block]);
      }
      for (const method of ['starknet_getBlockWithTxs', 'starknet_getBlockWithReceipts'])
        await exchange(method, [block, ['INCLUDE_PROOF_FACTS']]);
      await exchange('starknet_getTransactionByBlockIdAndIndex', [block, 0]);
      await exchange('starknet_getNonce', [block, alice]);
      await exchange('starknet_getClassHashAt', [block, alice]);
      await exchange('starknet_getClass', [block, '0xc0def00d']);
      await exchange('starknet_getClassAt', [block, alice]);
      await exchange('starknet_getStorageAt', [toHex(COUNTER_1), '0x1', block]);
      await exchange('starknet_traceBlockTransactions', [block]);
      await exchange('starknet_call', [functionCall(COUNTER_1, 'value'), block]);
    };

    it('replies about the node and the chain conform to the RPC specification', async () => {
      for (const method of [
        'starknet_specVersion',
        'starknet_chainId',
        'starknet_syncing',
        'starknet_blockNumber',
        'starknet_blockHashAndNumber',
      ]) {
        await exchange(method);
      }
      expect(problems).toEqual([]);
    });

    it('replies about a succeeding and a reverting transaction conform to the RPC specification at every stage', async () => {
      const hashes = [
        await add({ account: ALICE, calls: [increase, increase] }),
        await add({ account: BOB, calls: [failThrough] }),
      ];
      for (const step of [
        'candidate',
        'pre_confirmed',
        'accepted_on_l2',
        'accepted_on_l1',
      ] as const) {
        for (const hash of hashes) await readTransaction(hash);
        for (const block of ['pre_confirmed', 'latest', 'l1_accepted', { block_number: 0 }])
          await readBlock(block);
        node.control.advance(step);
      }
      for (const hash of hashes) await readTransaction(hash);
      const { block_hash: hash } = Object(await exchange('starknet_blockHashAndNumber'));
      await readBlock({ block_hash: hash });
      expect(problems).toEqual([]);
    });

    it('accepted blocks and receipts contain all fields that the specification requires for them', async () => {
      const required = [
        'block_hash',
        'parent_hash',
        'new_root',
        'status',
        'event_count',
        'transaction_count',
        'state_diff_length',
      ];
      for (const method of [
        'starknet_getBlockWithTxHashes',
        'starknet_getBlockWithTxs',
        'starknet_getBlockWithReceipts',
      ]) {
        const block = Object(await exchange(method, ['latest']));
        expect(required.filter((member) => !(member in block))).toEqual([]);
      }
      expect(problems).toEqual([]);
    });

    it('replies to simulations and fee estimates conform to the RPC specification', async () => {
      const bodies = [
        wireInvoke({ account: ALICE, nonce: 1n, calls: [increase] }).body,
        wireInvoke({ account: BOB, nonce: 1n, calls: [failThrough] }).body,
      ];
      for (const flags of [
        [],
        ['SKIP_VALIDATE'],
        ['SKIP_FEE_CHARGE'],
        ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
      ]) {
        await exchange('starknet_simulateTransactions', ['latest', bodies, flags]);
      }
      await exchange('starknet_simulateTransactions', [
        'latest',
        [{ ...bodies[0], signature: [] }],
        [],
      ]);
      await exchange('starknet_simulateTransactions', [{ block_number: 99 }, bodies, []]);
      await exchange('starknet_estimateFee', [
        bodies.slice(0, 1),
        ['SKIP_VALIDATE'],
        'pre_confirmed',
      ]);
      await exchange('starknet_estimateFee', [bodies, [], 'latest']);
      await exchange('starknet_estimateFee', [
        [wireInvoke({ account: ALICE, nonce: 1n, proofFacts: [1n] }).body],
        ['SKIP_VALIDATE'],
        'latest',
      ]);
      await exchange('starknet_estimateFee', [
        [{ ...bodies[0], sender_address: '0xdead' }],
        [],
        'latest',
      ]);
      expect(problems).toEqual([]);
    });

    it('pages of starknet_getEvents conform to the RPC specification', async () => {
      await exchange('starknet_getEvents', [{ chunk_size: 1 }]);
      await exchange('starknet_getEvents', [
        { to_block: 'pre_confirmed', address: [toHex(COUNTER_1)], keys: [[]], chunk_size: 10 },
      ]);
      await exchange('starknet_getEvents', [{ chunk_size: 5000 }]);
      await exchange('starknet_getEvents', [{ chunk_size: 1, continuation_token: 'nonsense' }]);
      await exchange('starknet_getEvents', [
        { chunk_size: 1, keys: [Array.from({ length: 300 }, () => '0x1')] },
      ]);
      expect(problems).toEqual([]);
    });

    it('error replies to read requests conform to the RPC specification', async () => {
      for (const block of [{ block_number: 99 }, { block_hash: '0x99' }]) await readBlock(block);
      await exchange('starknet_getTransactionByBlockIdAndIndex', ['latest', 99]);
      await readTransaction('0xdead');
      await exchange('starknet_getNonce', ['latest', '0xdead']);
      await exchange('starknet_call', [functionCall(0xdeadn, 'value'), 'latest']);
      await exchange('starknet_call', [functionCall(COUNTER_1, 'nothing'), 'latest']);
      await exchange('starknet_call', [functionCall(COUNTER_1, 'fail'), 'latest']);
      await exchange('starknet_call', [
        functionCall(COUNTER_1, 'fail_through', [COUNTER_2]),
        'latest',
      ]);
      await exchange('starknet_call', [
        functionCall(COUNTER_1, 'burn', [2_000_000_000n]),
        'latest',
      ]);
      expect(problems).toEqual([]);
    });

    it('error replies to rejected transactions conform to the RPC specification', async () => {
      const next = { account: ALICE, nonce: 1n, calls: [increase] };
      await add({ ...next, nonce: 0n });
      await add({ ...next, nonce: 999n });
      await add({ ...next, l2Gas: [1_000_000_000n, 1n] });
      await add({ account: POOR, calls: [increase] });
      await add(next, { signature: ['0x1', '0x1'] });
      await add(next, { sender_address: toHex(COUNTER_1) });
      await add(next, { version: '0x1' });
      await add(next, { proof: 'AAAA' });
      await add({ ...next, proofFacts: [1n] });
      await add(next);
      await add(next);
      await add({ ...next, tip: 1n });
      expect(problems).toEqual([]);
    });

    it('the conformance tests call every method of the sandbox, and cause every error of the sandbox', () => {
      expect([...answered].toSorted()).toEqual(SERVED);
      expect([...refusedWith].toSorted((left, right) => left - right)).toEqual([
        10, 20, 21, 24, 27, 29, 31, 33, 34, 40, 41, 52, 53, 54, 55, 58, 59, 61, 63, 64, 69,
      ]);
    });

    it('the sandbox returns “Method not found” for methods of the specification that it does not serve', async () => {
      const others = [...specification.methods].filter((method) => !SERVED.includes(method));
      expect(others.length).toBeGreaterThan(5);
      for (const method of others) {
        expect((await rpc(node.url, method)).error).toEqual({
          code: -32601,
          message: 'Method not found',
        });
      }
    });

    it('the conformance check detects a reply that does not conform to the RPC specification', () => {
      expect(specification.findResultProblem('starknet_blockNumber', '0x1')).toBeDefined();
      expect(
        specification.findResultProblem('starknet_getTransactionByHash', {
          transaction_hash: '0x1',
          type: 'INVOKE',
        }),
      ).toBeDefined();
      expect(
        specification.findResultProblem('starknet_getBlockWithTxs', { transactions: [] }),
      ).toBeDefined();
      for (const params of [
        { subscription_id: 1, result: '0x1' },
        { subscription_id: '1', result: { block_number: 1 } },
        { subscription_id: '1' },
      ])
        expect(
          specification.findNotificationProblem('starknet_subscriptionNewHeads', params),
        ).toBeDefined();
      expect(
        specification.findErrorProblem('starknet_blockNumber', {
          code: 29,
          message: 'Transaction hash not found',
        }),
      ).toBeDefined();
      expect(
        specification.findErrorProblem('starknet_call', {
          code: 40,
          message: 'Contract error',
          data: { revert_error: 7 },
        }),
      ).toBeDefined();
      expect(
        specification.findErrorProblem('starknet_addInvokeTransaction', {
          code: 55,
          message: 'Account validation failed',
        }),
      ).toBeDefined();
    });
  },
);
