import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** Series of a vault's deployments in the ledger: `chain|vault|idle`. */
export function deploymentSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|${vault}|idle`;
}

/** Purpose of a deployment. The amount is stored in the row because calldata is redacted. */
export function deploymentPurpose(vault: Felt, amountSats: bigint): CallPurpose {
  return { kind: 'deploy_idle_funds', subject: vault, memo: String(amountSats) };
}

/**
 * Returns the amount of a {@link deploymentPurpose}. The row contains it, so each caller that finds
 * the deployment knows the amount, also after a restart or in another process.
 * @throws Error if the attempt is of another kind
 */
export function deployedSats({ kind, memo }: CallPurpose): bigint {
  if (kind !== 'deploy_idle_funds' || memo === null)
    throw new Error('the submission is no deployment of a vault');
  return BigInt(memo);
}

/** Fingerprint of a requested deployment: equal for the same amount read at the same block. */
export function deploymentFingerprint(amountSats: bigint, blockNumber: number): string {
  return `idle|${amountSats}|${blockNumber}`;
}

/**
 * Fingerprint of a deployment that was read back from the chain, whose block is unknown. The
 * fingerprint of a request never equals it.
 */
export function shownFingerprint(amountSats: bigint): string {
  return `idle|${amountSats}|unknown`;
}
