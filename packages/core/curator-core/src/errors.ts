import { catalogued, type ErrorEntry } from '@sotto/kernel';

/**
 * The profile has no vault of this name; nothing was read from it. The caller uses one of the
 * names.
 */
export class VaultNotFound extends catalogued({
  code: 'VAULT_NOT_FOUND',
  kind: 'not_found',
  meaning: 'There is no vault of that name.',
  remedy:
    'Use one of sentinel, citadel, trident, delta_neutral, turbo and apex, if this network has it.',
}) {}

/**
 * The deployment is on chain and failed; `details.transactionHash` and `details.reason` (the
 * contract's words without the numbers of the call). The funds are idle as before. The caller acts
 * on the reason.
 */
export class DeploymentReverted extends catalogued({
  code: 'DEPLOYMENT_REVERTED',
  kind: 'upstream_failed',
  meaning: 'The vault reverted the deployment, so its funds are still idle.',
  remedy:
    'See `details.reason`; once its cause is gone and its block is final, the same request tries again.',
}) {}

/**
 * The node refused the transaction for good; `details.refusal` is its code. Nothing is on chain.
 * The caller tries again.
 */
export class DeploymentRefused extends catalogued({
  code: 'DEPLOYMENT_REFUSED',
  kind: 'upstream_failed',
  meaning: 'The deployment was refused for good; nothing of it is or can be on chain.',
  remedy: 'See `details.refusal`; the same request may be sent again.',
}) {}

/**
 * It did not get on chain in time and can't any more; `details.refusal` is the code:
 * `NOT_SENT_IN_TIME`, or `NO_USABLE_LANE` where no account of the curator could sign for the call
 * while it waited. The caller tries again.
 */
export class DeploymentExpired extends catalogued({
  code: 'DEPLOYMENT_EXPIRED',
  kind: 'unavailable',
  meaning: 'The deployment was given up in time; nothing of it is or can be on chain.',
  remedy: 'Send the same request again: the idle balance is read again then.',
}) {}

/**
 * Every error that the use case of this package throws of its own; those of ports (node, store)
 * come with their adapters.
 */
export const curatorErrors: readonly ErrorEntry[] = [
  VaultNotFound,
  DeploymentReverted,
  DeploymentRefused,
  DeploymentExpired,
].map(({ code, kind, meaning, remedy }) => ({ code, kind, meaning, remedy }));
