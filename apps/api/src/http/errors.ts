import { domainError } from '@sotto/kernel';

/** The request contains no valid curator token. */
export class CuratorUnauthorized extends domainError('CURATOR_UNAUTHORIZED') {}

/** No curator token is configured. */
export class CuratorDisabled extends domainError('CURATOR_DISABLED') {}

/** The request contains no valid operator token. */
export class OperatorUnauthorized extends domainError('OPERATOR_UNAUTHORIZED') {}

/** No operator token is configured. */
export class OperatorDisabled extends domainError('OPERATOR_DISABLED') {}

/**
 * The wait ended before the deployment was on chain. `details.submissionId` is always set.
 * `details.transactionHash` is set if the transaction is already signed.
 */
export class DeploymentUndecided extends domainError('DEPLOYMENT_UNDECIDED') {}
