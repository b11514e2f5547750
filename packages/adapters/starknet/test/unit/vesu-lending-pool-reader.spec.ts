import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeMalformedAnswer, VesuLendingPoolReader, selectorOf } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { failure } from '@sotto/kernel/testing';
import { MAX_INTEREST_RATE_E18 } from '@sotto/staking-core';
import { z } from 'zod';
import { LoopbackNode, type RpcRequest } from '../support/loopback-node.js';

const HEAD = 'starknet_blockHashAndNumber';
const BLOCK = 'starknet_getBlockWithTxHashes';
const ASSET = toFelt('0xa5');
const POOLS = [
  { pool: toFelt('0xc1'), asset: ASSET },
  { pool: toFelt('0xc2'), asset: ASSET },
];

/**
 * Fields of the result of `asset_config`, in the order of the contract's documentation; the values
 * are the felts of each field.
 */
const CONFIG: Readonly<Record<string, readonly bigint[]>> = {
  total_collateral_shares: [1n, 0n],
  total_nominal_debt: [32n * 10n ** 18n, 0n],
  reserve: [6_000_000_000n, 0n],
  max_utilization: [95n * 10n ** 16n, 0n],
  floor: [3n, 0n],
  scale: [100_000_000n, 0n],
  is_legacy: [0n],
  last_updated: [1_700_000_000n],
  last_rate_accumulator: [125n * 10n ** 16n, 0n],
  last_full_utilization_rate: [20_000_000_000n, 1n],
  fee_rate: [2n * 10n ** 17n, 0n],
  fee_shares: [4n, 0n],
};
const STATE = {
  reserve: 6_000_000_000n,
  totalNominalDebtE18: 32n * 10n ** 18n,
  rateAccumulatorE18: 125n * 10n ** 16n,
  scale: 100_000_000n,
  interestRateE18: 2_000_000_000n,
};
const ViewParams = z.object({
  block_id: z.unknown(),
  request: z.object({
    contract_address: z.string(),
    entry_point_selector: z.string(),
    calldata: z.array(z.string()),
  }),
});

const Call = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()) });
const INTEREST_RATE = '0x18120d3af7e070f8e77437712dfc1d7dbda025e3ab985b714b1af06b52c69be';

const hex = (felts: readonly bigint[]): readonly string[] =>
  felts.map((felt) => `0x${felt.toString(16)}`);
const u256 = (value: bigint): readonly bigint[] => [value % 2n ** 128n, value / 2n ** 128n];

describe('VesuLendingPoolReader', () => {
  let node: LoopbackNode;
  let config: Readonly<Record<string, readonly bigint[]>>;
  let utilization: readonly bigint[];
  let interestRate: readonly bigint[];
  let block: Readonly<Record<string, unknown>>;

  beforeEach(async () => {
    node = await LoopbackNode.start();
    config = CONFIG;
    utilization = u256(4n * 10n ** 17n);
    interestRate = u256(2_000_000_000n);
    block = {
      status: 'ACCEPTED_ON_L2',
      block_number: 7,
      timestamp: 1_700_000_000,
      transactions: [],
    };
    node.answer = ({ method, params }: RpcRequest) => {
      if (method === HEAD) return { result: { block_hash: '0xb7', block_number: 7 } };
      if (method === BLOCK) return { result: block };
      return { result: hex(viewResult(ViewParams.parse(params).request.entry_point_selector)) };
    };
  });
  afterEach(async () => node.stop());

  function viewResult(selector: string): readonly bigint[] {
    if (selector === selectorOf('asset_config')) return Object.values(config).flat();
    return selector === selectorOf('utilization') ? utilization : interestRate;
  }

  /** Returns method and block of each call in an HTTP request. */
  const requested = (request: number): readonly unknown[] =>
    z
      .array(Call)
      .parse(JSON.parse(node.bodies[request] ?? ''))
      .map(({ method, params }) => [method, params['block_id']]);
  const rateCalls = (): readonly z.infer<typeof ViewParams>['request'][] =>
    node
      .calls()
      .filter(({ method }) => method === 'starknet_call')
      .map(({ params }) => ViewParams.parse(params).request)
      .filter(({ entry_point_selector: selector }) => selector === INTEREST_RATE);
  const read = async (): Promise<unknown> =>
    new VesuLendingPoolReader(node.client()).readPools(POOLS);

  it('reads two lending pools in one request at one block after a request for the call arguments', async () => {
    expect(await read()).toEqual({
      blockNumber: 7,
      timestampSeconds: 1_700_000_000,
      pools: [STATE, STATE],
    });
    expect(node.bodies).toHaveLength(2);
    expect(requested(0)).toEqual([
      ...Array.from({ length: 4 }, () => ['starknet_call', 'latest']),
      [HEAD, undefined],
    ]);
    expect(requested(1)).toEqual([
      ...Array.from({ length: 6 }, () => ['starknet_call', { block_hash: '0xb7' }]),
      [BLOCK, { block_hash: '0xb7' }],
    ]);
  });

  it('queries the interest rate with the arguments that the lending pool has returned', async () => {
    await read();
    expect(rateCalls().at(-1)).toEqual({
      contract_address: '0xc2',
      entry_point_selector: INTEREST_RATE,
      calldata: [ASSET, ...hex([...u256(4n * 10n ** 17n), 1_700_000_000n, 20_000_000_000n, 1n])],
    });
  });

  it('queries the interest rates again if their arguments were read at a different block', async () => {
    const { answer } = node;
    node.answer = (request) => {
      if (request.params['block_id'] === 'latest')
        config = { ...CONFIG, last_updated: [1_699_999_990n] };
      else config = CONFIG;
      return answer(request);
    };
    expect(await read()).toEqual({
      blockNumber: 7,
      timestampSeconds: 1_700_000_000,
      pools: [STATE, STATE],
    });
    expect(node.bodies).toHaveLength(3);
    expect(rateCalls().map(({ calldata }) => BigInt(calldata[3] ?? 0))).toEqual([
      1_699_999_990n,
      1_699_999_990n,
      1_700_000_000n,
      1_700_000_000n,
    ]);
  });

  it('rejects a node that returns different values of a lending pool for one block', async () => {
    const { answer } = node;
    let seconds = 0n;
    node.answer = (request) => {
      seconds += 1n;
      config = { ...CONFIG, last_updated: [seconds] };
      return answer(request);
    };
    expect(await failure(read())).toBeInstanceOf(NodeMalformedAnswer);
    expect(node.bodies).toHaveLength(3);
  });

  it('a read of lending pools fails if a reorg removed the chosen block', async () => {
    const { answer } = node;
    node.answer = (request) =>
      request.params['block_id'] === 'latest' || request.method === HEAD
        ? answer(request)
        : { error: { code: 24, message: 'Block not found' } };
    expect(await failure(read())).toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });

  it('reads only a block if no lending pool is requested', async () => {
    expect(await new VesuLendingPoolReader(node.client()).readPools([])).toEqual({
      blockNumber: 7,
      timestampSeconds: 1_700_000_000,
      pools: [],
    });
  });

  it('accepts a lending pool without debt', async () => {
    config = { ...CONFIG, total_nominal_debt: [0n, 0n] };
    utilization = [0n, 0n];
    interestRate = [0n, 0n];
    expect(await read()).toMatchObject({
      pools: [{ totalNominalDebtE18: 0n, interestRateE18: 0n }, {}],
    });
  });

  it.each<[string, Readonly<Record<string, readonly bigint[]>>]>([
    ['a scale of 0: the pool does not have the asset', { scale: [0n, 0n] }],
    ['a finer scale than any token has', { scale: u256(10n ** 19n) }],
    ['an accumulator below 1', { last_rate_accumulator: [10n ** 18n - 1n, 0n] }],
    ['an accumulator of 2^200', { last_rate_accumulator: u256(2n ** 200n) }],
    ['a reserve of 2^255', { reserve: u256(2n ** 255n) }],
    ['a debt of 2^255', { total_nominal_debt: u256(2n ** 255n) }],
    ['a half of 2^128', { reserve: [2n ** 128n, 0n] }],
    ['a time of 2^64', { last_updated: [2n ** 64n] }],
    ['a bool of 2', { is_legacy: [2n] }],
    ['21 felts', { fee_shares: [0n] }],
    ['23 felts', { fee_shares: [0n, 0n, 0n] }],
    [
      'a layout that has moved by one word',
      { total_collateral_shares: [1n], fee_shares: [0n, 0n, 0n] },
    ],
    ['a debt that does not fit its utilization', { total_nominal_debt: [10n ** 18n, 0n] }],
  ])('rejects a lending pool whose asset configuration has %s', async (_what, felts) => {
    config = { ...CONFIG, ...felts };
    expect(await failure(read())).toBeInstanceOf(NodeMalformedAnswer);
    expect(node.bodies).toHaveLength(1);
  });

  it.each<[string, () => void]>([
    ['a utilization above 100 %', () => (utilization = u256(10n ** 18n + 1n))],
    ['a utilization of one felt', () => (utilization = [1n])],
    ['a utilization that the debt does not give', () => (utilization = u256(42n * 10n ** 16n))],
    ['a rate above every market’s', () => (interestRate = u256(MAX_INTEREST_RATE_E18 + 1n))],
    ['no rate', () => (interestRate = [])],
    ['a block that is not accepted', () => (block = { ...block, status: 'PRE_CONFIRMED' })],
    ['an invalid time', () => (block = { ...block, timestamp: -1 })],
    [
      'a time beyond every calendar',
      () => (block = { ...block, timestamp: Number.MAX_SAFE_INTEGER }),
    ],
  ])('rejects the state of a lending pool with %s', async (_what, spoil) => {
    spoil();
    expect(await failure(read())).toBeInstanceOf(NodeMalformedAnswer);
  });

  it.each<[string, string, readonly bigint[] | null]>([
    ['a view is refused', 'asset_config', null],
    ['a state is impossible', 'utilization', u256(10n ** 18n + 1n)],
    ['a rate is impossible', 'interest_rate', u256(MAX_INTEREST_RATE_E18 + 1n)],
  ])(
    'T17: a lending pool is null in the result if %s, but the second lending pool is returned',
    async (_what, view, felts) => {
      const { answer } = node;
      node.answer = (request) => {
        const call = ViewParams.safeParse(request.params).data?.request;
        if (call?.contract_address !== '0xc1' || call.entry_point_selector !== selectorOf(view))
          return answer(request);
        return felts === null
          ? { error: { code: 40, message: 'Contract error' } }
          : { result: hex(felts) };
      };
      expect(await read()).toEqual({
        blockNumber: 7,
        timestampSeconds: 1_700_000_000,
        pools: [null, STATE],
      });
      expect(node.bodies).toHaveLength(2);
    },
  );

  it('T17: returns a lending pool that can be read only at the chosen block, not at the latest block', async () => {
    const { answer } = node;
    node.answer = (request) => {
      const call = ViewParams.safeParse(request.params).data;
      return call?.request.contract_address === '0xc1' && call.block_id === 'latest'
        ? { error: { code: 40, message: 'Contract error' } }
        : answer(request);
    };
    expect(await read()).toMatchObject({ pools: [STATE, STATE] });
    expect(node.bodies).toHaveLength(3);
  });

  it('a read of lending pools fails if every pool lacks a view', async () => {
    const { answer } = node;
    node.answer = (request) =>
      request.method === 'starknet_call'
        ? { error: { code: 21, message: 'Requested entrypoint does not exist' } }
        : answer(request);
    expect(await failure(read())).toMatchObject({ code: 'NODE_REFUSED_CALL' });
  });
});
