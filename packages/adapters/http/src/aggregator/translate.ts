import { parseEach, type LeaveOut, type QueryParams } from '@sotto/http-client';
import type { BuiltCall, SwapBuildRequest, SwapQuote, SwapQuoteRequest } from '@sotto/market-core';
import { Calls, CallsInObject, QUOTES, QuoteList } from './aggregator.schemas.js';
import { QUOTE_READINGS, inMillionths, type AggregatorProtocol } from './profiles.js';
import { malformedAt, parseAs } from './upstream.js';

const PPM = 1_000_000;
const MS_PER_SECOND = 1_000;

/** Protocol and time of the read, and the callback that is called for each unusable quote. */
export interface QuoteReader {
  /** Protocol of the aggregator, which determines units and signs. */
  readonly protocol: AggregatorProtocol;
  readonly nowMs: number;
  readonly leaveOut: LeaveOut;
}

/** Returns the query parameters of a request for quotes. */
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

/**
 * Returns the body of a build request. The build always includes the approval, because no allowance
 * for the router remains from earlier swaps.
 */
export function buildBody({
  quoteId,
  taker,
  slippagePpm,
}: SwapBuildRequest): Readonly<Record<string, unknown>> {
  return { quoteId, takerAddress: taker, slippage: slippagePpm / PPM, includeApprove: true };
}

/**
 * Returns the usable quotes for the requested swap, best first. Each quote is checked separately:
 * unusable quotes, expired quotes and quotes for another swap are omitted and counted.
 * @throws AggregatorMalformed if the body is no list or the list has no readable quote
 */
export function toQuotes(
  body: unknown,
  request: SwapQuoteRequest,
  { protocol, nowMs, leaveOut }: QuoteReader,
): readonly SwapQuote[] {
  const { priceImpact: impact, estimatedSlippage: slippage } = QUOTE_READINGS[protocol];
  return parseEach(QUOTES[protocol], parseAs(QuoteList, body), { leaveOut, malformedAt })
    .map(
      ({
        sellTokenAddress: sellToken,
        buyTokenAddress: buyToken,
        priceImpact,
        estimatedSlippage,
        expiry,
        ...quote
      }): SwapQuote => ({
        ...quote,
        sellToken,
        buyToken,
        priceImpactPpm: inMillionths(priceImpact, impact),
        estimatedSlippagePpm: inMillionths(estimatedSlippage, slippage),
        expiresAtMs: expiry === null ? null : expiry * MS_PER_SECOND,
      }),
    )
    .filter((quote) => {
      const isRequested = isFor(quote, request) && quote.buyAmount > 0n;
      const isExpired = quote.expiresAtMs !== null && quote.expiresAtMs <= nowMs;
      if (!isRequested || isExpired) leaveOut(isRequested ? 'expired' : 'another swap');
      return isRequested && !isExpired;
    })
    .toSorted(
      (left, right) =>
        Number(left.buyAmount < right.buyAmount) - Number(left.buyAmount > right.buyAmount),
    );
}

/**
 * Returns the calls of a build. The body is a bare array of calls as in the specification, or an
 * object that contains the array.
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

function isFor(quote: SwapQuote, { sellToken, buyToken, sellAmount }: SwapQuoteRequest): boolean {
  return (
    quote.sellToken === sellToken && quote.buyToken === buyToken && quote.sellAmount === sellAmount
  );
}
