import { domainError } from '@sotto/kernel';

/**
 * Error for a missing market price: prices are too old or missing, or the sources disagree
 * (`details.asset`, `details.reason`). The caller retries later.
 */
export class PriceUnavailable extends domainError('PRICE_UNAVAILABLE') {}

/**
 * Error for an output token that the profile does not list for private swaps. The caller chooses
 * one of the listed ERC-20 tokens.
 */
export class OutputTokenNotSupported extends domainError('OUTPUT_TOKEN_NOT_SUPPORTED') {}

/**
 * Error for a swap for which the aggregator has no route or no liquidity. The swap was not sent.
 * The caller retries later, or chooses another ERC-20 token.
 */
export class NoQuotesAvailable extends domainError('NO_QUOTES_AVAILABLE') {}

/**
 * Error after two consecutive quotes that expired before they could be built. The swap was not
 * sent. The caller retries soon.
 */
export class QuoteExpiredAtAggregator extends domainError('QUOTE_EXPIRED_AT_AGGREGATOR') {}

/**
 * Error for a swap whose expected output is below the amount that the tolerance allows. The swap
 * was not sent. The caller allows a larger tolerance, or waits.
 */
export class SlippageTooTight extends domainError('SLIPPAGE_TOO_TIGHT') {}

/**
 * Error for a swap whose best quote is too low. Either the quote less the minimum tolerance is
 * below the fair value by more than `details.maximumImpact` (a fraction), or the quote itself
 * reports a larger impact. `details.fairAmount` and `details.quotedAmount` are in the output
 * token's smallest unit. The caller waits, or chooses another ERC-20 token.
 */
export class PriceImpactTooHigh extends domainError('PRICE_IMPACT_TOO_HIGH') {}

/**
 * Error for a best quote (`details.quotedAmount`) that is not far enough above the caller's
 * `details.minAmountOut`: the distance is less than the minimum tolerance. The caller waits, or
 * lowers the minimum.
 */
export class MinimumNotMet extends domainError('MINIMUM_NOT_MET') {}

/**
 * Error for a build of the aggregator that does not match the request. `details.reason` is the
 * first difference. No part of the build was signed.
 */
export class SwapBuildRejected extends domainError('SWAP_BUILD_REJECTED') {}

/**
 * Error for a swap whose proof and route together do not fit into a transaction: `details.felts`
 * exceeds `details.maximum`. The caller retries later, or chooses another ERC-20 token.
 */
export class SwapRouteTooLong extends domainError('SWAP_ROUTE_TOO_LONG') {}

/**
 * Error for a pinned swap whose output at the best current price (`details.offered`) is less than
 * `details.floor`. Both are in the output token's smallest unit. The swap was not sent.
 */
export class SwapBelowFloor extends domainError('SWAP_BELOW_FLOOR') {}
