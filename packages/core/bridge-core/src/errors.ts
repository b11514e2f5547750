import { domainError } from '@sotto/kernel';

/**
 * Error for an unknown chain: `details.end` is `from` or `to`, `details.chains` lists the chains.
 */
export class ChainNotSupported extends domainError('CHAIN_NOT_SUPPORTED') {}

/** Error for an unknown token: `details.end` is `from` or `to`. */
export class TokenNotSupported extends domainError('TOKEN_NOT_SUPPORTED') {}

/** STRK on Starknet is at neither end or at both, or the chain does not allow the direction. */
export class RouteNotSupported extends domainError('ROUTE_NOT_SUPPORTED') {}

export class AmountInvalid extends domainError('AMOUNT_INVALID') {}

/**
 * Error for a recipient of a bridge transfer; withdrawals have another code. `details.reason`:
 * `missing`, `format`, or `refused` by the protocol.
 */
export class BridgeRecipientInvalid extends domainError('BRIDGE_RECIPIENT_INVALID') {}

/**
 * Error for a recipient that can't spend: `details.reason` is `zero`, `too_small` or `contract`.
 */
export class BridgeRecipientUnspendable extends domainError('BRIDGE_RECIPIENT_UNSPENDABLE') {}

/**
 * Error for a refund address. `details.reason`: `missing`, `format`, `refused` by the protocol, or
 * a reason of {@link BridgeRecipientUnspendable}.
 */
export class RefundAddressInvalid extends domainError('REFUND_ADDRESS_INVALID') {}

export class NoBridgeRoute extends domainError('NO_BRIDGE_ROUTE') {}

/**
 * Error for an amount below the minimum; `details.minimum`, if known, is in the source token's
 * smallest unit.
 */
export class AmountTooLow extends domainError('AMOUNT_TOO_LOW') {}

/**
 * Error for an unsafe quote. `details.reason`: `no_output`, `market_value` (far from it), `deposit`
 * (present in a dry run, or missing), `deposit_address` (not one of the source chain), `expired`
 * (its deadline has passed), or `transaction_id` (of a transfer with other terms).
 */
export class BridgeQuoteUnusable extends domainError('BRIDGE_QUOTE_UNUSABLE') {}

export class TransferNotFound extends domainError('TRANSFER_NOT_FOUND') {}
