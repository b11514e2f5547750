import type { Clock } from '@sotto/kernel';
import type { Attempt } from '../domain/rows.js';
import type { Ledger } from '../ports/ledger.port.js';
import type { HashedCall, TransactionSigner } from '../ports/transaction-signer.port.js';
import type { StoreTime } from './store-time.js';

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
  readonly #hashed = new Map<
    string,
    { readonly fingerprint: string; readonly hashing: Promise<HashedCall> }
  >();
  /** By this process's monotonic clock. */
  readonly #notBeforeMs = new Map<string, number>();
  /** Why an attempt in flight is no longer wanted on chain. */
  readonly #unwanted = new Map<string, string>();

  constructor(private readonly deps: AttemptCacheParts) {}

  hashOf(attempt: Attempt): Promise<HashedCall> {
    const { id, fingerprint } = attempt;
    const known = this.#hashed.get(id);
    // An attempt that waits may have taken a newer call.
    if (known?.fingerprint === fingerprint) return known.hashing;
    const hashing = this.deps.ledger.calldata(id).then((calldata) => {
      if (calldata === null) throw new Error('calldata of a live attempt is missing');
      return this.deps.signer.hashCall(attempt.target, calldata);
    });
    const kept = { fingerprint, hashing };
    this.#hashed.set(id, kept);
    hashing.catch(() => {
      if (this.#hashed.get(id) === kept) this.#hashed.delete(id);
    });
    return hashing;
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

  isBackedOff({ id }: Attempt): boolean {
    return (this.#notBeforeMs.get(id) ?? 0) > this.deps.clock.monotonicMs();
  }

  markUnwanted({ id }: Attempt, code: string): void {
    this.#unwanted.set(id, code);
  }

  /** Deadlines are the store's: the clock of one instance ends no submission of another. */
  cancellationReason({ id, deadlineMs }: Attempt): string | null {
    const nowMs = this.deps.storeTime.nowMs();
    return (
      this.#unwanted.get(id) ?? (nowMs !== null && nowMs > deadlineMs ? DEADLINE_PASSED : null)
    );
  }

  /** Drops everything about an attempt that has its end, got a nonce or lost it. */
  forget({ id }: Attempt): void {
    this.#hashed.delete(id);
    this.#notBeforeMs.delete(id);
    this.#unwanted.delete(id);
  }
}
