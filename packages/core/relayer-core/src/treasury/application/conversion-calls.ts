import type { Felt, Felts } from '@sotto/kernel';
import {
  NextKeys,
  type CallReader,
  type CallTarget,
  type RepeatedSubmissions,
} from '@sotto/submission-core';
import { SWAP_FEES, conversionSeries, readConversionCall } from '../domain/fee-conversion.js';
import { FEE_SWAP_LIMITS, type FeeConversionPolicy } from './convert-fees.js';
import { TOP_UP_LIMITS } from './top-up-lanes.js';
import { shownTreasuryFingerprint } from './treasury-series.js';

export interface ConversionCallsPolicy extends Pick<
  FeeConversionPolicy,
  'chainId' | 'strk' | 'tokens' | 'limits'
> {
  /** Routers that a swap may go through. */
  readonly routers: readonly Felt[];
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

type ReadSubmission = ReturnType<CallReader['submissionOf']>;

/**
 * Reads approvals and swaps of fees back from the chain, each as the next number of its token's
 * series as the ledger had it when it was asked last.
 */
export class ConversionCalls implements CallReader {
  readonly #nextKeys: NextKeys;

  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: ConversionCallsPolicy,
  ) {
    this.#nextKeys = new NextKeys(repeated, (address) => conversionSeries(policy.chainId, address));
  }

  /**
   * Asks the ledger for each token's next conversion. To be called before the submission engine
   * starts; nothing is read back before.
   */
  learn(): Promise<void> {
    return this.#nextKeys.learn(this.#tokens);
  }

  get #tokens(): readonly Felt[] {
    return this.policy.tokens.map(({ token: { address } }) => address);
  }

  submissionOf(target: CallTarget, calldata: Felts): ReadSubmission {
    const { routers, strk, limits = FEE_SWAP_LIMITS, newId } = this.policy;
    const tokens = this.#tokens;
    const shown = readConversionCall(target, calldata, { routers, tokens, strk });
    const key = shown === null ? undefined : this.#nextKeys.of(shown.token);
    if (shown === null || key === undefined) return null;
    const fingerprint = shownTreasuryFingerprint(shown.purpose);
    return {
      key,
      id: newId(),
      effect: fingerprint,
      fingerprint,
      ...shown.purpose,
      role: 'treasury',
      target,
      calldata,
      limits: shown.purpose.kind === SWAP_FEES ? limits : TOP_UP_LIMITS,
      terms: null,
      replayProtected: false,
    };
  }
}
