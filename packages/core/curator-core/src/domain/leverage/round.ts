import type { Felt } from '@sotto/kernel';
import type { Attempt, CallPurpose } from '@sotto/submission-core';
import type { LeverageCall } from './layout.js';

/** Returns the series of a vault's leverage rounds in the ledger: `chain|leverage|vault`. */
export function leverageSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|leverage|${vault}`;
}

/** Kind of a leverage round in the ledger. */
export const LEVERAGE_ROUND = 'leverage_round';

/**
 * Builds the purpose of a round. The amount is stored in the purpose because calldata is redacted.
 */
export function roundPurpose(
  vault: Felt,
  call: Pick<LeverageCall, 'direction' | 'amount'>,
): CallPurpose {
  return { kind: LEVERAGE_ROUND, subject: vault, memo: memoOf(call) };
}

/**
 * Returns true if the attempt is a round that withdraws nothing and repays from the vault's own
 * balance.
 */
export function isRepaymentOnly(attempt: Pick<Attempt, 'memo'> | null): boolean {
  return attempt?.memo === memoOf({ direction: 'down', amount: 0n });
}

function memoOf({ direction, amount }: Pick<LeverageCall, 'direction' | 'amount'>): string {
  return `${direction} ${amount}`;
}

/**
 * Fingerprint of a requested round. Equal calls that were planned at the same block have the same
 * fingerprint. The planning block of a round that was read back from the chain is unknown, so such
 * a round never equals a request.
 */
export function roundFingerprint(
  { direction, expectedDebt, amount, minimumOut }: Omit<LeverageCall, 'routes'>,
  blockNumber: number | null,
): string {
  return ['leverage', direction, expectedDebt, amount, minimumOut, blockNumber ?? 'unknown'].join(
    '|',
  );
}
