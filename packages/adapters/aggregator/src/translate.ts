import type { QueryParams } from '@sotto/http-client';
import type { BuiltCall, SwapBuildRequest, SwapQuote, SwapQuoteRequest } from '@sotto/relayer-core';
import { Calls, CallsInObject, Quotes } from './aggregator.schemas.js';
import { parseAs } from './upstream.js';

const PPM = 1_000_000;
const PPM_PER_PERCENT = 10_000;

/** Query of a request for quotes. */
export function quotesParams({
  sellToken,
  buyToken,
  sellAmount,
  taker,
}: SwapQuoteRequest): QueryParams {
  return {
    sellTokenAddress: sellToken,
    buyTokenAddress: buyToken,
    sellAmount: `0x${sellAmount.toString(16)}`,
    takerAddress: taker,
  };
}

/** Body of a request to build. The approval is always part of it: the taker has none in store. */
export function buildBody({
  quoteId,
  taker,
  slippagePpm,
}: SwapBuildRequest): Readonly<Record<string, unknown>> {
  return { quoteId, takerAddress: taker, slippage: slippagePpm / PPM, includeApprove: true };
}

/**
 * The quotes that are for what was asked and buy something, best first.
 * @throws AggregatorMalformed
 */
export function toQuotes(body: unknown, request: SwapQuoteRequest): readonly SwapQuote[] {
  return parseAs(Quotes, body)
    .map(
      ({
        sellTokenAddress: sellToken,
        buyTokenAddress: buyToken,
        priceImpact,
        estimatedSlippage,
        ...quote
      }) => ({
        ...quote,
        sellToken,
        buyToken,
        priceImpactPpm: millionths(priceImpact, PPM_PER_PERCENT),
        estimatedSlippagePpm: millionths(estimatedSlippage, PPM),
      }),
    )
    .filter((quote) => isFor(quote, request) && quote.buyAmount > 0n)
    .toSorted(
      (left, right) =>
        Number(left.buyAmount < right.buyAmount) - Number(left.buyAmount > right.buyAmount),
    );
}

/**
 * The calls of a build: a bare array as the specification has it, or an object that holds it.
 * @throws AggregatorMalformed
 */
export function toCalls(body: unknown): readonly BuiltCall[] {
  const calls = Array.isArray(body) ? parseAs(Calls, body) : parseAs(CallsInObject, body).calls;
  return calls.map(({ contractAddress: to, entrypoint, calldata }) => ({
    to,
    entrypoint,
    calldata,
  }));
}

/** A figure in millionths, to the nearest. */
function millionths(figure: number | null | undefined, perUnit: number): number | null {
  return figure === null || figure === undefined ? null : Math.round(figure * perUnit);
}

function isFor(quote: SwapQuote, { sellToken, buyToken, sellAmount }: SwapQuoteRequest): boolean {
  return (
    quote.sellToken === sellToken && quote.buyToken === buyToken && quote.sellAmount === sellAmount
  );
}
