import { SeriesCalls, type RepeatedSubmissions } from '@sotto/submission-core';
import { deploymentPurpose, deploymentSeries, shownFingerprint } from '../domain/deployment.js';
import { deployedAmount, methodOf } from '../domain/vault.js';
import { VAULT_DEPLOYMENT_LIMITS, type CuratorPolicy } from './deploy-idle-funds.js';

export interface CuratedCallsPolicy extends Omit<CuratorPolicy, 'account'> {
  /** Creates the public id of an attempt. Ids must be unguessable. */
  readonly newId: () => string;
}

/**
 * Creates a reader that finds vault deployments among the calls on chain. If the same deployment is
 * requested later under the same key, the request returns the deployment that was read, and the
 * service sends nothing.
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
