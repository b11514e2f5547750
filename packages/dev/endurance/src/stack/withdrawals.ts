import { toFelt } from '@sotto/kernel';
import { filledCalldata, type FilledWithdrawal } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';

export const loadPool = sandboxWorld.pools.swap_input_1;
export const feeAddress = toFelt(sandboxWorld.accounts.feeCollector.address);
/**
 * Fee of a withdrawal, in sats. This fee exceeds the cost of a withdrawal at four times the chain's
 * initial gas prices, and it is below the pool's maximum.
 */
export const FEE_SATS = 900n;

/** Terms of a withdrawal proof for which a test may replace the default. */
type ProofTerms = Partial<Pick<FilledWithdrawal, 'fee' | 'root' | 'batch'>>;

/** Returns the body of a valid withdrawal request. Each note has a different recipient. */
export function withdrawalBody(note: number, terms: ProofTerms = {}): WithdrawalBody {
  return { poolAddress: toFelt(loadPool.address), calldata: calldataOf(note, terms) };
}

/** Returns the calldata of the proof that spends a note. */
export function calldataOf(
  note: number,
  terms: ProofTerms & Pick<FilledWithdrawal, 'recipient'> = {},
): readonly string[] {
  return filledCalldata({ note, relayer: feeAddress, fee: FEE_SATS, ...terms });
}
