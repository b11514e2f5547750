import type { Felts } from '@sotto/kernel';
import {
  NextKeys,
  type CallReader,
  type CallTarget,
  type RepeatedSubmissions,
} from '@sotto/submission-core';
import { topUpPurpose, topUpSeries } from '../domain/top-up.js';
import { readTransferCall } from '../domain/transfer.js';
import { TOP_UP_LIMITS, type TopUpPolicy } from './top-up-lanes.js';
import { shownTreasuryFingerprint } from './treasury-series.js';

export interface TopUpCallsPolicy extends Pick<
  TopUpPolicy,
  'chainId' | 'strk' | 'lanes' | 'limits'
> {
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
}

type ReadSubmission = ReturnType<CallReader['submissionOf']>;

/**
 * Reads top-ups back from the chain. The number in a top-up's key stands in no call: a transfer of
 * STRK to a lane is taken for the lane's next top-up, as the ledger had it when it was asked last.
 * Of several the first gets its outcome; the ledger stands back from the others, which its next
 * number passes by.
 */
export class TopUpCalls implements CallReader {
  readonly #nextKeys: NextKeys;

  constructor(
    repeated: RepeatedSubmissions,
    private readonly policy: TopUpCallsPolicy,
  ) {
    this.#nextKeys = new NextKeys(repeated, (address) => topUpSeries(policy.chainId, address));
  }

  /**
   * Asks the ledger for each lane's next top-up. To be called before the submission engine starts;
   * nothing is read back before.
   */
  learn(): Promise<void> {
    return this.#nextKeys.learn(this.policy.lanes.map(({ address }) => address));
  }

  submissionOf(target: CallTarget, calldata: Felts): ReadSubmission {
    const { strk, limits = TOP_UP_LIMITS, newId } = this.policy;
    const call = readTransferCall(strk, target, calldata);
    const key = call === null ? undefined : this.#nextKeys.of(call.recipient);
    if (call === null || key === undefined) return null;
    const purpose = topUpPurpose(call.recipient, call.amount);
    const fingerprint = shownTreasuryFingerprint(purpose);
    return {
      key,
      id: newId(),
      effect: fingerprint,
      fingerprint,
      ...purpose,
      role: 'treasury',
      target,
      calldata,
      limits,
      terms: null,
      replayProtected: false,
    };
  }
}
