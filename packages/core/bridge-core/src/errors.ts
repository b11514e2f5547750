import { domainError } from '@sotto/kernel';

/**
 * Error for an unknown chain: `details.end` is `from` or `to`, `details.chains` lists the chains.
 */
export class ChainNotSupported extends domainError('CHAIN_NOT_SUPPORTED') {}

/** Error for an unknown token: `details.end` is `from` or `to`. */
export class TokenNotSupported extends domainError('TOKEN_NOT_SUPPORTED') {}

/**
 * Error for an unsupported route: STRK on Starknet is at neither end or at both ends, or the chain
 * does not allow the direction.
 */
export class RouteNotSupported extends domainError('ROUTE_NOT_SUPPORTED') {}

export class AmountInvalid extends domainError('AMOUNT_INVALID') {}

/**
 * Error for an invalid recipient of a bridge transfer; withdrawals use another error code.
 * `details.reason` is `missing`, `format`, or `refused` (by the protocol).
 */
export class BridgeRecipientInvalid extends domainError('BRIDGE_RECIPIENT_INVALID') {}

/**
 * Error for a recipient that can't spend funds. `details.reason` is `zero`, `too_small` or
 * `contract`.
 */
export class BridgeRecipientUnspendable extends domainError('BRIDGE_RECIPIENT_UNSPENDABLE') {}

/**
 * Error for an invalid refund address. `details.reason` is `missing`, `format`, `refused` (by the
 * protocol), or a reason of {@link BridgeRecipientUnspendable}.
 */
export class RefundAddressInvalid extends domainError('REFUND_ADDRESS_INVALID') {}

export class NoBridgeRoute extends domainError('NO_BRIDGE_ROUTE') {}

/**
 * Error for an amount below the minimum. `details.minimum` is in the source token's smallest unit;
 * absent if the minimum is unknown.
 */
export class AmountTooLow extends domainError('AMOUNT_TOO_LOW') {}

/**
 * Error for an unsafe quote. `details.reason` is one of:
 *
 * - `no_output`: the estimated output is zero.
 * - `market_value`: the quote is far from the market value.
 * - `deposit`: a dry run has deposit instructions, or a real quote has none.
 * - `deposit_address`: the deposit address is not an address of the source chain.
 * - `expired`: the quote's deadline has passed.
 * - `transaction_id`: the id already belongs to a stored transfer with different terms.
 */
export class BridgeQuoteUnusable extends domainError('BRIDGE_QUOTE_UNUSABLE') {}

export class TransferNotFound extends domainError('TRANSFER_NOT_FOUND') {}
