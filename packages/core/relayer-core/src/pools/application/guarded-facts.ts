import type { Felt, Felts } from '@sotto/kernel';
import type { CallTarget } from '@sotto/submission-core';
import { DEPOSIT_ENTRYPOINT, readDepositCalldata } from '../domain/deposit.js';
import { readWithdrawalCall } from '../domain/recipient-gas.js';
import { WITHDRAW_ENTRYPOINT } from '../domain/withdrawal.js';

/**
 * Facts that a guard contract compares with the chain before a call (docs/adr/0047). All of these
 * facts are in the call. So the guard call can be derived from a stored call at any time.
 */
export type GuardedFacts =
  | {
      readonly kind: 'withdrawal';
      readonly pool: Felt;
      readonly root: bigint;
      readonly nullifierHash: bigint;
    }
  | { readonly kind: 'deposit'; readonly pool: Felt; readonly depositor: Felt };

/** Returns the guarded facts of a withdrawal or deposit; null for any other call. */
export function guardedFacts(
  { to: pool, entrypoint }: CallTarget,
  calldata: Felts,
): GuardedFacts | null {
  if (entrypoint === DEPOSIT_ENTRYPOINT) {
    const deposit = readDepositCalldata(calldata);
    return deposit === null ? null : { kind: 'deposit', pool, depositor: deposit.depositor };
  }
  if (entrypoint !== WITHDRAW_ENTRYPOINT) return null;
  const withdrawal = readWithdrawalCall(calldata);
  if (withdrawal === null) return null;
  const { root, nullifierHash } = withdrawal.statement;
  return { kind: 'withdrawal', pool, root, nullifierHash };
}
