import type { Felts } from '@sotto/kernel';
import {
  NextKeys,
  type CallReader,
  type CallTarget,
  type RepeatedSubmissions,
} from '@sotto/submission-core';
import { leverageEntry, parseLeverageCall } from '../domain/leverage/layout.js';
import { leverageSeries, roundFingerprint, roundPurpose } from '../domain/leverage/round.js';
import { VAULT_DEPLOYMENT_LIMITS } from './deploy-idle-funds.js';
import type { LeveragePolicy } from './leverage-task.js';

export interface LeverageCallsPolicy extends Pick<LeveragePolicy, 'chainId' | 'vaults' | 'limits'> {
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

const DIRECTIONS = ['up', 'down'] as const;

/**
 * Reads rounds of leverage back from the chain: as {@link CuratedCalls}, a call is taken for the
 * vault's next round, as the ledger had it when it was asked last.
 */
export class LeverageCalls implements CallReader {
  readonly #nextKeys: NextKeys;

  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: LeverageCallsPolicy,
  ) {
    this.#nextKeys = new NextKeys(repeated, (address) => leverageSeries(policy.chainId, address));
  }

  /**
   * Asks the ledger for each vault's next round. To be called before the submission engine starts;
   * nothing is read back before.
   */
  learn(): Promise<void> {
    return this.#nextKeys.learn(this.policy.vaults.map(({ address }) => address));
  }

  submissionOf(target: CallTarget, calldata: Felts): ReturnType<CallReader['submissionOf']> {
    const { vaults, limits = VAULT_DEPLOYMENT_LIMITS, newId } = this.policy;
    const vault = vaults.find(({ address }) => address === target.to);
    const key = this.#nextKeys.of(target.to);
    if (vault === undefined || key === undefined) return null;
    for (const direction of DIRECTIONS) {
      const entry = leverageEntry(vault.layout, direction);
      const call =
        entry.entrypoint === target.entrypoint
          ? parseLeverageCall(vault.layout, direction, calldata)
          : null;
      if (call !== null) {
        const fingerprint = roundFingerprint(call, null);
        return {
          key,
          id: newId(),
          effect: fingerprint,
          fingerprint,
          ...roundPurpose(vault.address, call),
          role: 'curator',
          target,
          calldata,
          limits,
          terms: null,
          replayProtected: entry.calldata.includes('expected_debt'),
        };
      }
    }
    return null;
  }
}
