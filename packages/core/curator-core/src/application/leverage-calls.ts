import { SeriesCalls, type RepeatedSubmissions } from '@sotto/submission-core';
import { leverageEntry, parseLeverageCall } from '../domain/leverage/layout.js';
import { leverageSeries, roundFingerprint, roundPurpose } from '../domain/leverage/round.js';
import { VAULT_DEPLOYMENT_LIMITS } from './deploy-idle-funds.js';
import type { LeveragePolicy } from './leverage-task.js';

export interface LeverageCallsPolicy extends Pick<LeveragePolicy, 'chainId' | 'vaults' | 'limits'> {
  /** Creates the public id of an attempt. Ids must be unguessable. */
  readonly newId: () => string;
}

const DIRECTIONS = ['up', 'down'] as const;

/** Creates a reader that finds leverage rounds among the calls on chain. */
export function leverageCalls(
  repeated: RepeatedSubmissions,
  policy: LeverageCallsPolicy,
): SeriesCalls {
  const { chainId, vaults, limits = VAULT_DEPLOYMENT_LIMITS, newId } = policy;
  return new SeriesCalls(repeated, {
    newId,
    addresses: vaults.map(({ address }) => address),
    seriesOf: (vault) => leverageSeries(chainId, vault),
    read(target, calldata) {
      const vault = vaults.find(({ address }) => address === target.to);
      if (vault === undefined) return null;
      const { address, layout } = vault;
      for (const direction of DIRECTIONS) {
        const entry = leverageEntry(layout, direction);
        const call =
          entry.entrypoint === target.entrypoint
            ? parseLeverageCall(layout, direction, calldata)
            : null;
        if (call !== null)
          return {
            address,
            purpose: roundPurpose(address, call),
            fingerprint: roundFingerprint(call, null),
            role: 'curator',
            limits,
            replayProtected: entry.calldata.includes('expected_debt'),
          };
      }
      return null;
    },
  });
}
