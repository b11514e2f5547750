import type { Felt, Felts } from '@sotto/kernel';
import type { CallReader, CallTarget, Submissions } from '@sotto/submission-core';
import { deploymentKey, deploymentPurpose, shownFingerprint } from '../domain/deployment.js';
import { deployedAmount, methodOf } from '../domain/vault.js';
import { VAULT_DEPLOYMENT_LIMITS, type CuratorPolicy } from './deploy-idle-funds.js';
import { Generations } from './generations.js';

export interface CuratedCallsPolicy extends CuratorPolicy {
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
  readonly #generations: Generations;
  #next: ReadonlyMap<Felt, number> = new Map();

  constructor(
    submissions: Pick<Submissions, 'last'>,
    private readonly policy: CuratedCallsPolicy,
  ) {
    this.#generations = new Generations(submissions, policy.chainId);
  }

  /**
   * Asks the ledger for each vault's next deployment. To be called before the submission engine
   * starts; nothing is read back before.
   */
  async learn(): Promise<void> {
    const next = await Promise.all(
      this.policy.vaults.map(
        async ({ address }) => [address, await this.#generations.next(address)] as const,
      ),
    );
    this.#next = new Map(next);
  }

  submissionOf(target: CallTarget, calldata: Felts): ReadSubmission {
    const { chainId, vaults, limits = VAULT_DEPLOYMENT_LIMITS, newId } = this.policy;
    const vault = vaults.find(({ address }) => address === target.to);
    const generation = this.#next.get(target.to);
    if (vault === undefined || generation === undefined) return null;
    const method = methodOf(vault);
    const amountSats =
      method.entrypoint === target.entrypoint ? deployedAmount(method.calldata, calldata) : null;
    if (amountSats === null) return null;
    return {
      key: deploymentKey(chainId, vault.address, generation),
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
