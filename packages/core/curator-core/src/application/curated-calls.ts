import type { Felts } from '@sotto/kernel';
import {
  NextKeys,
  type CallReader,
  type CallTarget,
  type RepeatedSubmissions,
} from '@sotto/submission-core';
import { deploymentPurpose, deploymentSeries, shownFingerprint } from '../domain/deployment.js';
import { deployedAmount, methodOf } from '../domain/vault.js';
import { VAULT_DEPLOYMENT_LIMITS, type CuratorPolicy } from './deploy-idle-funds.js';

export interface CuratedCallsPolicy extends Omit<CuratorPolicy, 'account'> {
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

type ReadSubmission = ReturnType<CallReader['submissionOf']>;

/**
 * Reads deployments of vaults back from the chain. The number in a deployment's key stands in no
 * call: a call is taken for the vault's next deployment, as the ledger had it when it was asked
 * last. That is the one that was in flight, or waited, when the ledger was lost or copied. Of
 * several the first gets its outcome; the ledger stands back from the others, which its next number
 * passes by.
 *
 * The block at which the balance was read is in no call either, so the fingerprint is one that no
 * request has: a request under the same key gets this deployment as its answer, and nothing is sent
 * for it.
 */
export class CuratedCalls implements CallReader {
  readonly #nextKeys: NextKeys;

  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: CuratedCallsPolicy,
  ) {
    this.#nextKeys = new NextKeys(repeated, (address) => deploymentSeries(policy.chainId, address));
  }

  /**
   * Asks the ledger for each vault's next deployment. To be called before the submission engine
   * starts; nothing is read back before.
   */
  learn(): Promise<void> {
    return this.#nextKeys.learn(this.policy.vaults.map(({ address }) => address));
  }

  submissionOf(target: CallTarget, calldata: Felts): ReadSubmission {
    const { vaults, limits = VAULT_DEPLOYMENT_LIMITS, newId } = this.policy;
    const vault = vaults.find(({ address }) => address === target.to);
    const key = this.#nextKeys.of(target.to);
    if (vault === undefined || key === undefined) return null;
    const method = methodOf(vault);
    const amountSats =
      method.entrypoint === target.entrypoint ? deployedAmount(method.calldata, calldata) : null;
    if (amountSats === null) return null;
    return {
      key,
      id: newId(),
      effect: shownFingerprint(amountSats),
      fingerprint: shownFingerprint(amountSats),
      ...deploymentPurpose(vault.address, amountSats),
      role: 'curator',
      target,
      calldata,
      limits,
      terms: null,
      replayProtected: false,
    };
  }
}
