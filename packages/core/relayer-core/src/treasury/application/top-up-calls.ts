import { SeriesCalls, type RepeatedSubmissions } from '@sotto/submission-core';
import { topUpPurpose, topUpSeries } from '../domain/top-up.js';
import { readTransferCall, TRANSFER_LIMITS, shownCallFingerprint } from '@sotto/keeper-core';
import { type TopUpPolicy } from './top-up-lanes.js';

export interface TopUpCallsPolicy extends Pick<
  TopUpPolicy,
  'chainId' | 'strk' | 'lanes' | 'limits'
> {
  /** Creates the public id of an attempt. Must be unguessable. */
  readonly newId: () => string;
}

/** Recognizes top-ups in calls on chain. A top-up is a transfer of STRK to a lane. */
export function topUpCalls(repeated: RepeatedSubmissions, policy: TopUpCallsPolicy): SeriesCalls {
  const { chainId, strk, lanes, limits = TRANSFER_LIMITS, newId } = policy;
  return new SeriesCalls(repeated, {
    newId,
    addresses: lanes.map(({ address }) => address),
    seriesOf: (lane) => topUpSeries(chainId, lane),
    read(target, calldata) {
      const call = readTransferCall(strk, target, calldata);
      if (call === null) return null;
      const purpose = topUpPurpose(call.recipient, call.amount);
      const fingerprint = shownCallFingerprint(purpose);
      return { address: call.recipient, purpose, fingerprint, role: 'treasury', limits };
    },
  });
}
