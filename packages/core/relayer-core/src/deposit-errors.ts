import { domainError } from '@sotto/kernel';

/** The consent is over. Nothing was sent. The depositor signs again. */
export class DepositExpired extends domainError('DEPOSIT_EXPIRED') {}

/** The consent would hold for longer than an hour. The depositor signs again. */
export class DepositExpiryTooFar extends domainError('DEPOSIT_EXPIRY_TOO_FAR') {}

/**
 * The pool has a leaf with this commitment: another would be lost to its owner. Nothing was sent.
 * The caller makes another note.
 */
export class DepositExists extends domainError('DEPOSIT_EXISTS') {}

/**
 * Another depositor pays for a note of this commitment, and that is on its way. The caller waits,
 * or makes another note.
 */
export class DepositInProgress extends domainError('DEPOSIT_IN_PROGRESS') {}

/**
 * So few leaves are left that the rest is kept (`details.leavesLeft`). The caller picks another
 * pool.
 */
export class PoolNearlyFull extends domainError('POOL_NEARLY_FULL') {}

/** There is no account at the address, so no account can have signed. The depositor deploys it. */
export class DepositorNotDeployed extends domainError('DEPOSITOR_NOT_DEPLOYED') {}

/**
 * Less than `details.required` lies on the account, in the token's smallest unit: the denomination,
 * and that of its deposits on their way.
 */
export class DepositBalanceTooLow extends domainError('DEPOSIT_BALANCE_TOO_LOW') {}

/**
 * The pool may take less than `details.required`, in the token's smallest unit. The depositor
 * approves.
 */
export class DepositAllowanceTooLow extends domainError('DEPOSIT_ALLOWANCE_TOO_LOW') {}

/**
 * The account's own code says that this is not its signature over this deposit. The depositor signs
 * again.
 */
export class DepositSignatureInvalid extends domainError('DEPOSIT_SIGNATURE_INVALID') {}

/**
 * The account did not say in time whether the signature is its own, or has just been given other
 * code. Nothing was sent. The caller tries again.
 */
export class DepositSignatureUnchecked extends domainError('DEPOSIT_SIGNATURE_UNCHECKED') {}

/**
 * The account missed the deadline of a check recently, and is not called before `Retry-After`: one
 * minute after the first time, twice as long after each further one. Nothing was sent. The caller
 * waits.
 */
export class DepositorTooSlow extends domainError('DEPOSITOR_TOO_SLOW') {}

/**
 * As many deposits as may within an hour have begun: of the `details.scope` `depositor`, `network`
 * or `pool`. Those of a depositor or network have cost their share of the loss budget, or, with
 * `caller`, as many consents of the caller as may have failed. The caller waits.
 */
export class DepositsRationed extends domainError('DEPOSITS_RATIONED') {}

/**
 * One leaf more would make the pool forget the root of a withdrawal that is on its way. Nothing was
 * sent; the caller tries again soon. What was accepted waits with this code: a deposit as well for
 * the depositor's others, a withdrawal for deposits that are out (`details.scope`).
 */
export class DepositQueued extends domainError('DEPOSIT_QUEUED') {}
