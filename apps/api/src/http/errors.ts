import { domainError } from '@sotto/kernel';

/** The request carries no token that opens the route. */
export class CuratorUnauthorized extends domainError('CURATOR_UNAUTHORIZED') {}

/** This instance has no token that anybody could send. */
export class CuratorDisabled extends domainError('CURATOR_DISABLED') {}

/** The request carries no token of the operator. */
export class OperatorUnauthorized extends domainError('OPERATOR_UNAUTHORIZED') {}

/** This instance has no token of the operator that anybody could send. */
export class OperatorDisabled extends domainError('OPERATOR_DISABLED') {}

/**
 * The wait was over before the deployment was on chain; `details.submissionId`, and
 * `details.transactionHash` once it is signed.
 */
export class DeploymentUndecided extends domainError('DEPLOYMENT_UNDECIDED') {}

/** This instance has no bridge protocol to ask. */
export class BridgeDisabled extends domainError('BRIDGE_DISABLED') {}

/** This instance has no aggregator or no swap pool to swap with. */
export class PrivateSwapDisabled extends domainError('PRIVATE_SWAP_DISABLED') {}

/** This instance does not run the task of the keeper. */
export class TaskDisabled extends domainError('TASK_DISABLED') {}
