import { domainError } from '@sotto/kernel';

/** `details.end` is `from` or `to`, `details.chains` lists the chains. */
export class ChainNotSupported extends domainError('CHAIN_NOT_SUPPORTED') {}

/** `details.end` is `from` or `to`. */
export class TokenNotSupported extends domainError('TOKEN_NOT_SUPPORTED') {}

/** Neither end is STRK on Starknet, both are, or the chain does not allow the direction. */
export class RouteNotSupported extends domainError('ROUTE_NOT_SUPPORTED') {}

export class AmountInvalid extends domainError('AMOUNT_INVALID') {}

/**
 * `details.reason`: `missing`, `format`, or `refused` by the protocol. Of withdrawals' recipients
 * speaks another code.
 */
export class BridgeRecipientInvalid extends domainError('BRIDGE_RECIPIENT_INVALID') {}

/** `details.reason`: `zero`, `too_small` or `contract`. */
export class BridgeRecipientUnspendable extends domainError('BRIDGE_RECIPIENT_UNSPENDABLE') {}

/** `details.reason`: `missing`, `format`, `refused` by the protocol, or as that of a recipient. */
export class RefundAddressInvalid extends domainError('REFUND_ADDRESS_INVALID') {}

export class NoBridgeRoute extends domainError('NO_BRIDGE_ROUTE') {}

/** `details.minimum`, when known, is the least amount in the source token's smallest unit. */
export class AmountTooLow extends domainError('AMOUNT_TOO_LOW') {}

/**
 * `details.reason`: `no_output`, `market_value` (far from it), `deposit` (given for a dry run, or
 * missing), `deposit_address` (not one of the source chain), `expired` (its deadline has passed),
 * or `transaction_id` (of a transfer on other terms).
 */
export class BridgeQuoteUnusable extends domainError('BRIDGE_QUOTE_UNUSABLE') {}

export class TransferNotFound extends domainError('TRANSFER_NOT_FOUND') {}
