import { domainError } from '@sotto/kernel';

/**
 * The profile has no vault of this name; nothing was read from it. The caller uses one of the
 * names.
 */
export class VaultNotFound extends domainError('VAULT_NOT_FOUND') {}

/**
 * The deployment is on chain and failed; `details.transactionHash` and `details.reason` (the
 * contract's words without the numbers of the call). The funds are idle as before. The caller acts
 * on the reason.
 */
export class DeploymentReverted extends domainError('DEPLOYMENT_REVERTED') {}

/**
 * The node refused the transaction for good; `details.refusal` is its code. Nothing is on chain.
 * The caller tries again.
 */
export class DeploymentRefused extends domainError('DEPLOYMENT_REFUSED') {}

/**
 * It did not get on chain in time and can't any more; `details.refusal` is the code:
 * `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` where no account of the curator could sign for the call
 * while it waited. The caller tries again.
 */
export class DeploymentExpired extends domainError('DEPLOYMENT_EXPIRED') {}

/** The target is not within 1× and 5×; nothing was changed. */
export class LeverageTargetInvalid extends domainError('LEVERAGE_TARGET_INVALID') {}

/**
 * The vault's limits do not reach the target; `details.limit` is what they reach, in times. Nothing
 * was changed.
 */
export class LeverageUnreachable extends domainError('LEVERAGE_UNREACHABLE') {}
