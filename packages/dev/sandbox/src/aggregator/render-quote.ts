import type { JsonObject } from '../json.js';
import type { SandboxToken } from '../contracts/world.js';
import { toHex } from '../engine/felt.js';
import type { Aggregator } from './aggregator.js';
import type { Quote } from './quote-store.js';

/** Data that a quote's response contains in addition to the quote. */
export interface QuoteSurroundings {
  readonly sell: SandboxToken;
  readonly buy: SandboxToken;
  readonly aggregator: Aggregator;
}

/**
 * Modelled gas cost of a swap, in fri. Quotes report this cost, but no transaction is charged for
 * it.
 */
const GAS_FEES_FRI = 24_000_000_000_000_000n;

/** Renders a quote in the format that the settings select. */
export function renderQuote(quote: Quote, surroundings: QuoteSurroundings): JsonObject {
  const spec = specQuote(quote, surroundings.aggregator);
  return surroundings.aggregator.settings.quoteShape === 'spec'
    ? spec
    : { ...spec, ...avnuFields(quote, surroundings) };
}

function specQuote(quote: Quote, { settings }: Aggregator): JsonObject {
  return {
    quoteId: quote.id,
    sellTokenAddress: toHex(quote.sellToken),
    sellAmount: toHex(quote.sellAmount),
    buyTokenAddress: toHex(quote.buyToken),
    buyAmount: toHex(quote.buyAmount),
    priceImpact: settings.priceImpact,
    routes: quote.shares.map(({ exchange, fraction }) => ({
      name: exchange.name,
      percent: fraction,
    })),
    estimatedSlippage: settings.estimatedSlippage,
  };
}

function avnuFields(quote: Quote, { sell, buy, aggregator }: QuoteSurroundings): JsonObject {
  const usdOf = (token: SandboxToken): number => aggregator.usdPriceOf(token.address) ?? 0;
  const worth = (token: SandboxToken, amount: bigint): number =>
    (Number(amount) / 10 ** token.decimals) * usdOf(token);
  return {
    sellAmountInUsd: worth(sell, quote.sellAmount),
    buyAmountInUsd: worth(buy, quote.buyAmount),
    fee: {
      feeToken: toHex(quote.buyToken),
      avnuFees: '0x0',
      avnuFeesInUsd: 0,
      avnuFeesBps: '0x0',
      integratorFees: '0x0',
      integratorFeesInUsd: 0,
      integratorFeesBps: '0x0',
    },
    blockNumber: toHex(BigInt(aggregator.blockNumber)),
    chainId: toHex(aggregator.chainId),
    // AVNU's `priceImpact` is in basis points, and negative for a loss. Public integrations of AVNU
    // read the field like this.
    priceImpact: -aggregator.settings.priceImpact * 100,
    // AVNU reports an expiry only for limit orders. The lifetime of other quotes is not reported.
    expiry: null,
    routes: quote.shares.map(({ exchange, fraction, alternatives }) => ({
      name: exchange.name,
      address: toHex(exchange.address),
      percent: fraction,
      sellTokenAddress: toHex(quote.sellToken),
      buyTokenAddress: toHex(quote.buyToken),
      routeInfo: {},
      routes: [],
      alternativeSwapCount: alternatives,
    })),
    gasFees: toHex(GAS_FEES_FRI),
    gasFeesInUsd: 0.001,
    sellTokenPriceInUsd: usdOf(sell),
    buyTokenPriceInUsd: usdOf(buy),
    exactTokenTo: false,
  };
}
