import { implement, implementCached, type Route, readFelt } from '@sotto/http-server';
import { toFelt, type Clock, type Felt } from '@sotto/kernel';
import * as routes from '@sotto/routes';
import {
  feeEstimateReply,
  feeQuoteTypedData,
  type FeeEstimate,
  type FeeEstimateReply,
  type QuotedOperation,
} from '@sotto/relayer-core';
import { PrivateSwapDisabled, type UseCases } from '@sotto/relayer';
import { knownSoon } from '@sotto/submission-core';
import type { HttpPolicy } from '../http-policy.js';
import { CROWD_WAIT_MS, presentedDenomination } from './pools.js';

/** @throws PrivateSwapDisabled if private swaps are disabled, because swaps then have no fee */
function requireSwaps({ swap }: Pick<HttpPolicy, 'swap'>): void {
  if (swap === null) throw new PrivateSwapDisabled({ message: 'this relayer does not swap' });
}

/**
 * Converts a fee estimate to its API form. The denomination of the pool is converted to the unit
 * that the API uses for this pool.
 */
function toEstimateDto(
  estimate: FeeEstimate,
  pool: Felt | null,
  policy: Pick<HttpPolicy, 'pools'>,
): FeeEstimateReply {
  if (pool === null || estimate.pool === null || estimate.pool.denomination === null)
    return feeEstimateReply(estimate);
  const denomination = presentedDenomination(policy, pool, estimate.pool.denomination);
  return feeEstimateReply({ ...estimate, pool: { ...estimate.pool, denomination } });
}

export const feeEstimateRoute = ({ estimateFee }: UseCases, policy: HttpPolicy): Route =>
  implementCached(routes.feeEstimate, {
    cacheKey: ({ query }) => {
      if (query.operation === 'private_swap') requireSwaps(policy);
      const pool = query.pool === undefined ? null : readFelt('query.pool', query.pool);
      return textOf({
        pool,
        leafIndex: query.leafIndex ?? null,
        operation: query.operation,
        recipientGasFri: BigInt(query.recipientGasFri ?? 0),
      });
    },
    answer: async (key) => {
      const { pool, ...use } = questionOf(key);
      return toEstimateDto(await estimateFee.execute(pool, use), pool, policy);
    },
  });

interface Question {
  readonly pool: Felt | null;
  readonly leafIndex: number | null;
  readonly operation: QuotedOperation;
  /** @default 0 */
  readonly recipientGasFri?: bigint;
}

/** Returns the cache key of a fee question. Equal questions have equal keys. */
function textOf({ pool, leafIndex, operation, recipientGasFri = 0n }: Question): string {
  return [pool ?? '', leafIndex ?? '', operation, recipientGasFri].join('|');
}

function questionOf(text: string): Question {
  const [pool = '', leafIndex = '', operation, recipientGasFri = '0'] = text.split('|');
  return {
    pool: pool === '' ? null : toFelt(pool),
    leafIndex: leafIndex === '' ? null : Number(leafIndex),
    operation: operation === 'private_swap' ? operation : 'withdraw',
    ...(recipientGasFri === '0' ? {} : { recipientGasFri: BigInt(recipientGasFri) }),
  };
}

export const quoteRoute = (
  { issueQuote, getPoolStatus, getPoolCrowd }: UseCases,
  policy: HttpPolicy,
  clock: Clock,
): Route => {
  const crowdOf = async (pool: Felt, batchStart: number) =>
    getPoolCrowd.ofBatch(pool, batchStart, await getPoolStatus.execute(pool));
  return implement(routes.quote, async ({ body, caller }) => {
    const poolAddress = readFelt('body.poolAddress', body.poolAddress);
    const { operation, leafIndex = null, batchStart } = body;
    const recipientGasFri = BigInt(body.recipientGasFri ?? 0);
    if (operation === 'private_swap') requireSwaps(policy);
    const issued = await issueQuote.execute({
      poolAddress,
      operation,
      leafIndex,
      recipientGasFri,
      caller,
    });
    const estimate = toEstimateDto(issued.estimate, poolAddress, policy);
    const { id, chainId, pool, relayer, feeAmount, expiresAtMs, signer, signature } = issued.quote;
    return {
      status: 200,
      body: {
        quoteId: id,
        chainId,
        pool,
        relayer,
        operation: issued.quote.operation,
        ...(issued.quote.leafIndex === null ? {} : { leafIndex: issued.quote.leafIndex }),
        ...(recipientGasFri === 0n ? {} : { recipientGasFri: String(recipientGasFri) }),
        fee: String(feeAmount),
        feeAmount: String(feeAmount),
        feeToken: estimate.feeToken,
        maxFeeAmount: String(issued.maxFeeAmount),
        expiresAt: expiresAtMs / 1_000,
        signer,
        signature,
        typedData: feeQuoteTypedData(issued.quote),
        ...(batchStart === undefined
          ? {}
          : { crowd: await knownSoon(crowdOf(poolAddress, batchStart), clock, CROWD_WAIT_MS) }),
        estimate,
      },
    };
  });
};
