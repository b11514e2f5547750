import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import type { WithdrawalRequest } from '@sotto/wallet/advanced';
import { loadDevelopmentKeys } from '@sotto/prover/node';

/**
 * Returns the calldata of a real proof, with its length felt. Creating the proof needs about two
 * seconds.
 */
export async function provenCalldata(request: WithdrawalRequest): Promise<readonly bigint[]> {
  const keys = await loadDevelopmentKeys();
  const calldata = await withdrawalCalldata(
    await proveWithdrawal(request, keys),
    keys.verificationKey,
  );
  return calldata.map(BigInt);
}
