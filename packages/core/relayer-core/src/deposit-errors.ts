import { domainError } from '@sotto/kernel';

/** The consent has expired. No transaction was sent. The depositor signs again. */
export class DepositExpired extends domainError('DEPOSIT_EXPIRED') {}

/** The consent would be valid for more than an hour. The depositor signs again. */
export class DepositExpiryTooFar extends domainError('DEPOSIT_EXPIRY_TOO_FAR') {}

/**
 * The pool already has a leaf with this commitment; a second one could never be spent. No
 * transaction was sent. The caller makes another note.
 */
export class DepositExists extends domainError('DEPOSIT_EXISTS') {}

/**
 * A deposit by another depositor with this commitment is in flight. The caller waits, or makes
 * another note.
 */
export class DepositInProgress extends domainError('DEPOSIT_IN_PROGRESS') {}

/**
 * The few remaining leaves of the pool are reserved (`details.leavesLeft`). The caller picks
 * another pool.
 */
export class PoolNearlyFull extends domainError('POOL_NEARLY_FULL') {}

/**
 * No account is deployed at the address, so nothing can verify the signature. The depositor deploys
 * it.
 */
export class DepositorNotDeployed extends domainError('DEPOSITOR_NOT_DEPLOYED') {}

/**
 * The account's balance is below `details.required`, in the token's smallest unit. This is the
 * denomination plus that of the depositor's deposits in flight.
 */
export class DepositBalanceTooLow extends domainError('DEPOSIT_BALANCE_TOO_LOW') {}

/**
 * The allowance for the pool is below `details.required`, in the token's smallest unit. The
 * depositor approves more.
 */
export class DepositAllowanceTooLow extends domainError('DEPOSIT_ALLOWANCE_TOO_LOW') {}

/** The account's own code rejects the signature over this deposit. The depositor signs again. */
export class DepositSignatureInvalid extends domainError('DEPOSIT_SIGNATURE_INVALID') {}

/**
 * The account did not verify the signature in time, or its class has just changed. No transaction
 * was sent. The caller retries.
 */
export class DepositSignatureUnchecked extends domainError('DEPOSIT_SIGNATURE_UNCHECKED') {}

/**
 * The account missed the deadline of a check recently and is not called before `Retry-After`. This
 * is one minute after the first time, and doubles each further time. No transaction was sent. The
 * caller waits.
 */
export class DepositorTooSlow extends domainError('DEPOSITOR_TOO_SLOW') {}

/**
 * The hourly maximum of deposits is reached for `details.scope`: `depositor`, `network` or `pool`.
 * The scopes `depositor` and `network` can also mean that earlier deposits have used up their share
 * of the loss budget. The scope `caller` means that too many consents of this caller have failed.
 * The caller waits.
 */
export class DepositsRationed extends domainError('DEPOSITS_RATIONED') {}

/**
 * One more leaf would make the pool drop the root of a withdrawal in flight. No transaction was
 * sent; the caller retries soon. The code also appears on accepted attempts that wait
 * (`details.scope`): on a deposit that waits for other deposits of its depositor, and on a
 * withdrawal that waits for deposits in flight.
 */
export class DepositQueued extends domainError('DEPOSIT_QUEUED') {}
