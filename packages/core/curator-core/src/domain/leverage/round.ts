import type { Felt } from '@sotto/kernel';
import type { Attempt, CallPurpose } from '@sotto/submission-core';
import type { LeverageCall } from './layout.js';

/** The series of a vault's rounds in the ledger: `chain|leverage|vault`. */
export function leverageSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|leverage|${vault}`;
}

/** The kind of a round in the ledger. */
export const LEVERAGE_ROUND = 'leverage_round';

/** What a round is about; its amount stands in the row, since calldata is wiped. */
export function roundPurpose(
  vault: Felt,
  call: Pick<LeverageCall, 'direction' | 'amount'>,
): CallPurpose {
  return { kind: LEVERAGE_ROUND, subject: vault, memo: memoOf(call) };
}

/** Whether it is a round that withdraws nothing, and repays with what the vault holds. */
export function isRepaymentOnly(attempt: Pick<Attempt, 'memo'> | null): boolean {
  return attempt?.memo === memoOf({ direction: 'down', amount: 0n });
}

function memoOf({ direction, amount }: Pick<LeverageCall, 'direction' | 'amount'>): string {
  return `${direction} ${amount}`;
}

/**
 * What a round was asked for: equal for one call that was planned at one block. A round that was
 * read back from the chain has no block: it is never equal to a request.
 */
export function roundFingerprint(
  { direction, expectedDebt, amount, minimumOut }: Omit<LeverageCall, 'routes'>,
  blockNumber: number | null,
): string {
  return ['leverage', direction, expectedDebt, amount, minimumOut, blockNumber ?? 'unknown'].join(
    '|',
  );
}
