import { selectorOf } from '@sotto/adapter-starknet';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { readSpecification, type Specification } from '@sotto/sandbox/specification';
import type { SignedTransaction } from '@sotto/submission-core';
import { z } from 'zod';
import type { ChainStack } from '../support/chain-stack.js';
import { describeOnChain } from '../support/node-under-test.js';

/** Path of the machine-readable specification 0.10.2; empty if it is not installed. */
const folder = process.env['STARKNET_SPECS'] ?? '';

const Reply = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.int() }).loose().optional(),
});

/** Known deviations of starknet-devnet from the specification; docs/nodes.md explains them. */
const KNOWN_PROBLEMS: Readonly<Record<string, readonly string[]>> = {
  'starknet-devnet': [
    'starknet_getTransactionStatus: data/failure_reason must be string',
    'starknet_call: the message of 21 is "Requested entry point does not exist in the contract"',
    'starknet_addInvokeTransaction: -32602 is no error of this method',
  ],
};

const wire = ({ bytes }: SignedTransaction): Readonly<Record<string, unknown>> =>
  JSON.parse(new TextDecoder().decode(bytes));

function call(to: Felt, entrypoint: string, calldata: readonly string[]): object {
  return {
    request: { contract_address: to, entry_point_selector: selectorOf(entrypoint), calldata },
  };
}

/** Returns the signed transaction with a different resource bound for L2 gas. */
function withL2Gas(
  signed: SignedTransaction,
  max_amount: string,
  max_price_per_unit: string,
): object {
  const transaction = wire(signed);
  return {
    ...transaction,
    resource_bounds: {
      ...Object(transaction['resource_bounds']),
      l2_gas: { max_amount, max_price_per_unit },
    },
  };
}

describeOnChain((chain) => {
  (folder === '' ? describe.skip : describe)(
    'node, checked against the JSON-RPC specification (STARKNET_SPECS)',
    () => {
      let specification: Specification;
      let stack: ChainStack;
      let problems: Set<string>;
      const shown = new Set<string>();
      const known = KNOWN_PROBLEMS[chain.name] ?? [];
      beforeAll(() => {
        specification = readSpecification(folder);
      });
      beforeEach(async () => {
        problems = new Set();
        stack = await chain.start();
      });
      afterEach(async () => {
        for (const problem of problems) shown.add(problem);
        await stack.stop();
      });

      /**
       * Checks one response, a result or an error, against the specification.
       * @returns the error code; 0 for a result
       */
      const exchange = async (method: string, params: object = {}): Promise<number> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const response = await fetch(stack.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const { result, error } = Reply.parse(await response.json());
        const problem =
          error === undefined
            ? specification.findResultProblem(method, result)
            : specification.findErrorProblem(method, error);
        if (problem !== undefined) problems.add(`${method}: ${problem}`);
        return error?.code ?? 0;
      };
      const unexpected = (): readonly string[] =>
        [...problems].filter((problem) => !known.includes(problem));

      it('responses to queries about the node conform to the JSON-RPC specification', async () => {
        for (const method of [
          'specVersion',
          'chainId',
          'syncing',
          'blockNumber',
          'blockHashAndNumber',
        ]) {
          expect(await exchange(`starknet_${method}`)).toBe(0);
        }
        expect(unexpected()).toEqual([]);
      });

      it('the node’s responses conform to the JSON-RPC specification at every stage of a succeeding and of a reverting transaction', async () => {
        const [lane, other] = stack.lanes;
        const hashes = [
          await stack.send(await stack.signHarmless(lane)),
          await stack.send(await stack.signReverting(other)),
        ];
        const readAll = async (): Promise<void> => {
          for (const transaction_hash of hashes) {
            for (const method of [
              'getTransactionStatus',
              'getTransactionByHash',
              'getTransactionReceipt',
            ]) {
              await exchange(`starknet_${method}`, { transaction_hash });
            }
          }
          for (const block_id of ['pre_confirmed', 'latest', { block_number: 0 }]) {
            for (const method of [
              'getBlockWithTxHashes',
              'getBlockWithTxs',
              'getBlockWithReceipts',
              'getBlockTransactionCount',
            ]) {
              expect(await exchange(`starknet_${method}`, { block_id })).toBe(0);
            }
            await exchange('starknet_getTransactionByBlockIdAndIndex', { block_id, index: 0 });
            await exchange('starknet_getNonce', { block_id, contract_address: lane });
            await exchange('starknet_getClassHashAt', { block_id, contract_address: lane });
          }
        };
        await readAll();
        await stack.preConfirm();
        await readAll();
        await stack.mine();
        await readAll();
        expect(unexpected()).toEqual([]);
      });

      it('responses to simulations, estimates and event queries conform to the JSON-RPC specification', async () => {
        const [lane, other] = stack.lanes;
        const transactions = [
          wire(await stack.signHarmless(lane)),
          wire(await stack.signReverting(other)),
        ];
        const block_id = 'latest';
        for (const simulation_flags of [
          [],
          ['SKIP_VALIDATE'],
          ['SKIP_FEE_CHARGE'],
          ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
        ]) {
          expect(
            await exchange('starknet_simulateTransactions', {
              block_id,
              transactions,
              simulation_flags,
            }),
          ).toBe(0);
        }
        expect(
          await exchange('starknet_estimateFee', {
            request: transactions.slice(0, 1),
            simulation_flags: [],
            block_id,
          }),
        ).toBe(0);
        expect(
          await exchange('starknet_estimateFee', {
            request: transactions,
            simulation_flags: [],
            block_id,
          }),
        ).toBe(41);
        const unsigned = transactions.map((transaction) => ({ ...transaction, signature: [] }));
        expect(
          await exchange('starknet_simulateTransactions', {
            block_id,
            transactions: unsigned,
            simulation_flags: [],
          }),
        ).toBe(41);
        await stack.send(await stack.signReverting(lane));
        await stack.mine();
        expect(await exchange('starknet_getEvents', { filter: { chunk_size: 1 } })).toBe(0);
        expect(
          await exchange('starknet_getEvents', {
            filter: { chunk_size: 1, continuation_token: 'nonsense' },
          }),
        ).toBe(33);
        expect(unexpected()).toEqual([]);
      });

      it('errors of reads conform to the JSON-RPC specification and have equal codes on every node', async () => {
        const token = toFelt(stack.world.tokens.STRK.address);
        const latest = { block_id: 'latest' };
        expect(
          await exchange('starknet_getBlockWithTxHashes', { block_id: { block_number: 999_999 } }),
        ).toBe(24);
        expect(
          await exchange('starknet_getBlockWithTxHashes', { block_id: { block_hash: '0x99' } }),
        ).toBe(24);
        expect(
          await exchange('starknet_getTransactionByBlockIdAndIndex', { ...latest, index: 99 }),
        ).toBe(27);
        expect(
          await exchange('starknet_getTransactionStatus', { transaction_hash: '0xdead' }),
        ).toBe(29);
        expect(
          await exchange('starknet_getTransactionReceipt', { transaction_hash: '0xdead' }),
        ).toBe(29);
        expect(
          await exchange('starknet_getTransactionByHash', { transaction_hash: '0xdead' }),
        ).toBe(29);
        expect(await exchange('starknet_getNonce', { ...latest, contract_address: '0xdead' })).toBe(
          20,
        );
        expect(
          await exchange('starknet_getClassHashAt', { ...latest, contract_address: '0xdead' }),
        ).toBe(20);
        expect(
          await exchange('starknet_call', {
            ...call(toFelt('0xdead'), 'balance_of', ['0x1']),
            ...latest,
          }),
        ).toBe(20);
        expect(await exchange('starknet_call', { ...call(token, 'nothing', []), ...latest })).toBe(
          21,
        );
        expect(
          await exchange('starknet_call', { ...call(token, 'balance_of', []), ...latest }),
        ).toBe(40);
        expect(
          await exchange('starknet_call', {
            ...call(token, 'transfer', ['0x1', '0x1', '0x0']),
            ...latest,
          }),
        ).toBe(40);
        expect(unexpected()).toEqual([]);
      });

      /**
       * Requests that a node must reject, with the error code of the specification. Devnet returns
       * a different code for two of these requests.
       */
      const rejections: readonly (readonly [
        string,
        (stack: ChainStack, lane: Felt) => Promise<object>,
        number,
        number?,
      ])[] = [
        [
          'a price below the block’s',
          async (on, lane) => withL2Gas(await on.signHarmless(lane), '0x1312d00', '0x1'),
          53,
        ],
        [
          'too little gas',
          async (on, lane) => withL2Gas(await on.signHarmless(lane), '0x1', '0x5d21dba000'),
          53,
        ],
        [
          'more gas than any transaction may have',
          async (on, lane) => withL2Gas(await on.signHarmless(lane), '0x77359400', '0x2540be400'),
          63,
          55,
        ],
        [
          'bounds beyond the balance',
          async (on, lane) =>
            withL2Gas(await on.signHarmless(lane), '0x47868c00', '0x38d7ea4c68000'),
          54,
        ],
        [
          'another signature',
          async (on, lane) => ({ ...wire(await on.signHarmless(lane)), signature: ['0x1', '0x2'] }),
          55,
        ],
        [
          'a sender that is no account',
          async (on, lane) => ({ ...wire(await on.signHarmless(lane)), sender_address: '0xdead' }),
          58,
          54,
        ],
        [
          'another version',
          async (on, lane) => ({ ...wire(await on.signHarmless(lane)), version: '0x1' }),
          61,
          -32_602,
        ],
        [
          'a proof',
          async (on, lane) => ({ ...wire(await on.signHarmless(lane)), proof: 'AAAA' }),
          69,
        ],
        [
          'a used nonce',
          async (on, lane) => {
            await on.takeNonce(lane);
            return wire(await on.signHarmless(lane));
          },
          52,
        ],
        [
          'a transaction that it has',
          async (on, lane) => {
            const signed = await on.signHarmless(lane);
            await on.send(signed);
            return wire(signed);
          },
          59,
          52,
        ],
        [
          'more calldata than any transaction may have',
          async (on, lane) =>
            wire(
              await on.sign(
                lane,
                toFelt(on.world.tokens.STRK.address),
                'approve',
                Felts.of(Array.from({ length: 5_001 }, () => 1n)),
              ),
            ),
          63,
          0,
        ],
      ];
      it.each(rejections)(
        'the node rejects %s with the expected error code',
        async (_what, transaction, code, onDevnet = code) => {
          const invoke_transaction = await transaction(stack, stack.lanes[0]);
          expect(await exchange('starknet_addInvokeTransaction', { invoke_transaction })).toBe(
            chain.capabilities.mempool ? code : onDevnet,
          );
          expect(unexpected()).toEqual([]);
        },
      );

      it('the responses in this suite contain every known deviation from the JSON-RPC specification', () => {
        expect(known.filter((problem) => !shown.has(problem))).toEqual([]);
      });
    },
  );
});
