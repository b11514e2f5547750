import type { Felt, Felts } from '@sotto/kernel';
import type { NewSubmission } from '../../domain/events.js';
import type { CallPurpose, CallTarget } from '../../domain/rows.js';
import type { CallReader } from '../../ports/call-reader.port.js';
import type { RepeatedSubmissions } from './repeated-submissions.js';

/** Submission of a call of a series, with the fields that the call itself shows. */
export interface SeriesCall extends Pick<NewSubmission, 'role' | 'limits'> {
  /** Account of the series. */
  readonly address: Felt;
  readonly purpose: CallPurpose;
  /** Never equal to a plan's fingerprint, because no call contains the plan's block. */
  readonly fingerprint: string;
  /** @default false */
  readonly replayProtected?: boolean;
}

/** Calls of a kind of series. */
export interface SeriesOfCalls {
  /** Returns a new public name of an attempt, which must be unguessable. */
  readonly newId: () => string;
  /** Accounts with a series. */
  readonly addresses: readonly Felt[];
  readonly seriesOf: (address: Felt) => string;
  /** Parses a call; null if it belongs to no series. */
  readonly read: (target: CallTarget, calldata: Felts) => SeriesCall | null;
}

/**
 * Reads repeated calls back from the chain. A call does not contain the number of its key, so each
 * counts as the next one of its series when the ledger was last read. This is the call in flight or
 * waiting when the ledger was lost or copied. If there are several, the first gets its outcome. The
 * ledger rejects the others, whose numbers it then skips.
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
