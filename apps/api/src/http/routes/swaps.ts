import { retryOf } from '@sotto/facts';
import { implement, readFelt, retryAtOf, type BodyOf, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import { MAX_SLIPPAGE_PPM, type SwapAmounts } from '@sotto/market-core';
import { slippageOutOfRange, type DryRunReport } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import type { HttpPolicy } from '../http-policy.js';

const PPM = 1_000_000;
const MS_PER_SECOND = 1_000;

/**
 * Converts a slippage tolerance to millionths. Rounds down, so that the swap never allows more than
 * the caller's tolerance.
 * @throws SlippageOutOfRange if the tolerance is above the maximum, even by less than a millionth;
 *   rounding must not make such a tolerance acceptable
 */
export function ppmOf(fraction: number, minimumPpm: number | null): number {
  if (fraction > MAX_SLIPPAGE_PPM / PPM) throw slippageOutOfRange(minimumPpm);
  const nearest = Math.round(fraction * PPM);
  // The value is first rounded to the nearest millionth: rounding down directly would convert 0.029
  // to 28,999.
  return nearest / PPM > fraction ? nearest - 1 : nearest;
}

/** Converts the amounts of a swap to their API form. */
function swapAmountsOf(amounts: SwapAmounts) {
  return {
    sellAmount: String(amounts.sellAmount),
    feeAmount: String(amounts.feeAmount),
    fairAmount: String(amounts.fairAmount),
    quotedAmount: String(amounts.quotedAmount),
    minAmountOut: String(amounts.minimumOut),
    priceImpact: amounts.priceImpactPpm / PPM,
    expiresAt: Math.floor(amounts.expiresAtMs / MS_PER_SECOND),
  };
}

/** Converts the report of a dry run to its API form. */
export function dryRunReportOf({ swap, checks, ...report }: DryRunReport) {
  return {
    ...report,
    checks: checks.map(({ retryAfterSeconds, ...check }) => ({
      ...check,
      ...(check.status === 'failed' ? { retry: retryOf(check.code) } : {}),
      ...retryAtOf({ retryAfterSeconds }),
    })),
    ...(swap === undefined ? {} : { swap: swapAmountsOf(swap) }),
  };
}

export const swapQuoteRoute = ({ quoteSwap }: UseCases, { swap }: HttpPolicy): Route =>
  implement(routes.swapQuote, async ({ query, caller }) => {
    const pool = readFelt('query.pool', query.pool);
    const outputToken = readFelt('query.outputToken', query.outputToken);
    const slippagePpm = ppmOf(query.slippage, swap?.minSlippagePpm ?? null);
    const quoted = await quoteSwap.execute({ pool, outputToken, slippagePpm, caller });
    const body: BodyOf<typeof routes.swapQuote> = {
      ...swapAmountsOf(quoted),
      pool,
      sellToken: quoted.sellToken.address,
      outputToken,
    };
    return { status: 200, body };
  });
