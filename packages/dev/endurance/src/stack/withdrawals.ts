import { toFelt } from '@sotto/kernel';
import { filledCalldata, type FilledWithdrawal } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';

export const loadPool = sandboxWorld.pools.swap_input_1;
export const feeAddress = toFelt(sandboxWorld.accounts.feeCollector.address);
/**
 * In sats: above what a withdrawal costs at four times the first prices of the chain, below the
 * pool's most.
 */
export const FEE_SATS = 900n;

/** Terms of a proof that have a default. */
type ProofTerms = Partial<Pick<FilledWithdrawal, 'fee' | 'root' | 'batch'>>;

/** Endless sound withdrawals, each of a different note for a different recipient. */
export function withdrawalBody(note: number, terms: ProofTerms = {}): WithdrawalBody {
  return { poolAddress: toFelt(loadPool.address), calldata: calldataOf(note, terms) };
}

/** Calldata of the proof that spends a note. */
export function calldataOf(
  note: number,
  terms: ProofTerms & Pick<FilledWithdrawal, 'recipient'> = {},
): readonly string[] {
  return filledCalldata({ note, relayer: feeAddress, fee: FEE_SATS, ...terms });
}
