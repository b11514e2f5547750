import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** Returns the series of repayment transfers to a vault in the ledger: `chain|repayment|vault`. */
export function repaymentSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|repayment|${vault}`;
}

/**
 * Kind of a transfer that sends the debt's ERC-20 token to a vault. The vault repays debt with this
 * amount.
 */
export const FUND_REPAYMENT = 'fund_repayment';

/**
 * Builds the purpose of a repayment transfer. The amount is stored in the purpose because calldata
 * is redacted.
 */
export function repaymentPurpose(vault: Felt, amount: bigint): CallPurpose {
  return { kind: FUND_REPAYMENT, subject: vault, memo: String(amount) };
}
