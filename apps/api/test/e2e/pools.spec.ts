import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSottoClient, type SottoClient } from '@sotto/client';
import { systemClock, toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld, type SandboxPool } from '@sotto/sandbox';
import type { TestChain } from './support/chain.js';
import { addressText } from './support/notes.js';
import { Stack } from './support/stack.js';
import { leaves, vector } from './support/withdrawals.js';

const { pools, swapPool, tokens } = sandboxWorld;
/**
 * Number of contract units per cent in a 10 USDC pool: the API returns cents, but the contract uses
 * 6 decimals.
 */
const CENT = 10_000n;

describe('pools in the API', () => {
  let stack: Stack;
  let sotto: SottoClient;
  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      cadence: 'manual',
      deposit,
      env: { IDLE_INTERVAL_MS: '60000' },
    });
    sotto = createSottoClient({ baseUrl: stack.service.url, tries: 1 });
  });
  afterEach(() => stack.chain.control.clearFaults());
  afterAll(() => stack.stop());

  const statusOf = (pool: SandboxPool) =>
    sotto.GET('/api/relayer/pool-status', { params: { query: { pool: addressText(pool) } } });

  /**
   * Waits until the status contains the crowd, which a busy service omits while it still reads the
   * pool's events.
   */
  const statusWithCrowd = (pool: SandboxPool) =>
    eventually('the crowd', async () => {
      const { data } = await statusOf(pool);
      return data?.crowd === null ? undefined : data;
    });

  it.each(Object.entries(pools))(
    'the API returns the values of the pool contract of %s',
    async (key, pool) => {
      expect(await statusWithCrowd(pool)).toEqual({
        ...(await viewsOf(stack.chain, pool, key === 'stable_10' ? CENT : 1n)),
        crowd: expect.anything(),
        deposits: { accepting: true, nextAt: null, left: 24 },
        block: expect.any(Number),
        at: expect.any(Number),
      });
    },
  );

  it('the pool status includes deposits, batches, yield and the maximum fee', async () => {
    expect(await statusWithCrowd(pools.sentinel_1x)).toEqual({
      denomination: '20000',
      undeployedCount: 1,
      activeDeposits: 6,
      totalDeposits: 7,
      totalAssets: '140123',
      maxFeeBps: 500,
      maxFee: '1000',
      nextIndex: 7,
      crowd: { oldestWaitingSeconds: expect.any(Number), lastBatchSize: 3, smallestBatchSize: 3 },
      deposits: { accepting: true, nextAt: null, left: 24 },
      block: expect.any(Number),
      at: expect.any(Number),
    });
    expect((await statusWithCrowd(pools.swap_input_2)).crowd).toEqual({
      oldestWaitingSeconds: null,
      lastBatchSize: null,
      smallestBatchSize: null,
    });
    expect((await statusOf(pools.stable_10)).data).toMatchObject({
      denomination: '1000',
      totalAssets: '20000000',
      undeployedCount: 2,
    });
  });

  it('the status of a pool is read once per block for any number of callers', async () => {
    const { control } = stack.chain;
    control.mine();
    control.resetCounters();
    await eventually('the service to see the new block', async () => {
      await statusOf(pools.sentinel_2x);
      return reads() > 0;
    });
    // The service sometimes reads other data in the background. A second try usually does not
    // coincide with such a read.
    await eventually('twenty answers without a read', async () => {
      await nothingIsRead();
      await Promise.all(Array.from({ length: 20 }, () => statusOf(pools.sentinel_2x)));
      return reads() === 0;
    });

    await stack.chain.depositInto(pools.sentinel_2x, [77n]);
    const later = await eventually('the deposit to be reported', async () => {
      const { data } = await statusOf(pools.sentinel_2x);
      return data?.totalDeposits === 1 && data;
    });
    expect(later).toMatchObject({ undeployedCount: 1, totalAssets: '40000', nextIndex: 1 });
  });

  it('the list of pools includes the values that a proof must contain', async () => {
    const { data } = await sotto.GET('/api/relayer/pools');
    expect(data).toMatchObject({
      chainId: toFelt(BigInt(`0x${Buffer.from(sandboxWorld.chainId).toString('hex')}`)),
      relayer: toFelt(BigInt(vector.relayer)),
      privateSwap: {
        swapPool: addressText(swapPool),
        outputTokens: [tokens.ETH, tokens.USDC, tokens.STRK].map((token) => ({
          symbol: token.symbol,
          address: addressText(token),
          decimals: token.decimals,
        })),
        defaultSlippage: 0.01,
        minSlippage: 0.001,
        maxSlippage: 0.15,
        maxPriceImpact: 0.03,
      },
    });
    expect(data?.pools.map(({ key, address, kind }) => [key, address, kind])).toEqual([
      ['sentinel_1x', addressText(pools.sentinel_1x), 'withdraw'],
      ['sentinel_2x', addressText(pools.sentinel_2x), 'withdraw'],
      ['stable_10', addressText(pools.stable_10), 'stable'],
      ['swap_input_1', addressText(pools.swap_input_1), 'swap_input'],
      ['swap_input_2', addressText(pools.swap_input_2), 'swap_input'],
    ]);
    expect(data?.pools[2]).toMatchObject({
      token: { symbol: 'USDC', address: addressText(tokens.USDC), decimals: 6 },
      batchSizes: [3, 5, 7],
      denomination: '1000',
      denominationAmount: '10000000',
      maxFee: '500000',
      // The fee is the cost of 0.2896 STRK at 0.04 USD, plus a fifth.
      fee: '13902',
    });
  });

  it.each([
    ['is gone', { kind: 'drop-before' }, 503, { code: 'NODE_UNAVAILABLE' }],
    [
      'answers a page',
      { kind: 'html' },
      503,
      { code: 'NODE_UNAVAILABLE', details: { status: 502 } },
    ],
    [
      'rejects requests for their rate',
      { kind: 'rate-limited' },
      503,
      { code: 'NODE_UNAVAILABLE', details: { status: 429 } },
    ],
    [
      'rejects a read',
      { kind: 'refuse', code: 40 },
      502,
      { code: 'NODE_REFUSED_CALL', details: { rpcCode: 40 } },
    ],
  ] as const)(
    'the API returns an error instead of the value 0 while the node %s',
    async (_what, fault, status, rejection) => {
      const { control } = stack.chain;
      control.mine();
      control.addFault({
        method: fault.kind === 'refuse' ? 'starknet_call' : '*',
        fault,
        times: 1_000,
      });
      const failed = await eventually('the status to be read again', async () => {
        const answer = await statusOf(pools.sentinel_1x);
        return answer.error === undefined ? false : answer;
      });
      expect([failed.response.status, failed.error]).toEqual([
        status,
        {
          error: expect.any(String),
          retry: 'same',
          requestId: expect.any(String),
          docs: `/docs/errors#${rejection.code}`,
          ...rejection,
        },
      ]);
      expect(failed.data).toBeUndefined();

      const listed = await eventually('the list to be made again', async () => {
        const { data } = await sotto.GET('/api/relayer/pools');
        return data?.pools[0]?.undeployedCount === null && data;
      });
      expect(listed.pools).toHaveLength(5);
      expect(listed.pools[0]).toMatchObject({
        key: 'sentinel_1x',
        // The denomination never changes, so it stays known.
        denomination: '20000',
        undeployedCount: null,
        maxFee: null,
        fee: null,
      });

      control.clearFaults();
      expect((await statusOf(pools.sentinel_1x)).data).toMatchObject({ totalDeposits: 7 });
    },
  );

  it('the API returns only pools that the service serves, and reads no other pools from the chain', async () => {
    await nothingIsRead();
    const { response, error } = await statusOf({
      ...pools.sentinel_1x,
      address: tokens.WBTC.address,
    });
    expect([response.status, error?.code]).toEqual([404, 'POOL_NOT_SUPPORTED']);
    expect(reads()).toBe(0);
  });

  const reads = (): number => stack.chain.control.counters().calls['starknet_call'] ?? 0;

  /**
   * Waits until the service's background reads have ended. A background read may refresh a cached
   * response during the next step.
   */
  const nothingIsRead = () =>
    eventually('the reads to end', async () => {
      stack.chain.control.resetCounters();
      await systemClock.sleep(100);
      return reads() === 0;
    });
});

async function deposit(chain: TestChain): Promise<void> {
  await chain.depositInto(pools.sentinel_1x, leaves);
  await chain.depositInto(pools.stable_10, [1n, 2n]);
  await chain.depositInto(pools.swap_input_1, [1n, 2n, 3n, 4n]);
  chain.control.setStorage(pools.sentinel_1x.address, 'accrued', 123n);
}

async function viewsOf(
  chain: TestChain,
  { address }: SandboxPool,
  divisor: bigint,
): Promise<object> {
  const count = async (name: string): Promise<number> =>
    Number((await chain.view(address, name))[0]);
  return {
    denomination: String((await chain.u256(address, 'denomination')) / divisor),
    undeployedCount: await count('undeployed_count'),
    activeDeposits: await count('active_deposits'),
    totalDeposits: await count('total_deposits'),
    totalAssets: String(await chain.u256(address, 'total_assets')),
    maxFeeBps: await count('max_fee_bps'),
    maxFee: String(await chain.u256(address, 'max_fee')),
    nextIndex: await count('get_next_index'),
  };
}
