import type { Felt, Felts } from '@sotto/kernel';
import type { NewSubmission } from '../../domain/events.js';
import type { CallPurpose, CallTarget } from '../../domain/rows.js';
import type { CallReader } from '../../ports/call-reader.port.js';
import type { RepeatedSubmissions } from './repeated-submissions.js';

/**
 * Submission that executes a call of a series, with the fields that can be derived from the call.
 */
export interface SeriesCall extends Pick<NewSubmission, 'role' | 'limits'> {
  /** Account that the series belongs to. */
  readonly address: Felt;
  readonly purpose: CallPurpose;
  /**
   * Fingerprint of the call. Never equals the fingerprint of a planned submission: that fingerprint
   * includes the block of the plan, which is not part of the call.
   */
  readonly fingerprint: string;
  /** @default false */
  readonly replayProtected?: boolean;
}

/** Describes one kind of series and its calls. */
export interface SeriesOfCalls {
  /** Returns a new public id of an attempt, which must be unguessable. */
  readonly newId: () => string;
  /** Accounts that have a series of this kind. */
  readonly addresses: readonly Felt[];
  readonly seriesOf: (address: Felt) => string;
  /** Parses a call; null if the call belongs to no series. */
  readonly read: (target: CallTarget, calldata: Felts) => SeriesCall | null;
}

/**
 * Recognises calls of a series on chain. A call does not contain the number of its key. Each call
 * is therefore assigned the number that was next in its series when the ledger was last read. The
 * submission with this number was in flight or waiting when the ledger was lost or copied. If
 * several calls are found, the first call gets the outcome. The ledger rejects the other calls and
 * later skips their numbers.
 */
export class SeriesCalls implements CallReader {
  #keys: ReadonlyMap<Felt, string> = new Map();

  constructor(
    private readonly repeated: RepeatedSubmissions,
    private readonly calls: SeriesOfCalls,
  ) {}

  /**
   * Reads the next number of each series from the ledger. Call this before the submission engine
   * starts; until then no call on chain is recognised.
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
