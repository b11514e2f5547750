import type { ErrorEntries } from './entry.js';

/** Errors of the yields of lending pools. */
export const STAKING_ERRORS = {
  STAKING_DATA_UNAVAILABLE: {
    kind: 'unavailable',
    meaning:
      'The last values of the lending pools are too old to return, and newer ones are not available now.',
    remedy: 'Try again after `Retry-After`; `details.source` is the missing source.',
    retry: 'same',
    tellsWhen: true,
  },
} as const satisfies ErrorEntries;

/** Errors of idle funds and leverage of vaults. */
export const CURATOR_ERRORS = {
  VAULT_NOT_FOUND: {
    kind: 'not_found',
    meaning: 'There is no vault of that name.',
    remedy:
      'Use one of sentinel, citadel, trident, delta_neutral, turbo and apex, if this network has it.',
    retry: 'never',
  },
  DEPLOYMENT_REVERTED: {
    kind: 'upstream_failed',
    meaning: 'The vault reverted the deployment, so its funds are still idle.',
    remedy:
      'See `details.reason`; once its cause is gone and its block is final, the same request tries again.',
    retry: 'later',
  },
  DEPLOYMENT_REFUSED: {
    kind: 'upstream_failed',
    meaning: 'The deployment was refused for good; nothing of it is or can be on chain.',
    remedy: 'See `details.refusal`; the same request may be sent again.',
    retry: 'same',
  },
  DEPLOYMENT_EXPIRED: {
    kind: 'unavailable',
    meaning: 'The deployment expired before it was included; nothing of it is or can be on chain.',
    remedy: 'Send the same request again: the idle balance is read again then.',
    retry: 'same',
  },
  DEPLOYMENT_UNDECIDED: {
    kind: 'timeout',
    meaning: 'The deployment was accepted, but whether it succeeds is not known yet.',
    remedy:
      'Send the same request again: it gets the result of this deployment and starts no other before that is known.',
    retry: 'same',
    tellsWhen: true,
  },
  LEVERAGE_TARGET_INVALID: {
    kind: 'invalid',
    meaning: 'The target of leverage is not between 1 and 5.',
    remedy: 'Send a target from 1, which is no debt, to 5, or null to leave the vault as it is.',
    retry: 'never',
  },
  LEVERAGE_UNREACHABLE: {
    kind: 'unprocessable',
    meaning: 'The limits of the vault and its lending pool do not reach the target.',
    remedy: 'Send a target of at most `details.limit`.',
    retry: 'never',
  },
} as const satisfies ErrorEntries;

/** Errors of automatic tasks, and of plans that are computed from a task's last result. */
export const KEEPER_ERRORS = {
  NODE_BEHIND: {
    kind: 'unavailable',
    meaning:
      'The Starknet node’s newest block is older than the one that the plan has to be made from.',
    remedy: 'Send the same request again, later; nothing was sent.',
    retry: 'same',
  },
  TASK_NOT_FOUND: {
    kind: 'not_found',
    meaning:
      'The keeper has no task of that name, or the task has not checked such a subject within the last day.',
    remedy: 'Use a task and a subject that `GET /api/operator/status` names.',
    retry: 'never',
  },
} as const satisfies ErrorEntries;

/** Errors of the operator’s routes. */
export const OPERATOR_ERRORS = {
  LANE_NOT_FOUND: {
    kind: 'not_found',
    meaning: 'This service follows no account with this address, or its ledger has not met it yet.',
    remedy: 'Use an address that `GET /api/operator/status` names.',
    retry: 'never',
  },
  SUBMISSION_ENDED: {
    kind: 'conflict',
    meaning: 'The submission has ended already, so nothing can be done for it or against it.',
    remedy: 'Read its outcome; `details.state` names it.',
    retry: 'never',
    details: { state: 'text' },
  },
  SUBMISSION_SIGNED: {
    kind: 'conflict',
    meaning: 'Something was signed for the submission, so it may land and cannot be cancelled.',
    remedy: 'Follow it to its end, or request a retry.',
    retry: 'never',
  },
  TOO_MANY_STREAMS: {
    kind: 'rate_limited',
    meaning: 'As many streams of events are open as this instance serves.',
    remedy: 'Close one, or try again after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
  },
} as const satisfies ErrorEntries;

/** Errors of cross-chain transfers. */
export const BRIDGE_ERRORS = {
  BRIDGE_DISABLED: {
    kind: 'unavailable',
    meaning: 'This service bridges nothing: it knows no bridge protocol.',
    remedy: 'Use another service, or configure this one with BRIDGE_URL.',
    retry: 'never',
  },
  CHAIN_NOT_SUPPORTED: {
    kind: 'unprocessable',
    meaning: 'Transfers from or to that chain are not offered.',
    remedy:
      'Use the lower-case name of a chain that `details.chains` lists; `details.end` is the end that is wrong.',
    retry: 'never',
  },
  TOKEN_NOT_SUPPORTED: {
    kind: 'unprocessable',
    meaning: 'That token is not transferred from or to this chain.',
    remedy:
      'Use a token that the routes list for the chain; `details.end` is the end that is wrong.',
    retry: 'never',
  },
  ROUTE_NOT_SUPPORTED: {
    kind: 'unprocessable',
    meaning:
      'Transfers go from a listed token to STRK on Starknet, or from STRK on Starknet to a listed token.',
    remedy: 'Pick one of the listed routes.',
    retry: 'never',
  },
  AMOUNT_INVALID: {
    kind: 'invalid',
    meaning: 'The amount is not a positive whole number of the source token’s smallest unit.',
    remedy: 'Send the amount as decimal digits: one token is 10^decimals units.',
    retry: 'never',
  },
  BRIDGE_RECIPIENT_INVALID: {
    kind: 'invalid',
    meaning: 'The recipient is no address of the destination chain.',
    remedy: 'Send an address of the destination chain; mixed-case hex must have a valid checksum.',
    retry: 'never',
  },
  BRIDGE_RECIPIENT_UNSPENDABLE: {
    kind: 'invalid',
    meaning:
      'A payment to the recipient cannot be spent: it is zero, a contract of the service or of a token, or a value below 2^160, such as an Ethereum address.',
    remedy: 'Send the address of your Starknet account; `details.reason` is the cause.',
    retry: 'never',
  },
  REFUND_ADDRESS_INVALID: {
    kind: 'invalid',
    meaning: 'There is no usable address of the source chain for a refund.',
    remedy:
      'Send an address of the source chain that you own; it receives the funds if the transfer fails.',
    retry: 'never',
  },
  NO_BRIDGE_ROUTE: {
    kind: 'unprocessable',
    meaning: 'No solver carries this transfer at present.',
    remedy:
      'Try another amount or token, or try again later: routes depend on the solvers’ liquidity.',
    retry: 'later',
  },
  AMOUNT_TOO_LOW: {
    kind: 'unprocessable',
    meaning: 'The amount is below the minimum of the bridge on this route.',
    remedy:
      'Send at least `details.minimum` of the source token’s smallest unit, if it is present; otherwise more.',
    retry: 'never',
  },
  BRIDGE_QUOTE_UNUSABLE: {
    kind: 'upstream_failed',
    meaning: 'The bridge returned a quote that is not safe to fund.',
    remedy: 'Try again later; `details.reason` names the problem of the quote.',
    retry: 'same',
  },
  TRANSFER_NOT_FOUND: {
    kind: 'not_found',
    meaning: 'No transfer of this transaction id is known.',
    remedy: 'Use the transaction id of a quote that was not a dry run.',
    retry: 'never',
  },
} as const satisfies ErrorEntries;
