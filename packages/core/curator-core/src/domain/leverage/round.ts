import type { Felt } from '@sotto/kernel';
import type { Attempt, CallPurpose } from '@sotto/submission-core';
import type { LeverageCall } from './layout.js';

/** Series of a vault's rounds in the ledger: `chain|leverage|vault`. */
export function leverageSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|leverage|${vault}`;
}

/** Kind of a round in the ledger. */
export const LEVERAGE_ROUND = 'leverage_round';

/** Purpose of a round. The amount is stored in the row because calldata is redacted. */
export function roundPurpose(
  vault: Felt,
  call: Pick<LeverageCall, 'direction' | 'amount'>,
): CallPurpose {
  return { kind: LEVERAGE_ROUND, subject: vault, memo: memoOf(call) };
}

/** Returns true for a round that withdraws nothing and repays from the vault's own balance. */
export function isRepaymentOnly(attempt: Pick<Attempt, 'memo'> | null): boolean {
  return attempt?.memo === memoOf({ direction: 'down', amount: 0n });
}

function memoOf({ direction, amount }: Pick<LeverageCall, 'direction' | 'amount'>): string {
  return `${direction} ${amount}`;
}

/**
 * Fingerprint of a requested round: equal for the same call planned at the same block. A round that
 * was read back from the chain has no block, so it never equals a request.
 */
export function roundFingerprint(
  { direction, expectedDebt, amount, minimumOut }: Omit<LeverageCall, 'routes'>,
  blockNumber: number | null,
): string {
  return ['leverage', direction, expectedDebt, amount, minimumOut, blockNumber ?? 'unknown'].join(
    '|',
  );
}
