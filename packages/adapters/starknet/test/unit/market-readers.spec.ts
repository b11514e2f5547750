import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeMalformedAnswer,
  PragmaPriceSource,
  StarknetCallSimulator,
  StarknetLatestBlock,
  StarknetNodeHealthCheck,
  StarknetPoolReader,
  selectorOf,
} from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { LoopbackNode, failure } from '../support/loopback-node.js';
import { PRICES, V4_ENTRYPOINTS } from '../support/settings.js';

const CONTRACT = toFelt('0xc0');
let node: LoopbackNode;
beforeEach(async () => {
  node = await LoopbackNode.start();
});
afterEach(async () => node.stop());

async function observe(result: readonly string[]): Promise<unknown> {
  node.answer = () => ({ result });
  return new PragmaPriceSource(node.client(), { ...PRICES, oracle: CONTRACT }).observe(['USDC']);
}

async function simulate(): Promise<unknown> {
  return new StarknetCallSimulator(node.client()).simulate({
    to: CONTRACT,
    entrypoint: 'withdraw',
    calldata: Felts.of([1n]),
  });
}

async function l2(source: StarknetLatestBlock): Promise<bigint> {
  return (await source.gasPrices()).l2GasFri;
}

describe('PragmaPriceSource', () => {
  it.each([
    ['6 decimals', ['0xf4240', '0x6', '0x64', '0x3', '0x1'], 100_000_000n],
    ['8 decimals', ['0x5f5e100', '0x8', '0x64', '0x3', '0x0', '0x0'], 100_000_000n],
    [
      '18 decimals',
      [`0x${(10n ** 18n + 9_999_999_999n).toString(16)}`, '0x12', '0x64', '0x3', '0x1'],
      100_000_000n,
    ],
    ['0 decimals', ['0x2', '0x0', '0x64', '0x3'], 200_000_000n],
  ])(
    'the oracle reader converts a price with %s to units of 1e-8 USD',
    async (_what, felts, usdE8) => {
      expect(await observe(felts)).toEqual([{ asset: 'USDC', usdE8, observedAtMs: 100_000 }]);
    },
  );

  it.each([
    [3, '0x3', 1],
    [3, '0x2', 0],
    [2, '0x2', 1],
    [2, '0x1', 0],
    [1, '0x0', 0],
  ])(
    'the oracle reader requires at least %j publishers: a price with %s publishers yields %i observations',
    async (minPublishers, publishers, count) => {
      node.answer = () => ({ result: ['0xf4240', '0x6', '0x64', publishers, '0x1'] });
      const settings = { ...PRICES, oracle: CONTRACT, minPublishers };
      expect(await new PragmaPriceSource(node.client(), settings).observe(['USDC'])).toHaveLength(
        count,
      );
    },
  );

  it('the oracle reader sends no request for an asset without a pair name', async () => {
    const before = node.bodies.length;
    expect(
      await new PragmaPriceSource(node.client(), { ...PRICES, oracle: CONTRACT }).observe([
        'LORDS',
      ]),
    ).toEqual([]);
    expect(node.bodies).toHaveLength(before);
  });

  it.each([
    ['the answer for an unknown pair', ['0x0', '0x0', '0x0', '0x0', '0x1']],
    ['a price below the smallest unit', ['0x1', '0x12', '0x64', '0x3', '0x1']],
  ])('the oracle reader returns no price for %s', async (_what, felts) => {
    expect(await observe(felts)).toEqual([]);
  });

  it.each([
    ['three felts', ['0x1', '0x8', '0x64']],
    ['nothing', []],
    ['37 decimals', ['0x1', '0x25', '0x64', '0x3']],
    ['a felt of decimals', ['0x1', `0x7${'f'.repeat(62)}`, '0x64', '0x3']],
    ['a time beyond every calendar', ['0x1', '0x8', `0x${'f'.repeat(16)}`, '0x3']],
    ['2^32 sources', ['0x1', '0x8', '0x64', '0x100000000']],
    ['65 felts', Array.from({ length: 65 }, () => '0x1')],
    ['a value outside the field', [`0x${'f'.repeat(64)}`, '0x8', '0x64', '0x3']],
  ])('the oracle reader rejects a result with %s', async (_what, felts) => {
    expect(await failure(observe(felts))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('the oracle reader requests the spot entry of the configured pair', async () => {
    node.answer = () => ({ result: ['0x1', '0x8', '0x64', '0x3'] });
    const pairs = { STRK: 'STRK/USD', WBTC: 'BTC/USD', USDC: 'USDC/USD' };
    await new PragmaPriceSource(node.client(), { ...PRICES, oracle: CONTRACT, pairs }).observe([
      'WBTC',
    ]);
    expect(node.calls()[0]?.params['request']).toEqual({
      contract_address: CONTRACT,
      entry_point_selector: '0x24b869ce68dd257b370701ca16e4aaf9c6483ff6805d04ba7661f3a0b6ce59',
      calldata: ['0x0', '0x4254432f555344'],
    });
  });
});

describe('StarknetPoolReader', () => {
  const good = {
    max_fee: ['0x1', '0x0'],
    get_next_index: ['0x7'],
    undeployed_count: ['0x2'],
    is_known_root: ['0x1'],
    is_spent: ['0x0'],
  };
  const Request = z.object({ entry_point_selector: z.string() });
  const facts = async (views: Readonly<Record<string, readonly string[]>>): Promise<unknown> => {
    const bySelector = new Map(
      Object.entries({ ...good, ...views }).map(([name, result]) => [
        String(selectorOf(name)),
        result,
      ]),
    );
    node.answer = ({ params }) => ({
      result: bySelector.get(Request.parse(params['request']).entry_point_selector),
    });
    return new StarknetPoolReader(node.client(), V4_ENTRYPOINTS).withdrawalFacts(CONTRACT, {
      root: 1n << 200n,
      nullifierHash: 2n,
      batchStart: 0,
    });
  };

  it('the pool reader reads all values for one withdrawal in a single request', async () => {
    expect(await facts({})).toEqual({
      maxFee: 1n,
      nextIndex: 7,
      undeployedCount: 2,
      rootKnown: true,
      nullifierSpent: false,
      leaf: null,
    });
    expect(node.bodies).toHaveLength(1);
  });

  it.each([
    ['a bool of 2', { is_spent: ['0x2'] }],
    ['no felt', { is_known_root: [] }],
    ['two felts for a bool', { is_known_root: ['0x1', '0x0'] }],
    ['one half of a u256', { max_fee: ['0x1'] }],
    ['a half of 2^128', { max_fee: [`0x1${'0'.repeat(32)}`, '0x0'] }],
    ['a u32 of 2^32', { get_next_index: ['0x100000000'] }],
    ['more waiting leaves than leaves', { undeployed_count: ['0x8'] }],
  ])('the pool reader rejects a result with %s', async (_what, views) => {
    expect(await failure(facts(views))).toBeInstanceOf(NodeMalformedAnswer);
  });

  it('the pool reader passes a u256 as two halves to entry points with configured names', async () => {
    node.answer = () => ({ result: ['0x1'] });
    const entrypoints = {
      ...V4_ENTRYPOINTS,
      maxFee: 'a',
      nextIndex: 'b',
      undeployedCount: 'c',
      isKnownRoot: 'd',
      isSpent: 'withdraw',
    };
    expect(
      await new StarknetPoolReader(node.client(), entrypoints).nullifierSpent(
        CONTRACT,
        (5n << 128n) + 6n,
      ),
    ).toBe(true);
    expect(node.calls()[0]?.params['request']).toEqual({
      contract_address: CONTRACT,
      entry_point_selector: '0x15511cc3694f64379908437d6d64458dc76d02482052bfb8a5b33a72c054c77',
      calldata: ['0x6', '0x5'],
    });
  });
});

describe('StarknetCallSimulator', () => {
  it('the simulator returns the revert reason of a contract error instead of throwing an error', async () => {
    node.answer = () => ({
      error: { code: 40, message: 'Contract error', data: { revert_error: '0x706175736564' } },
    });
    expect(await simulate()).toEqual({ ok: false, reason: 'paused' });
  });

  it.each([[20], [21], [24], [-32_603], [41]])(
    'the simulator does not treat the node error %d as a revert',
    async (code) => {
      node.answer = () => ({
        error: { code, message: 'Contract error', data: { revert_error: 'paused' } },
      });
      expect(await failure(simulate())).toMatchObject({ code: expect.stringMatching(/^NODE_/) });
    },
  );
});

const price = { price_in_fri: '0x1', price_in_wei: '0x1' };
const block = (l2Price: string, number = 1): unknown => ({
  status: 'ACCEPTED_ON_L1',
  block_number: number,
  block_hash: '0xb1',
  timestamp: 1_700_000_000,
  l1_gas_price: price,
  l1_data_gas_price: price,
  l2_gas_price: { ...price, price_in_fri: l2Price },
});
let nowMs = 0;
// If the wall clock goes backwards, a cache entry must not be used for longer: only the monotonic
// clock is used.
const clock = { nowMs: () => -nowMs, monotonicMs: () => nowMs, sleep: async () => {} };

describe('StarknetLatestBlock', () => {
  it('reads the latest block once for concurrent callers, and again after its maximum age', async () => {
    const subject = new StarknetLatestBlock(node.client(), clock);
    node.answer = () => ({ result: block('0x5', 7) });
    expect(await Promise.all([subject.number(), subject.number()])).toEqual([7, 7]);
    node.answer = () => ({ result: block('0x5', 8) });
    nowMs += 499;
    expect(await subject.number()).toBe(7);
    expect(node.bodies).toHaveLength(1);
    nowMs += 1;
    expect(await subject.number()).toBe(8);
  });

  it('reads the gas prices once for concurrent callers, and again after their maximum age', async () => {
    const source = new StarknetLatestBlock(node.client(), clock);
    node.answer = () => ({ result: block('0x5') });
    expect(await Promise.all([l2(source), l2(source), l2(source)])).toEqual([5n, 5n, 5n]);
    nowMs += 499;
    expect(await l2(source)).toBe(5n);
    expect(node.bodies).toHaveLength(1);
    node.answer = () => ({ result: block('0x6') });
    nowMs += 1;
    expect(await l2(source)).toBe(6n);
    expect(node.bodies).toHaveLength(2);
  });

  it('does not cache a failed read of the latest block', async () => {
    const source = new StarknetLatestBlock(node.client(), clock);
    const [first, second] = await Promise.all([
      failure(source.gasPrices()),
      failure(source.gasPrices()),
    ]);
    expect(first).toBe(second);
    node.answer = () => ({ result: block('0x5') });
    expect(await l2(source)).toBe(5n);
  });
});

describe('StarknetNodeProbe', () => {
  it('reads chain id, specification version and height of the node in one request', async () => {
    const results: Record<string, unknown> = {
      starknet_chainId: '0x534e5f4d41494e',
      starknet_specVersion: '0.10.2',
      starknet_blockNumber: 7,
    };
    node.answer = ({ method }) => ({ result: results[method] });
    expect(await new StarknetNodeHealthCheck(node.client()).probe()).toEqual({
      chainId: '0x534e5f4d41494e',
      specVersion: '0.10.2',
      blockNumber: 7,
    });
    expect(node.bodies).toHaveLength(1);
  });

  it.each([['latest'], [''], ['0.10'], [10]])(
    'rejects the node’s invalid specification version %j',
    async (version) => {
      node.answer = ({ method }) => ({
        result:
          method === 'starknet_specVersion' ? version : method === 'starknet_chainId' ? '0x1' : 7,
      });
      expect(await failure(new StarknetNodeHealthCheck(node.client()).probe())).toBeInstanceOf(
        NodeMalformedAnswer,
      );
    },
  );
});
