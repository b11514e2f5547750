import { z } from 'zod';
import type { Json } from '../json.js';
import { FIELD_PRIME, toHex } from '../engine/felt.js';
import type { Answer } from '../http/server.js';
import type { Aggregator } from './aggregator.js';
import { buildCalls, planSwap, type BuiltCall } from './build.js';
import {
  buildHostileCalls,
  spoilOffers,
  spoilQuote,
  type HostileDeed,
  type HostileQuote,
} from './hostility.js';
import type { HistorySource } from './price-history.js';
import { renderQuote } from './render-quote.js';

/** Felt as hex text, with or without leading zeros. */
const Hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'must be a hex number')
  .transform(BigInt);
const Address = Hex.refine((value) => value < FIELD_PRIME, 'must be an address');

const QuoteQuery = z.object({
  sellTokenAddress: Address,
  buyTokenAddress: Address,
  sellAmount: Hex,
  takerAddress: Address.optional(),
  size: z.coerce.number().int().min(1).max(5).default(5),
});

const BuildBody = z.object({
  quoteId: z.string(),
  takerAddress: Address.optional(),
  slippage: z.number().min(0).max(1).default(0.05),
  includeApprove: z.boolean().default(true),
});

const DAY_MS = 86_400_000;

const PricesBody = z.object({ tokens: z.array(Address).max(100) });

const HistoryQuery = z.object({
  resolution: z.literal('1D'),
  startDate: z.coerce.date(),
  endDate: z.coerce.date(),
});

/**
 * Handles `GET /swap/v3/quotes`. Returns the best quote first; an empty list if the pair has no
 * market.
 */
export function answerQuotes(
  aggregator: Aggregator,
  query: URLSearchParams,
  deed?: HostileQuote,
): Answer {
  const parsed = QuoteQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) return rejection(z.prettifyError(parsed.error));
  const {
    sellTokenAddress: sellToken,
    buyTokenAddress: buyToken,
    sellAmount,
    takerAddress: taker,
    size,
  } = parsed.data;
  const { settings } = aggregator;
  const [sell, buy] = [aggregator.tokenAt(sellToken), aggregator.tokenAt(buyToken)];
  if (sell === undefined || buy === undefined) return { status: 200, body: [] };
  const offers = aggregator.market
    .offers({ sellToken, buyToken }, sellAmount, settings.routeForm)
    .slice(0, size);
  const quotes = spoilOffers(offers, deed).map((offer) =>
    aggregator.quotes.add(
      { ...offer, sellToken, buyToken, sellAmount, taker },
      settings.quoteLifetimeMs,
    ),
  );
  return {
    status: 200,
    body: quotes.map((quote) => spoilQuote(renderQuote(quote, { sell, buy, aggregator }), deed)),
  };
}

/** Handles `POST /swap/v3/build`. Returns the calls of a known quote that has not expired. */
export function answerBuild(aggregator: Aggregator, body: unknown, deed?: HostileDeed): Answer {
  const parsed = BuildBody.safeParse(body);
  if (!parsed.success) return rejection(z.prettifyError(parsed.error));
  const { quoteId, takerAddress, slippage, includeApprove } = parsed.data;
  const quote = aggregator.quotes.find(quoteId);
  if (quote === undefined) return rejection('Invalid quote id');
  const taker = takerAddress ?? quote.taker;
  if (taker === undefined) return rejection('takerAddress is required');
  const plan = planSwap(quote, taker, slippage, aggregator.world.router);
  const calls =
    deed === undefined ? buildCalls(plan) : buildHostileCalls(plan, deed, aggregator.world.tokens);
  aggregator.finishBuild();
  const rendered = (includeApprove ? calls : calls.slice(1)).map(renderCall);
  if (aggregator.settings.buildShape === 'spec') return { status: 200, body: rendered };
  return {
    status: 200,
    body: { chainId: toHex(aggregator.chainId), calls: rendered, executorAddress: null },
  };
}

/**
 * Handles `POST /v3/tokens/prices`. Returns one entry for each known token, in the requested order.
 */
export function answerPrices(aggregator: Aggregator, body: unknown): Answer {
  const parsed = PricesBody.safeParse(body);
  if (!parsed.success) return rejection(z.prettifyError(parsed.error));
  const entries = parsed.data.tokens.flatMap((address) => {
    const token = aggregator.tokenAt(address);
    const usd = aggregator.usdPriceOf(address);
    if (token === undefined || usd === undefined) return [];
    const market = usd === null ? null : { usd };
    return [
      {
        address: toHex(address),
        decimals: token.decimals,
        globalMarket: market,
        starknetMarket: market,
      },
    ];
  });
  return { status: 200, body: entries };
}

/**
 * Handles `GET /v3/tokens/{address}/prices/line`. Returns one price for each UTC day that began in
 * the range, oldest first, dated by the start of the day. The current day has no closing price yet,
 * so the current price is returned for it.
 */
export function answerHistory(
  aggregator: Aggregator,
  tokenAddress: string,
  query: URLSearchParams,
  source: HistorySource,
): Answer {
  const token = Address.safeParse(tokenAddress);
  const parsed = HistoryQuery.safeParse(Object.fromEntries(query));
  if (!token.success) return rejection('Invalid token address');
  if (!parsed.success) return rejection(z.prettifyError(parsed.error));
  const usdNow = aggregator.usdPriceOf(token.data);
  if (usdNow === undefined || usdNow === null)
    return { status: 404, body: { messages: ['No prices'] } };
  const [fromMs, toMs] = [parsed.data.startDate.getTime(), parsed.data.endDate.getTime()];
  const today = Math.floor(aggregator.nowMs() / DAY_MS) * DAY_MS;
  const points = [
    ...aggregator.closesOf(token.data, source, fromMs, toMs),
    ...(fromMs <= today && today <= toMs ? [{ dayMs: today, usd: usdNow }] : []),
  ];
  return {
    status: 200,
    body: points.map(({ dayMs, usd }) => ({
      date: new Date(dayMs).toISOString(),
      value: usd,
      valueUsd: usd,
    })),
  };
}

/** Returns the response to a rejected request. */
export function rejection(message: string): Answer {
  return { status: 400, body: { messages: [message] } };
}

function renderCall({ contractAddress, entrypoint, calldata }: BuiltCall): Json {
  return {
    contractAddress: toHex(contractAddress),
    entrypoint,
    calldata: calldata.map((felt) => (typeof felt === 'bigint' ? toHex(felt) : felt)),
  };
}
