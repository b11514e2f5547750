import type { Felt } from '@sotto/kernel';
import { SeriesCalls, type RepeatedSubmissions } from '@sotto/submission-core';
import { SWAP_FEES, conversionSeries, readConversionCall } from '../domain/fee-conversion.js';
import { FEE_SWAP_LIMITS, type FeeConversionPolicy } from './convert-fees.js';
import { TRANSFER_LIMITS, shownCallFingerprint } from '@sotto/keeper-core';

export interface ConversionCallsPolicy extends Pick<
  FeeConversionPolicy,
  'chainId' | 'strk' | 'tokens' | 'limits'
> {
  /** Addresses of the routers that a fee swap may use. */
  readonly routers: readonly Felt[];
  /** Creates the public id of an attempt. Must be unguessable. */
  readonly newId: () => string;
}

/** Recognizes the treasury's approvals and fee swaps in calls on chain. */
export function conversionCalls(
  repeated: RepeatedSubmissions,
  policy: ConversionCallsPolicy,
): SeriesCalls {
  const { chainId, routers, strk, limits = FEE_SWAP_LIMITS, newId } = policy;
  const tokens = policy.tokens.map(({ token: { address } }) => address);
  return new SeriesCalls(repeated, {
    newId,
    addresses: tokens,
    seriesOf: (token) => conversionSeries(chainId, token),
    read(target, calldata) {
      const shown = readConversionCall(target, calldata, { routers, tokens, strk });
      if (shown === null) return null;
      const { token: address, purpose } = shown;
      return {
        address,
        purpose,
        fingerprint: shownCallFingerprint(purpose),
        role: 'treasury',
        limits: purpose.kind === SWAP_FEES ? limits : TRANSFER_LIMITS,
      };
    },
  });
}
