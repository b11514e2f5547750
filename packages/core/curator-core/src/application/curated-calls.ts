import { SeriesCalls, type RepeatedSubmissions } from '@sotto/submission-core';
import { deploymentPurpose, deploymentSeries, shownFingerprint } from '../domain/deployment.js';
import { deployedAmount, methodOf } from '../domain/vault.js';
import { VAULT_DEPLOYMENT_LIMITS, type CuratorPolicy } from './deploy-idle-funds.js';

export interface CuratedCallsPolicy extends Omit<CuratorPolicy, 'account'> {
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/**
 * Reads vault deployments back from the chain. A request under the same key returns the deployment
 * that was read, and nothing is sent for it.
 */
export function curatedCalls(
  repeated: RepeatedSubmissions,
  policy: CuratedCallsPolicy,
): SeriesCalls {
  const { chainId, vaults, limits = VAULT_DEPLOYMENT_LIMITS, newId } = policy;
  return new SeriesCalls(repeated, {
    newId,
    addresses: vaults.map(({ address }) => address),
    seriesOf: (vault) => deploymentSeries(chainId, vault),
    read(target, calldata) {
      const vault = vaults.find(({ address }) => address === target.to);
      if (vault === undefined) return null;
      const { address } = vault;
      const method = methodOf(vault);
      const amountSats =
        method.entrypoint === target.entrypoint ? deployedAmount(method.calldata, calldata) : null;
      if (amountSats === null) return null;
      const purpose = deploymentPurpose(address, amountSats);
      return {
        address,
        purpose,
        fingerprint: shownFingerprint(amountSats),
        role: 'curator',
        limits,
      };
    },
  });
}
