import { toFelt } from '@sotto/kernel';
import { filledCalldata, type FilledWithdrawal } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';

export const loadPool = sandboxWorld.pools.swap_input_1;
export const feeAddress = toFelt(sandboxWorld.accounts.feeCollector.address);
/**
 * Fee in sats: above the cost of a withdrawal at four times the initial prices of the chain, below
 * the pool's maximum.
 */
export const FEE_SATS = 900n;

/** Terms of a proof that have defaults. */
type ProofTerms = Partial<Pick<FilledWithdrawal, 'fee' | 'root' | 'batch'>>;

/** Returns a valid withdrawal. Each note has a different recipient. */
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
