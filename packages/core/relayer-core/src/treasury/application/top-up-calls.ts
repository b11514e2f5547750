import type { Felt, Felts } from '@sotto/kernel';
import {
  SeriesCalls,
  type CallTarget,
  type RepeatedSubmissions,
  type SeriesCall,
} from '@sotto/submission-core';
import { topUpPurpose, topUpSeries } from '../domain/top-up.js';
import { readTransferCall, TRANSFER_LIMITS, shownTreasuryFingerprint } from '@sotto/keeper-core';
import { type TopUpPolicy } from './top-up-lanes.js';

export interface TopUpCallsPolicy extends Pick<
  TopUpPolicy,
  'chainId' | 'strk' | 'lanes' | 'limits'
> {
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/** Reads top-ups back from the chain: transfers of STRK to a lane. */
export class TopUpCalls extends SeriesCalls {
  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: TopUpCallsPolicy,
  ) {
    super(repeated, policy.newId);
  }

  protected override get addresses(): readonly Felt[] {
    return this.policy.lanes.map(({ address }) => address);
  }

  protected override seriesOf(address: Felt): string {
    return topUpSeries(this.policy.chainId, address);
  }

  protected override read(target: CallTarget, calldata: Felts): SeriesCall | null {
    const { strk, limits = TRANSFER_LIMITS } = this.policy;
    const call = readTransferCall(strk, target, calldata);
    if (call === null) return null;
    const purpose = topUpPurpose(call.recipient, call.amount);
    const fingerprint = shownTreasuryFingerprint(purpose);
    return { address: call.recipient, purpose, fingerprint, role: 'treasury', limits };
  }
}
