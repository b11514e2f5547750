import { domainError } from '@sotto/kernel';

/**
 * No usable price: prices are too old, too few, or the sources disagree (`details.asset`,
 * `details.reason`). The caller retries later.
 */
export class PriceUnavailable extends domainError('PRICE_UNAVAILABLE') {}

/**
 * The profile does not list this output token for private swaps. The caller chooses one of the
 * listed tokens.
 */
export class OutputTokenNotSupported extends domainError('OUTPUT_TOKEN_NOT_SUPPORTED') {}

/**
 * The aggregator has no route or no liquidity for the swap. The swap was not sent. The caller
 * retries later, or with another token.
 */
export class NoQuotesAvailable extends domainError('NO_QUOTES_AVAILABLE') {}

/**
 * Two consecutive quotes expired before they could be built. The swap was not sent. The caller
 * retries soon.
 */
export class QuoteExpiredAtAggregator extends domainError('QUOTE_EXPIRED_AT_AGGREGATOR') {}

/**
 * The swap would bring less than the tolerance allows. The swap was not sent. The caller allows a
 * larger tolerance, or waits.
 */
export class SlippageTooTight extends domainError('SLIPPAGE_TOO_TIGHT') {}

/**
 * The best quote, less the minimum tolerance, is below the fair value by more than
 * `details.maximumImpact` (a fraction), or states a larger impact itself. `details.fairAmount` and
 * `details.quotedAmount` are in the output token's smallest unit. The caller waits, or chooses
 * another token.
 */
export class PriceImpactTooHigh extends domainError('PRICE_IMPACT_TOO_HIGH') {}

/**
 * The best quote `details.quotedAmount` leaves no tolerance above the caller's
 * `details.minAmountOut`. The caller waits, or lowers the minimum.
 */
export class MinimumNotMet extends domainError('MINIMUM_NOT_MET') {}

/**
 * The aggregator's build does not match the request; `details.reason` names the first difference.
 * No part of the build was signed.
 */
export class SwapBuildRejected extends domainError('SWAP_BUILD_REJECTED') {}

/**
 * Proof and route together do not fit into a transaction: `details.felts` exceeds
 * `details.maximum`. The caller retries later, or with another token.
 */
export class SwapRouteTooLong extends domainError('SWAP_ROUTE_TOO_LONG') {}

/**
 * A pinned swap brings `details.offered` at the best current price, which is less than
 * `details.floor` (output token's smallest unit). The swap was not sent.
 */
export class SwapBelowFloor extends domainError('SWAP_BELOW_FLOOR') {}
