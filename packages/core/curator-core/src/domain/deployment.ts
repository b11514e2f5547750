import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** Returns the series of a vault's deployments in the ledger: `chain|vault|idle`. */
export function deploymentSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|${vault}|idle`;
}

/**
 * Builds the purpose of a deployment. The amount is stored in the purpose because calldata is
 * redacted.
 */
export function deploymentPurpose(vault: Felt, amountSats: bigint): CallPurpose {
  return { kind: 'deploy_idle_funds', subject: vault, memo: String(amountSats) };
}

/**
 * Returns the amount from a {@link deploymentPurpose}. The ledger's row contains the amount, so
 * each caller that finds the deployment knows the amount, also after a restart or in another
 * process.
 * @throws Error if the attempt is not a deployment
 */
export function deployedSats({ kind, memo }: CallPurpose): bigint {
  if (kind !== 'deploy_idle_funds' || memo === null)
    throw new Error('the submission is no deployment of a vault');
  return BigInt(memo);
}

/**
 * Fingerprint of a requested deployment. Requests for the same amount, read at the same block, have
 * the same fingerprint.
 */
export function deploymentFingerprint(amountSats: bigint, blockNumber: number): string {
  return `idle|${amountSats}|${blockNumber}`;
}

/**
 * Fingerprint of a deployment that was read back from the chain. The block at which its amount was
 * read is unknown, so this fingerprint never equals the fingerprint of a request.
 */
export function shownFingerprint(amountSats: bigint): string {
  return `idle|${amountSats}|unknown`;
}
