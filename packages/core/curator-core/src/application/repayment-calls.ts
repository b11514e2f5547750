import type { Felt, Felts } from '@sotto/kernel';
import { TOP_UP_LIMITS, readTransferCall, shownTreasuryFingerprint } from '@sotto/relayer-core';
import type { CallReader, CallTarget, RepeatedSubmissions } from '@sotto/submission-core';
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
  #nextKeys: ReadonlyMap<Felt, string> = new Map();

  constructor(
    private readonly repeated: RepeatedSubmissions,
    private readonly policy: RepaymentCallsPolicy,
  ) {}

  /**
   * Asks the ledger for each vault's next transfer. To be called before the submission engine
   * starts; nothing is read back before.
   */
  async learn(): Promise<void> {
    const next = await Promise.all(
      this.policy.vaults.map(async ({ address }) => {
        const { key } = await this.repeated.next(repaymentSeries(this.policy.chainId, address));
        return [address, key] as const;
      }),
    );
    this.#nextKeys = new Map(next);
  }

  submissionOf(target: CallTarget, calldata: Felts): ReturnType<CallReader['submissionOf']> {
    for (const { address, debt } of this.policy.vaults) {
      const call = readTransferCall(debt.address, target, calldata);
      const key = this.#nextKeys.get(address);
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
