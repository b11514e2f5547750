import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** Series of transfers to a vault in the ledger: `chain|repayment|vault`. */
export function repaymentSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|repayment|${vault}`;
}

/** Kind of a transfer of the debt's token to a vault, which repays with it. */
export const FUND_REPAYMENT = 'fund_repayment';

/** Purpose of a transfer. The amount is stored in the row because calldata is redacted. */
export function repaymentPurpose(vault: Felt, amount: bigint): CallPurpose {
  return { kind: FUND_REPAYMENT, subject: vault, memo: String(amount) };
}
