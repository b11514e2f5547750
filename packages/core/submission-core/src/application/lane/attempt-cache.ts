import { Cached, type Clock, type Felts } from '@sotto/kernel';
import type { Attempt, CallTarget } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type { HashedCall, TransactionSigner } from '../../ports/transaction-signer.port.js';
import type { StoreTime } from '../store-time.js';

/**
 * Back-off of an attempt after the node rejected it for its price or the lane's funds, or after its
 * preparation failed, in ms.
 */
const HELD_BACK_MS = 2_000;
/**
 * Ended back-offs are removed once there are this many: their attempts may be on another instance.
 */
const MANY_MOMENTS = 1_000;

/**
 * Hashed calls in memory: as many as can wait and be sent at a time. Beyond it, a call is hashed
 * again.
 */
const MAX_HASHED = 10_000;

/**
 * Accepted calls in memory. Calls that another instance sends are never read here, so the newest
 * are enough.
 */
const MAX_BROUGHT = 64;

/** Code of an attempt that was not included before its deadline. */
export const DEADLINE_PASSED = 'DEADLINE_PASSED';

export interface AttemptCacheParts {
  readonly ledger: Ledger;
  readonly signer: TransactionSigner;
  readonly clock: Clock;
  readonly storeTime: StoreTime;
}

/**
 * Facts about attempts that this instance has in memory, on any lane. May be dropped at any time.
 */
export class AttemptCache {
  /** Calldata hashes of attempts that wait; hashing starts before the nonce is known. */
  readonly #hashed = new Cached<HashedCall>({ freshMs: Infinity, maxEntries: MAX_HASHED });
  /**
   * Calls accepted here a moment ago, by attempt, so that the new row need not be read. The felts
   * are the simulated ones, which have their text already.
   */
  readonly #brought = new Map<
    string,
    Pick<Attempt, 'fingerprint'> & { readonly calldata: Felts }
  >();
  /** Calls that were hashed before they were accepted. An entry ends with its felts. */
  readonly #ahead = new WeakMap<
    Felts,
    { readonly target: CallTarget; readonly hashed: Promise<HashedCall> }
  >();
  #isHashingAhead = false;
  /** End of each back-off, by this process's monotonic clock. */
  readonly #notBeforeMs = new Map<string, number>();
  /** Code by which an attempt in flight is no longer wanted on chain. */
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
    // A waiting attempt may have been renewed with a newer call.
    return this.#hashed.get(id, hash, fingerprint);
  }

  /**
   * Hashes a call that may be accepted soon. Hashes one at a time and ignores further calls while
   * one is hashed: a call that is rejected later delays at most one accepted call.
   */
  hashAhead(target: CallTarget, calldata: Felts): void {
    if (this.#isHashingAhead) return;
    this.#isHashingAhead = true;
    const hashed = this.deps.signer.hashCall(target, calldata).finally(() => {
      this.#isHashingAhead = false;
    });
    this.#ahead.set(calldata, { target, hashed });
    // Hash it again if this failed.
    hashed.catch(() => void this.#ahead.delete(calldata));
  }

  /** Stores the calldata of an attempt that was just written with this fingerprint. */
  bring({ id, fingerprint }: Attempt, calldata: Felts): void {
    for (const oldest of this.#brought.keys()) {
      if (this.#brought.size < MAX_BROUGHT) break;
      this.#brought.delete(oldest);
    }
    this.#brought.set(id, { fingerprint, calldata });
  }

  /** Drops the call of an attempt, which is private: another instance works on it. */
  forgetCall(attemptId: string): void {
    this.#hashed.delete(attemptId);
    this.#brought.delete(attemptId);
  }

  /** Drops every call. Calls that are still to be sent are read again. */
  forgetCalls(): void {
    this.#hashed.clear();
    this.#brought.clear();
  }

  /** Delays the attempt for a while before it gets a nonce again. */
  backOff(attemptId: string): void {
    const nowMs = this.deps.clock.monotonicMs();
    this.#hashed.delete(attemptId);
    if (this.#notBeforeMs.size >= MANY_MOMENTS) {
      for (const [id, notBeforeMs] of this.#notBeforeMs)
        if (notBeforeMs <= nowMs) this.#notBeforeMs.delete(id);
    }
    this.#notBeforeMs.set(attemptId, nowMs + HELD_BACK_MS);
  }

  /** Ends the attempt's back-off. */
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
   * Returns the code by which an attempt is no longer wanted, or null. Deadlines follow the store's
   * clock: the clock of one instance ends no submission of another.
   */
  cancellationReason({ id, deadlineMs }: Attempt): string | null {
    const nowMs = this.deps.storeTime.nowMs() ?? 0;
    return this.#unwanted.get(id) ?? (nowMs > deadlineMs ? DEADLINE_PASSED : null);
  }

  /** Drops everything about an attempt that has ended, got a nonce or lost it. */
  forget({ id }: Attempt): void {
    this.forgetCall(id);
    this.#notBeforeMs.delete(id);
    this.#unwanted.delete(id);
  }
}
