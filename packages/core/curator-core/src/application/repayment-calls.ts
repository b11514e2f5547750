import type { Felt } from '@sotto/kernel';
import { TRANSFER_LIMITS, readTransferCall, shownCallFingerprint } from '@sotto/keeper-core';
import { SeriesCalls, type RepeatedSubmissions } from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import { repaymentPurpose, repaymentSeries } from '../domain/leverage/repayment.js';

export interface RepaymentCallsPolicy {
  readonly chainId: Felt;
  readonly vaults: readonly LeveragedVault[];
  /** Creates the public id of an attempt. Ids must be unguessable. */
  readonly newId: () => string;
}

/** Creates a reader that finds repayment transfers to vaults among the calls on chain. */
export function repaymentCalls(
  repeated: RepeatedSubmissions,
  policy: RepaymentCallsPolicy,
): SeriesCalls {
  const { chainId, vaults, newId } = policy;
  return new SeriesCalls(repeated, {
    newId,
    addresses: vaults.map(({ address }) => address),
    seriesOf: (vault) => repaymentSeries(chainId, vault),
    read(target, calldata) {
      for (const { address, debt } of vaults) {
        const call = readTransferCall(debt.address, target, calldata);
        if (call === null || call.recipient !== address) continue;
        const purpose = repaymentPurpose(address, call.amount);
        const fingerprint = shownCallFingerprint(purpose);
        return { address, purpose, fingerprint, role: 'treasury', limits: TRANSFER_LIMITS };
      }
      return null;
    },
  });
}
