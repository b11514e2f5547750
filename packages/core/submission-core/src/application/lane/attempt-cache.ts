import { Cached, type Clock, type Felts } from '@sotto/kernel';
import type { Attempt, CallTarget } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type { HashedCall, TransactionSigner } from '../../ports/transaction-signer.port.js';
import type { StoreTime } from '../store-time.js';

/**
 * Back-off of an attempt in ms, after the node rejected it because of its price or the lane's
 * funds, or after its preparation failed.
 */
const HELD_BACK_MS = 2_000;
/**
 * If more back-offs than this number are stored, ended back-offs are removed. This instance may not
 * see the end of their attempts, because another instance may process these attempts.
 */
const MANY_MOMENTS = 1_000;

/**
 * Maximum number of hashed calls in memory. This equals the number of calls that can wait and be in
 * flight at the same time. Calls beyond this number are hashed again.
 */
const MAX_HASHED = 10_000;

/**
 * Maximum number of accepted calls in memory. This instance does not need the calls that another
 * instance sends, so the newest calls suffice.
 */
const MAX_BROUGHT = 64;

/** Code of an attempt that was not included in a block before its deadline. */
export const DEADLINE_PASSED = 'DEADLINE_PASSED';

export interface AttemptCacheParts {
  readonly ledger: Ledger;
  readonly signer: TransactionSigner;
  readonly clock: Clock;
  readonly storeTime: StoreTime;
}

/**
 * Data about attempts that this instance caches in memory, for all lanes. The cache may be dropped
 * at any time.
 */
export class AttemptCache {
  /** Calldata hashes of waiting attempts. Hashing starts before the nonce is known. */
  readonly #hashed = new Cached<HashedCall>({ freshMs: Infinity, maxEntries: MAX_HASHED });
  /**
   * Calls that this instance has just accepted, by the id of the attempt, so that the new row need
   * not be read. The felts are the same object that was simulated, so their text form is already
   * computed.
   */
  readonly #brought = new Map<
    string,
    Pick<Attempt, 'fingerprint'> & { readonly calldata: Felts }
  >();
  /**
   * Calls that were hashed before they were accepted. An entry is removed when its felts are
   * garbage collected.
   */
  readonly #ahead = new WeakMap<
    Felts,
    { readonly target: CallTarget; readonly hashed: Promise<HashedCall> }
  >();
  #isHashingAhead = false;
  /** End of each back-off in ms of this process's monotonic clock, by the id of the attempt. */
  readonly #notBeforeMs = new Map<string, number>();
  /** Codes for which attempts in flight are no longer wanted on chain, by the id of the attempt. */
  readonly #unwanted = new Map<string, string>();

  constructor(private readonly deps: AttemptCacheParts) {}

  hashOf({ id, fingerprint, target }: Attempt): Promise<HashedCall> {
    const hash = async (): Promise<HashedCall> => {
      const brought = this.#brought.get(id);
      this.#brought.delete(id);
      const calldata =
        brought?.fingerprint === fingerprint
          ? brought.calldata
          : await this.deps.ledger.calldata(id);
      if (calldata === null) throw new Error('calldata of a live attempt is missing');
      const ahead = this.#ahead.get(calldata);
      return ahead?.target.to === target.to && ahead.target.entrypoint === target.entrypoint
        ? ahead.hashed
        : this.deps.signer.hashCall(target, calldata);
    };
    // Use the fingerprint as the version, because a waiting attempt may have been renewed with a
    // newer call.
    return this.#hashed.get(id, hash, fingerprint);
  }

  /**
   * Hashes a call that may be accepted soon. Only one call is hashed at a time; other calls are
   * ignored until it is finished. A call that is rejected later therefore delays at most one
   * accepted call.
   */
  hashAhead(target: CallTarget, calldata: Felts): void {
    if (this.#isHashingAhead) return;
    this.#isHashingAhead = true;
    const hashed = this.deps.signer.hashCall(target, calldata).finally(() => {
      this.#isHashingAhead = false;
    });
    this.#ahead.set(calldata, { target, hashed });
    // If hashing fails, remove the entry, so that the call is hashed again later.
    hashed.catch(() => void this.#ahead.delete(calldata));
  }

  /** Stores the calldata of an attempt whose row was just written with this fingerprint. */
  bring({ id, fingerprint }: Attempt, calldata: Felts): void {
    for (const oldest of this.#brought.keys()) {
      if (this.#brought.size < MAX_BROUGHT) break;
      this.#brought.delete(oldest);
    }
    this.#brought.set(id, { fingerprint, calldata });
  }

  /** Drops the private call of an attempt, because another instance now processes the attempt. */
  forgetCall(attemptId: string): void {
    this.#hashed.delete(attemptId);
    this.#brought.delete(attemptId);
  }

  /**
   * Drops the calls of all attempts. A call that must still be sent is read from the ledger again.
   */
  forgetCalls(): void {
    this.#hashed.clear();
    this.#brought.clear();
  }

  /** Starts the back-off of an attempt, during which the attempt gets no nonce. */
  backOff(attemptId: string): void {
    const nowMs = this.deps.clock.monotonicMs();
    this.#hashed.delete(attemptId);
    if (this.#notBeforeMs.size >= MANY_MOMENTS) {
      for (const [id, notBeforeMs] of this.#notBeforeMs)
        if (notBeforeMs <= nowMs) this.#notBeforeMs.delete(id);
    }
    this.#notBeforeMs.set(attemptId, nowMs + HELD_BACK_MS);
  }

  /** Ends the back-off of an attempt. */
  endBackOff(attemptId: string): void {
    this.#notBeforeMs.delete(attemptId);
  }

  isBackedOff({ id }: Attempt): boolean {
    return (this.#notBeforeMs.get(id) ?? 0) > this.deps.clock.monotonicMs();
  }

  markUnwanted({ id }: Attempt, code: string): void {
    this.#unwanted.set(id, code);
  }

  /**
   * Returns the code for which the attempt is no longer wanted on chain; null if the attempt is
   * still wanted. Deadlines are compared with the store's clock, so that a wrong clock of one
   * instance ends no submission of another instance.
   */
  cancellationReason({ id, deadlineMs }: Attempt): string | null {
    const nowMs = this.deps.storeTime.nowMs() ?? 0;
    return this.#unwanted.get(id) ?? (nowMs > deadlineMs ? DEADLINE_PASSED : null);
  }

  /** Drops all data about an attempt that has ended, got a nonce or lost its nonce. */
  forget({ id }: Attempt): void {
    this.forgetCall(id);
    this.#notBeforeMs.delete(id);
    this.#unwanted.delete(id);
  }
}
