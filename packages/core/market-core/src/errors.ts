import { domainError } from '@sotto/kernel';

/**
 * No price that may be used: too old, too few sources, or they disagree (`details.asset`,
 * `details.reason`). The caller tries later.
 */
export class PriceUnavailable extends domainError('PRICE_UNAVAILABLE') {}

/** The profile names no such output of private swaps. The caller picks one of the listed tokens. */
export class OutputTokenNotSupported extends domainError('OUTPUT_TOKEN_NOT_SUPPORTED') {}

/**
 * The aggregator has no route or no liquidity for the swap. Nothing was sent. The caller tries
 * later, or another token.
 */
export class NoQuotesAvailable extends domainError('NO_QUOTES_AVAILABLE') {}

/**
 * Two quotes in a row were gone before they could be built. Nothing was sent. The caller tries
 * again soon.
 */
export class QuoteExpiredAtAggregator extends domainError('QUOTE_EXPIRED_AT_AGGREGATOR') {}

/**
 * The swap would bring less than the tolerance allows. Nothing was sent. The caller allows more, or
 * waits.
 */
export class SlippageTooTight extends domainError('SLIPPAGE_TOO_TIGHT') {}

/**
 * The best quote, less the least tolerance, falls short of the fair value by more than
 * `details.maximumImpact` (a fraction), or says so itself; `details.fairAmount` and
 * `details.quotedAmount` are in the output token's smallest unit. The caller waits, or takes
 * another token.
 */
export class PriceImpactTooHigh extends domainError('PRICE_IMPACT_TOO_HIGH') {}

/**
 * The best quote `details.quotedAmount` leaves no tolerance above the caller's
 * `details.minAmountOut`. The caller waits, or asks for less.
 */
export class MinimumNotMet extends domainError('MINIMUM_NOT_MET') {}

/**
 * What the aggregator built is not what was asked for; `details.reason` names the first difference.
 * Nothing of it was signed.
 */
export class SwapBuildRejected extends domainError('SWAP_BUILD_REJECTED') {}

/**
 * Proof and route together do not fit into a transaction: `details.felts` of at most
 * `details.maximum`. The caller tries later, or another token.
 */
export class SwapRouteTooLong extends domainError('SWAP_ROUTE_TOO_LONG') {}

/**
 * At the best price now a pinned swap brings `details.offered`, less than `details.floor` (output
 * token's smallest unit). Nothing was sent.
 */
export class SwapBelowFloor extends domainError('SWAP_BELOW_FLOOR') {}
