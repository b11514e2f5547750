import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** The series of a vault's deployments in the ledger: `chain|vault|idle`. */
export function deploymentSeries(chainId: Felt, vault: Felt): string {
  return `${chainId}|${vault}|idle`;
}

/** What a deployment is about. Its amount stands in the row: calldata is wiped. */
export function deploymentPurpose(vault: Felt, amountSats: bigint): CallPurpose {
  return { kind: 'deploy_idle_funds', subject: vault, memo: String(amountSats) };
}

/**
 * The amount of a {@link deploymentPurpose}, so that each caller that meets the deployment, after a
 * restart or in another process, knows it.
 * @throws Error for an attempt of another kind
 */
export function deployedSats({ kind, memo }: CallPurpose): bigint {
  if (kind !== 'deploy_idle_funds' || memo === null)
    throw new Error('the submission is no deployment of a vault');
  return BigInt(memo);
}

/** What a deployment was asked for: equal for one amount, read at one block. */
export function deploymentFingerprint(amountSats: bigint, blockNumber: number): string {
  return `idle|${amountSats}|${blockNumber}`;
}

/**
 * The same for a deployment that was read back from the chain, where its block is not known: never
 * equal to that of a request.
 */
export function shownFingerprint(amountSats: bigint): string {
  return `idle|${amountSats}|unknown`;
}
