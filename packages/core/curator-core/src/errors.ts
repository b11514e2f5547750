import { domainError } from '@sotto/kernel';

/**
 * The profile has no vault of this name; nothing was read. The caller uses one of the listed names.
 */
export class VaultNotFound extends domainError('VAULT_NOT_FOUND') {}

/**
 * The deployment is on chain and reverted; `details.transactionHash` and `details.reason` (the
 * contract's message without the numbers of the call). The funds remain idle. The caller acts on
 * the reason.
 */
export class DeploymentReverted extends domainError('DEPLOYMENT_REVERTED') {}

/**
 * The node permanently rejected the transaction; `details.refusal` is its code. The deployment is
 * not on chain. The caller retries.
 */
export class DeploymentRefused extends domainError('DEPLOYMENT_REFUSED') {}

/**
 * The deployment was not included in time and can no longer be; `details.refusal` is the code:
 * `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` if no account of the curator could sign for the call
 * while it waited. The caller retries.
 */
export class DeploymentExpired extends domainError('DEPLOYMENT_EXPIRED') {}

/** The target is not within 1× and 5×; nothing was changed. */
export class LeverageTargetInvalid extends domainError('LEVERAGE_TARGET_INVALID') {}

/**
 * The target exceeds the vault's limits; `details.limit` is the highest possible leverage, e.g.
 * 2.995. No target was changed.
 */
export class LeverageUnreachable extends domainError('LEVERAGE_UNREACHABLE') {}
