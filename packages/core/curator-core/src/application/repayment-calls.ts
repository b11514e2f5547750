import type { Felt, Felts } from '@sotto/kernel';
import { TOP_UP_LIMITS, readTransferCall, shownTreasuryFingerprint } from '@sotto/relayer-core';
import {
  NextKeys,
  type CallReader,
  type CallTarget,
  type RepeatedSubmissions,
} from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import { repaymentPurpose, repaymentSeries } from '../domain/leverage/repayment.js';

export interface RepaymentCallsPolicy {
  readonly chainId: Felt;
  readonly vaults: readonly LeveragedVault[];
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/**
 * Reads transfers to vaults back from the chain: each is taken for the vault's next one, as the
 * ledger had it when it was asked last.
 */
export class RepaymentCalls implements CallReader {
  readonly #nextKeys: NextKeys;

  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: RepaymentCallsPolicy,
  ) {
    this.#nextKeys = new NextKeys(repeated, (address) => repaymentSeries(policy.chainId, address));
  }

  /**
   * Asks the ledger for each vault's next transfer. To be called before the submission engine
   * starts; nothing is read back before.
   */
  learn(): Promise<void> {
    return this.#nextKeys.learn(this.policy.vaults.map(({ address }) => address));
  }

  submissionOf(target: CallTarget, calldata: Felts): ReturnType<CallReader['submissionOf']> {
    for (const { address, debt } of this.policy.vaults) {
      const call = readTransferCall(debt.address, target, calldata);
      const key = this.#nextKeys.of(address);
      if (call === null || call.recipient !== address || key === undefined) continue;
      const purpose = repaymentPurpose(address, call.amount);
      const fingerprint = shownTreasuryFingerprint(purpose);
      return {
        key,
        id: this.policy.newId(),
        effect: fingerprint,
        fingerprint,
        ...purpose,
        role: 'treasury',
        target,
        calldata,
        limits: TOP_UP_LIMITS,
        terms: null,
        replayProtected: false,
      };
    }
    return null;
  }
}
