import type { Felt, Felts } from '@sotto/kernel';
import {
  SeriesCalls,
  type CallTarget,
  type RepeatedSubmissions,
  type SeriesCall,
} from '@sotto/submission-core';
import { deploymentPurpose, deploymentSeries, shownFingerprint } from '../domain/deployment.js';
import { deployedAmount, methodOf } from '../domain/vault.js';
import { VAULT_DEPLOYMENT_LIMITS, type CuratorPolicy } from './deploy-idle-funds.js';

export interface CuratedCallsPolicy extends Omit<CuratorPolicy, 'account'> {
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/**
 * Reads deployments of vaults back from the chain. A request under the same key gets the deployment
 * that was read as its answer, and nothing is sent for it.
 */
export class CuratedCalls extends SeriesCalls {
  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: CuratedCallsPolicy,
  ) {
    super(repeated, policy.newId);
  }

  protected override get addresses(): readonly Felt[] {
    return this.policy.vaults.map(({ address }) => address);
  }

  protected override seriesOf(address: Felt): string {
    return deploymentSeries(this.policy.chainId, address);
  }

  protected override read(target: CallTarget, calldata: Felts): SeriesCall | null {
    const { vaults, limits = VAULT_DEPLOYMENT_LIMITS } = this.policy;
    const vault = vaults.find(({ address }) => address === target.to);
    if (vault === undefined) return null;
    const { address } = vault;
    const method = methodOf(vault);
    const amountSats =
      method.entrypoint === target.entrypoint ? deployedAmount(method.calldata, calldata) : null;
    if (amountSats === null) return null;
    const purpose = deploymentPurpose(address, amountSats);
    return { address, purpose, fingerprint: shownFingerprint(amountSats), role: 'curator', limits };
  }
}
