import { catalogued } from '@sotto/kernel';

/** The request carries no token that opens the route. */
export class CuratorUnauthorized extends catalogued({
  code: 'CURATOR_UNAUTHORIZED',
  kind: 'unauthorized',
  meaning: 'The request carries no token that may do this.',
  remedy:
    'Send `Authorization: Bearer` and a token that the operator of this service has given you.',
}) {}

/** This instance has no token that anybody could send. */
export class CuratorDisabled extends catalogued({
  code: 'CURATOR_DISABLED',
  kind: 'unavailable',
  meaning: 'This service deploys no idle funds of vaults: it has no token to let anybody in with.',
  remedy: 'Use another service, or configure this one with CURATOR_ACCOUNT and CURATOR_API_TOKENS.',
}) {}

/** The request carries no token of the operator. */
export class OperatorUnauthorized extends catalogued({
  code: 'OPERATOR_UNAUTHORIZED',
  kind: 'unauthorized',
  meaning: 'The request carries no token that may do this.',
  remedy: 'Send `Authorization: Bearer` and one of the tokens in OPERATOR_API_TOKENS.',
}) {}

/** This instance has no token of the operator that anybody could send. */
export class OperatorDisabled extends catalogued({
  code: 'OPERATOR_DISABLED',
  kind: 'unavailable',
  meaning: 'This service has no routes for its operator: it has no token to let anybody in with.',
  remedy: 'Configure OPERATOR_API_TOKENS.',
}) {}

/**
 * The wait was over before the deployment was on chain; `details.submissionId`, and
 * `details.transactionHash` once it is signed.
 */
export class DeploymentUndecided extends catalogued({
  code: 'DEPLOYMENT_UNDECIDED',
  kind: 'timeout',
  meaning: 'The deployment was accepted, but whether it succeeds is not known yet.',
  remedy:
    'Send the same request again: it gets this deployment’s answer and starts no other before that is known.',
}) {}

/** This instance has no bridge protocol to ask. */
export class BridgeDisabled extends catalogued({
  code: 'BRIDGE_DISABLED',
  kind: 'unavailable',
  meaning: 'This service bridges nothing: it knows no bridge protocol.',
  remedy: 'Use another service, or configure this one with BRIDGE_URL.',
}) {}
