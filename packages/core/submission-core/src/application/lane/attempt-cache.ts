import { Cached, type Clock, type Felts } from '@sotto/kernel';
import type { Attempt, CallTarget } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type { HashedCall, TransactionSigner } from '../../ports/transaction-signer.port.js';
import type { StoreTime } from '../store-time.js';

/**
 * After the node refused an attempt for its price or the lane's funds, or it could not be prepared,
 * it waits so long.
 */
const HELD_BACK_MS = 2_000;
/**
 * Past moments are cleared away when there are so many: their attempts may have gone to another
 * instance.
 */
const MANY_MOMENTS = 1_000;

/** As many attempts as wait and may be sent at a time; above it, one is hashed again. */
const MAX_HASHED = 10_000;

/** Those that a lane of another instance takes are never asked for: the newest are enough. */
const MAX_BROUGHT = 64;

/** What an attempt ends with that was not included in its time. */
export const DEADLINE_PASSED = 'DEADLINE_PASSED';

export interface AttemptCacheParts {
  readonly ledger: Ledger;
  readonly signer: TransactionSigner;
  readonly clock: Clock;
  readonly storeTime: StoreTime;
}

/**
 * What this instance happens to know of attempts, whatever lane they are on. May be forgotten at
 * any time.
 */
export class AttemptCache {
  /** Calldata hashes of attempts that wait; hashing starts before the nonce is known. */
  readonly #hashed = new Cached<HashedCall>({ freshMs: Infinity, maxEntries: MAX_HASHED });
  /**
   * Calls that were accepted here a moment ago, by attempt. Spares the read of what was just
   * written, and the felts are the ones that were simulated, so that their text is made.
   */
  readonly #brought = new Map<
    string,
    Pick<Attempt, 'fingerprint'> & { readonly calldata: Felts }
  >();
  /** Calls that were hashed before they were accepted: gone with their felts. */
  readonly #ahead = new WeakMap<
    Felts,
    { readonly target: CallTarget; readonly hashed: Promise<HashedCall> }
  >();
  #isHashingAhead = false;
  /** By this process's monotonic clock. */
  readonly #notBeforeMs = new Map<string, number>();
  /** Why an attempt in flight is no longer wanted on chain. */
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
    // An attempt that waits may have taken a newer call.
    return this.#hashed.get(id, hash, fingerprint);
  }

  /**
   * Hashes a call that may be accepted soon. One at a time, and none where one is under way: what
   * is refused in the end takes no accepted call's turn but one.
   */
  hashAhead(target: CallTarget, calldata: Felts): void {
    if (this.#isHashingAhead) return;
    this.#isHashingAhead = true;
    const hashed = this.deps.signer.hashCall(target, calldata).finally(() => {
      this.#isHashingAhead = false;
    });
    this.#ahead.set(calldata, { target, hashed });
    // One that failed is hashed again.
    hashed.catch(() => void this.#ahead.delete(calldata));
  }

  /** The calldata of an attempt, as it was just written under this fingerprint. */
  bring({ id, fingerprint }: Attempt, calldata: Felts): void {
    for (const oldest of this.#brought.keys()) {
      if (this.#brought.size < MAX_BROUGHT) break;
      this.#brought.delete(oldest);
    }
    this.#brought.set(id, { fingerprint, calldata });
  }

  /** Drops the call of an attempt, which is private: another instance works at it. */
  forgetCall(attemptId: string): void {
    this.#hashed.delete(attemptId);
    this.#brought.delete(attemptId);
  }

  /** Drops every call: what is still to be sent is read again. */
  forgetCalls(): void {
    this.#hashed.clear();
    this.#brought.clear();
  }

  /** The attempt waits a little before it gets a nonce again. */
  backOff(attemptId: string): void {
    const nowMs = this.deps.clock.monotonicMs();
    this.#hashed.delete(attemptId);
    if (this.#notBeforeMs.size >= MANY_MOMENTS) {
      for (const [id, notBeforeMs] of this.#notBeforeMs)
        if (notBeforeMs <= nowMs) this.#notBeforeMs.delete(id);
    }
    this.#notBeforeMs.set(attemptId, nowMs + HELD_BACK_MS);
  }

  /** The attempt waits no longer. */
  endBackOff(attemptId: string): void {
    this.#notBeforeMs.delete(attemptId);
  }

  isBackedOff({ id }: Attempt): boolean {
    return (this.#notBeforeMs.get(id) ?? 0) > this.deps.clock.monotonicMs();
  }

  markUnwanted({ id }: Attempt, code: string): void {
    this.#unwanted.set(id, code);
  }

  /** Deadlines are the store's: the clock of one instance ends no submission of another. */
  cancellationReason({ id, deadlineMs }: Attempt): string | null {
    const nowMs = this.deps.storeTime.nowMs() ?? 0;
    return this.#unwanted.get(id) ?? (nowMs > deadlineMs ? DEADLINE_PASSED : null);
  }

  /** Drops everything about an attempt that has its end, got a nonce or lost it. */
  forget({ id }: Attempt): void {
    this.forgetCall(id);
    this.#notBeforeMs.delete(id);
    this.#unwanted.delete(id);
  }
}
