import type { Felt, Felts } from '@sotto/kernel';
import {
  SeriesCalls,
  type CallTarget,
  type RepeatedSubmissions,
  type SeriesCall,
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

/** Reads rounds of leverage back from the chain. */
export class LeverageCalls extends SeriesCalls {
  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: LeverageCallsPolicy,
  ) {
    super(repeated, policy.newId);
  }

  protected override get addresses(): readonly Felt[] {
    return this.policy.vaults.map(({ address }) => address);
  }

  protected override seriesOf(address: Felt): string {
    return leverageSeries(this.policy.chainId, address);
  }

  protected override read(target: CallTarget, calldata: Felts): SeriesCall | null {
    const { vaults, limits = VAULT_DEPLOYMENT_LIMITS } = this.policy;
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
  }
}
