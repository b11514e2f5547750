import type { Felt } from '@sotto/kernel';
import { TRANSFER_LIMITS, readTransferCall, shownCallFingerprint } from '@sotto/keeper-core';
import { SeriesCalls, type RepeatedSubmissions } from '@sotto/submission-core';
import type { LeveragedVault } from '../domain/leverage/leveraged-vault.js';
import { repaymentPurpose, repaymentSeries } from '../domain/leverage/repayment.js';

export interface RepaymentCallsPolicy {
  readonly chainId: Felt;
  readonly vaults: readonly LeveragedVault[];
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/** Reads repayment transfers to vaults back from the chain. */
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
