import type { Felt, Felts } from '@sotto/kernel';
import type { NewSubmission } from '../../domain/events.js';
import type { CallPurpose, CallTarget } from '../../domain/rows.js';
import type { CallReader } from '../../ports/call-reader.port.js';
import type { RepeatedSubmissions } from './repeated-submissions.js';

/** Submission of a call that belongs to a series, as far as the call shows it. */
export interface SeriesCall extends Pick<NewSubmission, 'role' | 'limits'> {
  /** Account of the series. */
  readonly address: Felt;
  readonly purpose: CallPurpose;
  /** Never equal to that of a plan, whose block stands in no call. */
  readonly fingerprint: string;
  /** @default false */
  readonly replayProtected?: boolean;
}

/** Calls of a kind of series. */
export interface SeriesOfCalls {
  /** Public names of attempts; must be unguessable. */
  readonly newId: () => string;
  /** Accounts with a series. */
  readonly addresses: readonly Felt[];
  readonly seriesOf: (address: Felt) => string;
  /** Null for a call of no series. */
  readonly read: (target: CallTarget, calldata: Felts) => SeriesCall | null;
}

/**
 * Reads calls that are sent again and again back from the chain. The number in their key stands in
 * no call: each is taken for the next one of its series, as the ledger had it when it was asked
 * last. That is the one that was in flight, or waited, when the ledger was lost or copied. Of
 * several the first gets its outcome; the ledger stands back from the others, which its next number
 * passes by.
 */
export class SeriesCalls implements CallReader {
  #keys: ReadonlyMap<Felt, string> = new Map();

  constructor(
    private readonly repeated: RepeatedSubmissions,
    private readonly calls: SeriesOfCalls,
  ) {}

  /**
   * Reads the next number of each series from the ledger. Call it before the submission engine
   * starts; no call is read back before.
   */
  async learn(): Promise<void> {
    const next = await Promise.all(
      this.calls.addresses.map(async (address) => {
        const { key } = await this.repeated.next(this.calls.seriesOf(address));
        return [address, key] as const;
      }),
    );
    this.#keys = new Map(next);
  }

  submissionOf(target: CallTarget, calldata: Felts): ReturnType<CallReader['submissionOf']> {
    const call = this.calls.read(target, calldata);
    const key = call === null ? undefined : this.#keys.get(call.address);
    if (call === null || key === undefined) return null;
    const { address: _address, purpose, fingerprint, replayProtected = false, ...sent } = call;
    return {
      key,
      id: this.calls.newId(),
      effect: fingerprint,
      fingerprint,
      ...purpose,
      ...sent,
      target,
      calldata,
      terms: null,
      replayProtected,
    };
  }
}
