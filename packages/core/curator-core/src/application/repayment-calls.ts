import type { Felt, Felts } from '@sotto/kernel';
import { TRANSFER_LIMITS, readTransferCall, shownTreasuryFingerprint } from '@sotto/keeper-core';
import {
  SeriesCalls,
  type CallTarget,
  type RepeatedSubmissions,
  type SeriesCall,
} from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import { repaymentPurpose, repaymentSeries } from '../domain/leverage/repayment.js';

export interface RepaymentCallsPolicy {
  readonly chainId: Felt;
  readonly vaults: readonly LeveragedVault[];
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/** Reads transfers to vaults back from the chain. */
export class RepaymentCalls extends SeriesCalls {
  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: RepaymentCallsPolicy,
  ) {
    super(repeated, policy.newId);
  }

  protected override get addresses(): readonly Felt[] {
    return this.policy.vaults.map(({ address }) => address);
  }

  protected override seriesOf(address: Felt): string {
    return repaymentSeries(this.policy.chainId, address);
  }

  protected override read(target: CallTarget, calldata: Felts): SeriesCall | null {
    for (const { address, debt } of this.policy.vaults) {
      const call = readTransferCall(debt.address, target, calldata);
      if (call === null || call.recipient !== address) continue;
      const purpose = repaymentPurpose(address, call.amount);
      const fingerprint = shownTreasuryFingerprint(purpose);
      return { address, purpose, fingerprint, role: 'treasury', limits: TRANSFER_LIMITS };
    }
    return null;
  }
}
