import { catalogued, type ErrorEntry } from '@sotto/kernel';

/** `details.end` is `from` or `to`. */
export class ChainNotSupported extends catalogued({
  code: 'CHAIN_NOT_SUPPORTED',
  kind: 'unprocessable',
  meaning: 'Transfers from or to that chain are not offered.',
  remedy:
    'Use the lower-case name of a chain that the routes list; `details.end` says which end is meant.',
}) {}

/** `details.end` is `from` or `to`. */
export class TokenNotSupported extends catalogued({
  code: 'TOKEN_NOT_SUPPORTED',
  kind: 'unprocessable',
  meaning: 'That token is not transferred from or to this chain.',
  remedy: 'Use a token that the routes list for the chain; `details.end` says which end is meant.',
}) {}

/** Neither end is STRK on Starknet, both are, or the chain does not allow the direction. */
export class RouteNotSupported extends catalogued({
  code: 'ROUTE_NOT_SUPPORTED',
  kind: 'unprocessable',
  meaning:
    'Transfers go from a listed token to STRK on Starknet, or from STRK on Starknet to a listed token.',
  remedy: 'Pick one of the listed routes.',
}) {}

export class AmountInvalid extends catalogued({
  code: 'AMOUNT_INVALID',
  kind: 'invalid',
  meaning: 'The amount is not a positive whole number of the source token’s smallest unit.',
  remedy:
    'Send the amount as decimal digits: one token is 1 followed by as many zeros as the token has decimals.',
}) {}

/**
 * `details.reason`: `missing`, `format`, or `refused` by the protocol. Of withdrawals' recipients
 * speaks another code.
 */
export class BridgeRecipientInvalid extends catalogued({
  code: 'BRIDGE_RECIPIENT_INVALID',
  kind: 'invalid',
  meaning: 'The recipient is no address of the destination chain.',
  remedy:
    'Send an address of the destination chain; with mixed-case hex its checksum must be right.',
}) {}

/** `details.reason`: `missing`, `format`, or `refused` by the protocol. */
export class RefundAddressInvalid extends catalogued({
  code: 'REFUND_ADDRESS_INVALID',
  kind: 'invalid',
  meaning: 'There is no usable address of the source chain for a refund.',
  remedy:
    'Send an address of the source chain that you own; it gets the funds back if the transfer fails.',
}) {}

export class NoBridgeRoute extends catalogued({
  code: 'NO_BRIDGE_ROUTE',
  kind: 'unprocessable',
  meaning: 'No solver carries this transfer at present.',
  remedy:
    'Try another amount or token, or try again later: routes depend on the solvers’ liquidity.',
}) {}

/** `details.minimum`, when known, is the least amount in the source token's smallest unit. */
export class AmountTooLow extends catalogued({
  code: 'AMOUNT_TOO_LOW',
  kind: 'unprocessable',
  meaning: 'The amount is below what the bridge carries on this route.',
  remedy:
    'Send at least `details.minimum` of the source token’s smallest unit, if it is present; otherwise more.',
}) {}

/**
 * `details.reason`: `no_output`, `deposit` (given for a dry run, or missing), or `deposit_address`
 * (not one of the source chain).
 */
export class BridgeQuoteUnusable extends catalogued({
  code: 'BRIDGE_QUOTE_UNUSABLE',
  kind: 'upstream_failed',
  meaning: 'The bridge returned a quote that is not safe to fund.',
  remedy: 'Try again later.',
}) {}

export class TransferNotFound extends catalogued({
  code: 'TRANSFER_NOT_FOUND',
  kind: 'not_found',
  meaning: 'No transfer of this transaction id is known.',
  remedy: 'Use the transaction id of a quote that was no dry run.',
}) {}

/**
 * Every error that the use cases of this package throw of their own; those of ports (bridge, store)
 * come with their adapters.
 */
export const bridgeErrors: readonly ErrorEntry[] = [
  ChainNotSupported,
  TokenNotSupported,
  RouteNotSupported,
  AmountInvalid,
  BridgeRecipientInvalid,
  RefundAddressInvalid,
  NoBridgeRoute,
  AmountTooLow,
  BridgeQuoteUnusable,
  TransferNotFound,
].map(({ code, kind, meaning, remedy }) => ({ code, kind, meaning, remedy }));
