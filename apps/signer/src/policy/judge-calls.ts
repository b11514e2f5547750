import { readWithdrawalCall, WITHDRAW_ENTRYPOINT } from '@sotto/relayer-core';
import type { ExecutedCall } from '../execute-calldata.js';
import { Refused } from '../refusal.js';
import { judgeCall, type ListedCall } from './judge.js';
import {
  judgeCallsBeforeActions,
  type CallsBeforeActions,
  type PrivateActionTerms,
} from './judge-private-actions.js';
import { selectorOf, type AccountPolicy, type Policy } from './policy.js';

const WITHDRAW = selectorOf(WITHDRAW_ENTRYPOINT);
const TRANSFER = selectorOf('transfer');
/** Call of the guard contract, which the service may send before a withdrawal. */
const ASSERT_VIEWS = selectorOf('assert_views');
const TRANSFER_FELTS = 3;

/** Calls of a transaction that the policy permits. */
export interface PermittedCalls extends CallsBeforeActions {
  /** Calls that a rule of the account lists. */
  readonly listed: readonly ListedCall[];
  /** STRK that the transaction gives to the recipient of its withdrawal, in fri; 0 for none. */
  readonly recipientGasFri: bigint;
}

const NONE = { recipientGasFri: 0n, poolFeeFri: 0n, hasOutsideExecution: false };

/**
 * Checks the calls of a transaction. Each call must be listed, with two exceptions:
 *
 * - After the listed `withdraw` of a pool, the last call may transfer STRK to the recipient in the
 *   proof of this withdrawal. Such a transaction has no other call, except the guard's before the
 *   withdrawal.
 * - Before the listed `apply_actions` of the privacy pool, an outside execution of a user's account
 *   and an approval of the pool's fee are permitted.
 *
 * @throws Refused
 */
export function judgeCalls(
  calls: readonly ExecutedCall[],
  account: AccountPolicy,
  policy: PrivateActionTerms & Pick<Policy, 'recipientGas'>,
): PermittedCalls {
  const before = judgeCallsBeforeActions(calls, policy);
  if (before !== null) {
    const listed = calls.slice(-1).map((call) => judgeCall(call, account));
    return { ...NONE, ...before, listed };
  }
  const { recipientGas } = policy;
  const transfer = calls.at(-1);
  const isListed = (call: ExecutedCall): boolean =>
    account.calls.some((rule) => rule.contract === call.to && rule.selector === call.selector);
  if (
    recipientGas === undefined ||
    transfer === undefined ||
    transfer.to !== recipientGas.token ||
    transfer.selector !== TRANSFER ||
    isListed(transfer)
  )
    return { ...NONE, listed: calls.map((call) => judgeCall(call, account)) };
  const [withdrawal, guard, ...others] = calls.slice(0, -1).toReversed();
  if (
    withdrawal?.selector !== WITHDRAW ||
    (guard !== undefined && guard.selector !== ASSERT_VIEWS) ||
    others.length > 0
  )
    throw new Refused('SIGNER_REFUSED_CALL');
  const listed = calls.slice(0, -1).map((call) => judgeCall(call, account));
  return { ...NONE, listed, recipientGasFri: amountOf(transfer, withdrawal, recipientGas.most) };
}

function amountOf({ calldata }: ExecutedCall, withdrawal: ExecutedCall, most: bigint): bigint {
  const read = readWithdrawalCall(withdrawal.calldata);
  const isToRecipient =
    calldata.length === TRANSFER_FELTS &&
    read !== null &&
    read.recipientGas === null &&
    calldata.feltAt(0) === read.statement.recipient &&
    calldata.at(1) > 0n;
  if (!isToRecipient) throw new Refused('SIGNER_REFUSED_ARGUMENT');
  if (calldata.at(2) !== 0n || calldata.at(1) > most) throw new Refused('SIGNER_REFUSED_AMOUNT');
  return calldata.at(1);
}
