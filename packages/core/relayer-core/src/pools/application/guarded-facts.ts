import { readProofCalldata } from '@sotto/groth16/layout';
import { tryCatch, type Felt, type Felts } from '@sotto/kernel';
import type { CallTarget } from '@sotto/submission-core';
import { DEPOSIT_ENTRYPOINT, readDepositCalldata } from '../domain/deposit.js';
import { WITHDRAW_ENTRYPOINT, readStatement } from '../domain/withdrawal.js';

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
  const statement = tryCatch(() => readStatement(readProofCalldata(calldata).proof.publicInputs));
  if (!statement.known) return null;
  const { root, nullifierHash } = statement.value;
  return { kind: 'withdrawal', pool, root, nullifierHash };
}
