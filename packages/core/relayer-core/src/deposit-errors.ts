import { catalogued, type ErrorEntry } from '@sotto/kernel';

/** The consent is over. Nothing was sent. The depositor signs again. */
export class DepositExpired extends catalogued({
  code: 'DEPOSIT_EXPIRED',
  kind: 'unprocessable',
  meaning: 'The depositor’s consent has expired.',
  remedy: 'Sign again with an `expiresAt` that is at most an hour ahead; nothing was taken.',
}) {}

/** The consent would hold for longer than an hour. The depositor signs again. */
export class DepositExpiryTooFar extends catalogued({
  code: 'DEPOSIT_EXPIRY_TOO_FAR',
  kind: 'unprocessable',
  meaning: 'The depositor’s consent holds for longer than an hour.',
  remedy: 'Sign again with an `expiresAt` that is at most an hour ahead.',
}) {}

/**
 * The pool has a leaf with this commitment: another would be lost to its owner. Nothing was sent.
 * The caller makes another note.
 */
export class DepositExists extends catalogued({
  code: 'DEPOSIT_EXISTS',
  kind: 'conflict',
  meaning: 'The pool has a deposit with this commitment already.',
  remedy: 'Nothing, if it is yours; else make a new note and sign for its commitment.',
}) {}

/**
 * Another depositor pays for a note of this commitment, and that is on its way. The caller waits,
 * or makes another note.
 */
export class DepositInProgress extends catalogued({
  code: 'DEPOSIT_IN_PROGRESS',
  kind: 'conflict',
  meaning: 'A deposit of another depositor for the same commitment is on its way.',
  remedy: 'Make a new note and sign for its commitment.',
}) {}

/**
 * So few leaves are left that the rest is kept (`details.leavesLeft`). The caller picks another
 * pool.
 */
export class PoolNearlyFull extends catalogued({
  code: 'POOL_NEARLY_FULL',
  kind: 'unprocessable',
  meaning: 'The pool’s tree is nearly full, and this relayer fills no more of it.',
  remedy: 'Deposit into another pool; notes in this one can be withdrawn as before.',
}) {}

/** There is no account at the address, so no account can have signed. The depositor deploys it. */
export class DepositorNotDeployed extends catalogued({
  code: 'DEPOSITOR_NOT_DEPLOYED',
  kind: 'unprocessable',
  meaning: 'No account is deployed at the depositor’s address, so its consent can’t be checked.',
  remedy:
    'Deploy the account, for example with its first transaction, then send the same request again.',
}) {}

/**
 * Less than `details.required` lies on the account, in the token's smallest unit: the denomination,
 * and that of its deposits on their way.
 */
export class DepositBalanceTooLow extends catalogued({
  code: 'DEPOSIT_BALANCE_TOO_LOW',
  kind: 'unprocessable',
  meaning:
    'The depositor’s balance does not cover this deposit and those of it that are on their way.',
  remedy: 'See `details.required`; send the same request again once the balance is there.',
}) {}

/**
 * The pool may take less than `details.required`, in the token's smallest unit. The depositor
 * approves.
 */
export class DepositAllowanceTooLow extends catalogued({
  code: 'DEPOSIT_ALLOWANCE_TOO_LOW',
  kind: 'unprocessable',
  meaning:
    'The depositor’s allowance for the pool does not cover this deposit and those of it that are on their way.',
  remedy: 'Approve the pool for `details.required`, then send the same request again.',
}) {}

/**
 * The account's own code says that this is not its signature over this deposit. The depositor signs
 * again.
 */
export class DepositSignatureInvalid extends catalogued({
  code: 'DEPOSIT_SIGNATURE_INVALID',
  kind: 'unprocessable',
  meaning: 'The signature is not the depositor’s over this deposit.',
  remedy:
    'Sign the typed data of this pool, token, denomination, commitment and `expiresAt` with the depositor’s account.',
}) {}

/**
 * The account did not say in time whether the signature is its own. Nothing was sent. The caller
 * tries again.
 */
export class DepositSignatureUnchecked extends catalogued({
  code: 'DEPOSIT_SIGNATURE_UNCHECKED',
  kind: 'timeout',
  meaning: 'The depositor’s account did not say in time whether the signature is its own.',
  remedy: 'Send the same request again.',
}) {}

/**
 * As many deposits as may within an hour have begun: of the `details.scope` `depositor`, `network`
 * or `pool`. The caller waits.
 */
export class DepositsRationed extends catalogued({
  code: 'DEPOSITS_RATIONED',
  kind: 'rate_limited',
  meaning: 'As many deposits as may begin within an hour have begun.',
  remedy:
    'Send the same request again after `Retry-After`, or use another pool where `details.scope` is `pool`.',
}) {}

/**
 * One leaf more would make the pool forget the root of a withdrawal that is on its way. Nothing was
 * sent; the caller tries again soon. What was accepted waits with this code: a deposit as well for
 * the depositor's others, a withdrawal for deposits that are out (`details.scope`).
 */
export class DepositQueued extends catalogued({
  code: 'DEPOSIT_QUEUED',
  kind: 'unavailable',
  meaning:
    'The deposit has to wait for a withdrawal that is on its way, whose root it would push out of the pool.',
  remedy: 'Send the same request again after `Retry-After`.',
}) {}

/** Every error of deposits alone. */
export const depositErrors: readonly ErrorEntry[] = [
  DepositExpired,
  DepositExpiryTooFar,
  DepositExists,
  DepositInProgress,
  PoolNearlyFull,
  DepositorNotDeployed,
  DepositBalanceTooLow,
  DepositAllowanceTooLow,
  DepositSignatureInvalid,
  DepositSignatureUnchecked,
  DepositsRationed,
  DepositQueued,
];
