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
