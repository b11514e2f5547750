import { domainError } from '@sotto/kernel';

/**
 * Error for a deposit whose consent has expired. No transaction was sent. The depositor signs
 * again.
 */
export class DepositExpired extends domainError('DEPOSIT_EXPIRED') {}

/** Error for a consent that would be valid for more than an hour. The depositor signs again. */
export class DepositExpiryTooFar extends domainError('DEPOSIT_EXPIRY_TOO_FAR') {}

/**
 * Error for a commitment that the pool already has as a leaf. A second leaf could never be spent.
 * No transaction was sent. The caller creates another note.
 */
export class DepositExists extends domainError('DEPOSIT_EXISTS') {}

/**
 * Error for a commitment for which another depositor has a deposit in flight. The caller waits, or
 * creates another note.
 */
export class DepositInProgress extends domainError('DEPOSIT_IN_PROGRESS') {}

/**
 * Error for a nearly full pool: all remaining leaves (`details.leavesLeft`) are reserved for other
 * deposits in flight. The caller chooses another pool.
 */
export class PoolNearlyFull extends domainError('POOL_NEARLY_FULL') {}

/**
 * Error for a depositor address at which no account is deployed. So no code can verify the
 * signature. The depositor deploys the account.
 */
export class DepositorNotDeployed extends domainError('DEPOSITOR_NOT_DEPLOYED') {}

/**
 * Error for an account whose balance is below `details.required`, in the token's smallest unit. The
 * required amount is the denomination plus the denominations of the depositor's deposits in flight.
 */
export class DepositBalanceTooLow extends domainError('DEPOSIT_BALANCE_TOO_LOW') {}

/**
 * Error for an allowance for the pool below `details.required`, in the token's smallest unit. The
 * depositor approves a larger amount.
 */
export class DepositAllowanceTooLow extends domainError('DEPOSIT_ALLOWANCE_TOO_LOW') {}

/**
 * Error for a signature that the code of the depositor's account rejects for this deposit. The
 * depositor signs again.
 */
export class DepositSignatureInvalid extends domainError('DEPOSIT_SIGNATURE_INVALID') {}

/**
 * Error for a signature that the account did not verify in time, or whose account class has just
 * changed. No transaction was sent. The caller retries.
 */
export class DepositSignatureUnchecked extends domainError('DEPOSIT_SIGNATURE_UNCHECKED') {}

/**
 * Error for a depositor whose account recently missed the deadline of a signature check. The
 * account is not called again before `Retry-After`, which is one minute after the first missed
 * deadline and doubles after each further missed deadline. No transaction was sent. The caller
 * waits.
 */
export class DepositorTooSlow extends domainError('DEPOSITOR_TOO_SLOW') {}

/**
 * Error if the hourly maximum of deposits is reached for `details.scope`: `depositor`, `network` or
 * `pool`. The scopes `depositor` and `network` can also mean that earlier deposits have used up
 * their share of the loss budget. The scope `caller` means that too many signature checks of this
 * caller have failed. The caller waits.
 */
export class DepositsRationed extends domainError('DEPOSITS_RATIONED') {}

/**
 * Error for a deposit whose leaf would make the pool drop the root of a withdrawal in flight. No
 * transaction was sent; the caller retries soon. An accepted attempt can have this code while it
 * waits (`details.scope`): a deposit that waits for other deposits of its depositor, or a
 * withdrawal that waits for deposits in flight.
 */
export class DepositQueued extends domainError('DEPOSIT_QUEUED') {}
