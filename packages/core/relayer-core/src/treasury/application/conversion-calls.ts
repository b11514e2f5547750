import type { Felt, Felts } from '@sotto/kernel';
import {
  SeriesCalls,
  type CallTarget,
  type RepeatedSubmissions,
  type SeriesCall,
} from '@sotto/submission-core';
import { SWAP_FEES, conversionSeries, readConversionCall } from '../domain/fee-conversion.js';
import { FEE_SWAP_LIMITS, type FeeConversionPolicy } from './convert-fees.js';
import { TRANSFER_LIMITS, shownTreasuryFingerprint } from '@sotto/keeper-core';

export interface ConversionCallsPolicy extends Pick<
  FeeConversionPolicy,
  'chainId' | 'strk' | 'tokens' | 'limits'
> {
  /** Routers that a swap may go through. */
  readonly routers: readonly Felt[];
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

/** Reads approvals and swaps of fees back from the chain. */
export class ConversionCalls extends SeriesCalls {
  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: ConversionCallsPolicy,
  ) {
    super(repeated, policy.newId);
  }

  protected override get addresses(): readonly Felt[] {
    return this.policy.tokens.map(({ token: { address } }) => address);
  }

  protected override seriesOf(address: Felt): string {
    return conversionSeries(this.policy.chainId, address);
  }

  protected override read(target: CallTarget, calldata: Felts): SeriesCall | null {
    const { routers, strk, limits = FEE_SWAP_LIMITS } = this.policy;
    const tokens = this.addresses;
    const shown = readConversionCall(target, calldata, { routers, tokens, strk });
    if (shown === null) return null;
    const { token: address, purpose } = shown;
    return {
      address,
      purpose,
      fingerprint: shownTreasuryFingerprint(purpose),
      role: 'treasury',
      limits: purpose.kind === SWAP_FEES ? limits : TRANSFER_LIMITS,
    };
  }
}
