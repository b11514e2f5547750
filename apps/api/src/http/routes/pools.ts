import { implementCached, type BodyOf, type Route, readFelt } from '@sotto/http-server';
import type { Clock, Felt } from '@sotto/kernel';
import type { UseCases } from '@sotto/relayer';
import * as routes from '@sotto/routes';
import { DEFAULT_SLIPPAGE_PPM, MAX_SLIPPAGE_PPM, type PoolToken } from '@sotto/market-core';
import {
  leavesLeft,
  type ListedPool,
  type ListedPrivacyPool,
  type ListedSwapPool,
  type PoolDeposits,
} from '@sotto/relayer-core';
import { knownSoon } from '@sotto/submission-core';
import type { HttpPolicy, PoolPresentation } from '../http-policy.js';

/**
 * Returns how the API presents a served pool.
 * @throws Error if the pool is not served; use cases reject such a pool earlier
 */
function presentationOf({ pools }: Pick<HttpPolicy, 'pools'>, pool: Felt): PoolPresentation {
  const presentation = pools.get(pool);
  if (presentation === undefined)
    throw new Error('a use case answered for a pool that is not served');
  return presentation;
}

/**
 * Converts a pool's denomination from the contract's unit to the API's unit: divides it by the
 * divisor of the network profile.
 * @throws RangeError if the division leaves a remainder, because any result would then be wrong
 */
export function presentedDenomination(
  policy: Pick<HttpPolicy, 'pools'>,
  pool: Felt,
  denomination: bigint,
): bigint {
  const divisor = BigInt(presentationOf(policy, pool).denominationDivisor);
  if (denomination % divisor !== 0n)
    throw new RangeError('the denominationDivisor of a pool does not divide its denomination');
  return denomination / divisor;
}

/**
 * Longest time that a caller waits for the first read of a pool's events, and for the state of its
 * deposits in the store, in milliseconds. A longer read continues in the background, and later
 * responses contain its result.
 */
export const CROWD_WAIT_MS = 1_000;

const PPM = 1_000_000;

const BPS = 10_000;

export const poolsRoute = ({ listPools, fairValues }: UseCases, policy: HttpPolicy): Route =>
  implementCached(routes.pools, {
    cacheKey: () => null,
    answer: async () => {
      const [{ chainId, feeAddress, pools, swapOutputs, privacyPools }, outputTokens] =
        await Promise.all([listPools.execute(), fairValues.offered()]);
      const { swap } = policy;
      return {
        chainId,
        relayer: feeAddress,
        circuit: {
          id: routes.CIRCUIT,
          publicInputs: [...routes.PUBLIC_INPUTS],
          verificationKey: policy.verificationKey,
        },
        pools: pools.map((pool) => toPoolDto(pool, policy)),
        swapOutputs: swapOutputs === null ? null : toSwapOutputsDto(swapOutputs),
        privacyPools: privacyPools.map(toPrivacyPoolDto),
        privateSwap: swap === null ? null : swapFacts(swap, outputTokens),
      };
    },
  });

type Pools = BodyOf<typeof routes.pools>;

function toPoolDto(pool: ListedPool, policy: HttpPolicy): Pools['pools'][number] {
  const { key, address, token, batchSizes, status, feeAmount, depositRation, deposits } = pool;
  const { denomination, accepting, pausedFor, reason } = pool;
  return {
    key,
    address,
    kind: presentationOf(policy, address).kind,
    token,
    batchSizes,
    denomination:
      denomination === null ? null : String(presentedDenomination(policy, address, denomination)),
    denominationAmount: text(denomination),
    undeployedCount: status?.undeployedCount ?? null,
    leavesLeft: status === null ? null : leavesLeft(status.nextIndex, 0),
    depositRation,
    deposits: depositsOf(deposits),
    maxFeeBps: status?.maxFeeBps ?? null,
    maxFee: text(status?.maxFee),
    block: status?.blockNumber ?? null,
    at: status?.timestamp ?? null,
    fee: text(feeAmount),
    accepting,
    pausedFor,
    reason,
  };
}

function depositsOf(deposits: PoolDeposits | null): Pools['pools'][number]['deposits'] {
  if (deposits === null) return null;
  const { accepting, nextAtMs, left } = deposits;
  return { accepting, nextAt: nextAtMs === null ? null : Math.ceil(nextAtMs / 1_000), left };
}

function toSwapOutputsDto({
  key,
  address,
  kind,
  tokens,
  figures,
  accepting,
  pausedFor,
  reason,
}: ListedSwapPool): NonNullable<Pools['swapOutputs']> {
  const {
    activeDeposits = null,
    totalSwaps = null,
    nextIndex = null,
    maxFeeBps = null,
  } = figures ?? {};
  const read = { block: figures?.blockNumber ?? null, at: figures?.timestamp ?? null };
  const counts = { activeDeposits, totalSwaps, nextIndex, maxFeeBps };
  return { key, address, kind, tokens, ...counts, ...read, accepting, pausedFor, reason };
}

function toPrivacyPoolDto({
  key,
  address,
  tokens,
  state,
  accepting,
  pausedFor,
  reason,
}: ListedPrivacyPool): Pools['privacyPools'][number] {
  const { version = null, feeFri, validityBlocks = null, isPaused = false } = state ?? {};
  return {
    key,
    address,
    feeTokens: [...tokens],
    version,
    poolFeeFri: text(feeFri),
    validityBlocks,
    accepting: accepting === true ? !isPaused : accepting,
    pausedFor,
    reason,
  };
}

function swapFacts(
  { swapPool, minSlippagePpm, maxPriceImpactBps }: NonNullable<HttpPolicy['swap']>,
  outputTokens: readonly PoolToken[],
): NonNullable<Pools['privateSwap']> {
  return {
    swapPool,
    outputTokens,
    defaultSlippage: DEFAULT_SLIPPAGE_PPM / PPM,
    minSlippage: minSlippagePpm / PPM,
    maxSlippage: MAX_SLIPPAGE_PPM / PPM,
    maxPriceImpact: maxPriceImpactBps / BPS,
  };
}

function text(amount: bigint | null | undefined): string | null {
  return amount === undefined || amount === null ? null : String(amount);
}

export const poolStatusRoute = (
  { getPoolStatus, getPoolCrowd, getPoolDeposits }: UseCases,
  policy: HttpPolicy,
  clock: Clock,
): Route =>
  implementCached(routes.poolStatus, {
    cacheKey: ({ query }) => readFelt('query.pool', query.pool),
    answer: async (pool) => {
      const status = await getPoolStatus.execute(pool);
      const [crowd, deposits] = await Promise.all([
        knownSoon(getPoolCrowd.execute(pool, status), clock, CROWD_WAIT_MS),
        knownSoon(getPoolDeposits.execute(), clock, CROWD_WAIT_MS),
      ]);
      const { undeployedCount, activeDeposits, totalDeposits, maxFeeBps, nextIndex } = status;
      return {
        denomination: String(presentedDenomination(policy, pool, status.denomination)),
        undeployedCount,
        activeDeposits,
        totalDeposits,
        totalAssets: String(status.totalAssets),
        maxFeeBps,
        maxFee: String(status.maxFee),
        nextIndex,
        block: status.blockNumber,
        at: status.timestamp,
        crowd,
        deposits: depositsOf(deposits?.(pool, nextIndex) ?? null),
      };
    },
  });
