import { domainError } from '@sotto/kernel';

/**
 * Error for a request with a part above its limit. `details.field` is the part, `details.maximum`
 * its limit. The caller splits the actions.
 */
export class PrivateActionsTooLarge extends domainError('PRIVATE_ACTIONS_TOO_LARGE') {}

/** Error for a call of another version than the pool's class, which is `details.version`. */
export class PoolVersionMismatch extends domainError('POOL_VERSION_MISMATCH') {}

/** Error for a pool that its owner has paused. The caller tries again later. */
export class PrivacyPoolPaused extends domainError('PRIVACY_POOL_PAUSED') {}

/**
 * Error for a pool that charges more than the relayer pays. `details.fee` is the pool's fee and
 * `details.maximum` the limit, both in fri.
 */
export class PoolFeeTooHigh extends domainError('POOL_FEE_TOO_HIGH') {}

/** Error for a request without a proof on a network that requires proofs. */
export class ProofMissing extends domainError('PROOF_MISSING') {}

/**
 * Error for actions that the pool has applied already, or that spend notes which other actions have
 * spent. `details.transactionHash` is the transaction of this service that applied them, if known.
 */
export class PrivateActionsApplied extends domainError('PRIVATE_ACTIONS_APPLIED') {}

/** Error for actions that spend notes which other actions in flight spend. */
export class PrivateActionsInProgress extends domainError('PRIVATE_ACTIONS_IN_PROGRESS') {}

/** Error for actions that pay no served token to the fee address `details.recipient`. */
export class PrivateActionFeeMissing extends domainError('PRIVATE_ACTION_FEE_MISSING') {}

/** Error for a fee in a token that is not served. */
export class FeeTokenNotServed extends domainError('FEE_TOKEN_NOT_SERVED') {}

/** Error for actions that invoke the contract `details.contract`, which is not allowed. */
export class InvokedContractNotAllowed extends domainError('INVOKED_CONTRACT_NOT_ALLOWED') {}

/** Error for actions that deposit tokens of this relayer's account `details.depositor`. */
export class DepositorNotAllowed extends domainError('DEPOSITOR_NOT_ALLOWED') {}

/** Error for a sponsored request whose key is missing or unknown. */
export class SponsorUnknown extends domainError('SPONSOR_UNKNOWN') {}

/** Error for a sponsored request if the budget of the sponsor's day is used up. */
export class SponsorBudgetExhausted extends domainError('SPONSOR_BUDGET_EXHAUSTED') {}
