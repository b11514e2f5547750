import { domainError } from '@sotto/kernel';

/**
 * Error for a vault name that the profile does not contain; nothing was read. The caller uses one
 * of the listed names.
 */
export class VaultNotFound extends domainError('VAULT_NOT_FOUND') {}

/**
 * Error for a deployment that is on chain and reverted. `details.transactionHash` is the hash of
 * its transaction, and `details.reason` is the contract's message, without the numbers of the call.
 * The funds remain idle. The caller acts on the reason.
 */
export class DeploymentReverted extends domainError('DEPLOYMENT_REVERTED') {}

/**
 * Error for a deployment whose transaction the node permanently rejected; `details.refusal` is the
 * node's code. The deployment is not on chain. The caller retries.
 */
export class DeploymentRefused extends domainError('DEPLOYMENT_REFUSED') {}

/**
 * Error for a deployment that was not included in time and can no longer be included.
 * `details.refusal` is the code: `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` if no account of the
 * curator could sign for the call while it waited. The caller retries.
 */
export class DeploymentExpired extends domainError('DEPLOYMENT_EXPIRED') {}

/** Error for a target below 1× or above 5×; nothing was changed. */
export class LeverageTargetInvalid extends domainError('LEVERAGE_TARGET_INVALID') {}

/**
 * Error for a target beyond the vault's limits; `details.limit` is the highest possible leverage,
 * e.g. 2.995. The stored target is unchanged.
 */
export class LeverageUnreachable extends domainError('LEVERAGE_UNREACHABLE') {}
