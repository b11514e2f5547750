import { Cached, settle, type Clock, type Felt, type Result } from '@sotto/kernel';
import type { AccountHistory, AccountTransaction, Attempt } from '@sotto/submission-core';
import type { PoolEvents } from '../../pools/ports/pool-events.port.js';
import type { AdoptOutcome, KnownBy } from '../../relay/application/adopt-outcome.js';

/** Note that is spent on chain, with the identity of the request to withdraw or swap the note. */
export interface SpentNote extends KnownBy {
  readonly pool: Felt;
  readonly nullifierHash: bigint;
}

export interface Spending {
  /** Hash of the spending transaction; null if the transaction was not found in time. */
  readonly transactionHash: Felt | null;
  /**
   * Attempt of the request itself, if one of our transactions spent the note for this request. Null
   * otherwise.
   */
  readonly attempt: Attempt | null;
  /**
   * True if a transaction of ours may still turn out to have paid the request. Either the spending
   * transaction was not found, or the ledger has not settled its nonce yet.
   */
  readonly isOpen: boolean;
}

export interface SpentNotesPorts {
  readonly events: Pick<PoolEvents, 'spenderOf'>;
  readonly history: Pick<AccountHistory, 'transaction'>;
  readonly adoptOutcome: AdoptOutcome;
  readonly clock: Clock;
}

export interface SpentNotesSettings {
  /** Current and former signing accounts of this service. */
  readonly accounts: readonly Felt[];
  /**
   * Maximum milliseconds for which a request waits for a lookup. The lookup continues afterwards,
   * so a repeated request can use its result.
   * @default 3,000
   */
  readonly patienceMs?: number;
  /** Milliseconds for which the result of a lookup is reused. @default 10,000 */
  readonly ttlMs?: number;
  /** Maximum number of concurrent lookups. Lookups above this number are skipped. @default 4 */
  readonly lookups?: number;
}

/** Transaction that spent a note. `own` is null if none of our accounts sent the transaction. */
interface Spender {
  readonly hash: Felt;
  readonly own: Result<AccountTransaction | null>;
}

/** Result of a lookup; null if the lookup was skipped because too many were running. */
type LookUp = Result<Spender | null> | null;

const NOT_FOUND: Spending = { transactionHash: null, attempt: null, isOpen: true };
/**
 * Minimum milliseconds until a failed lookup is repeated. A lookup reads the pool's events, and any
 * caller may cause a lookup.
 */
const FAILED_FRESH_MS = 1_000;
/** Maximum number of notes whose lookup result is cached. */
const MAX_REMEMBERED = 1_000;

/**
 * Finds the transaction that spent a note. If this service sent the transaction but the ledger does
 * not contain it, its outcome is adopted. Proofs are public once they are on chain, so any caller
 * may send the proof of a spent note. Therefore each note is searched at most once every few
 * seconds, and only a few notes at a time.
 */
export class SpentNotes {
  readonly #lookups: Cached<LookUp>;
  #running = 0;

  constructor(
    private readonly deps: SpentNotesPorts,
    private readonly settings: SpentNotesSettings,
  ) {
    const { ttlMs = 10_000 } = settings;
    this.#lookups = new Cached({
      clock: deps.clock,
      // Count the age from the end of the lookup. Results do not change, and a lookup may last
      // longer than one request waits.
      countedFrom: 'end',
      freshMs: (found) =>
        found === null
          ? 0
          : found.known && found.value?.own.known !== false
            ? ttlMs
            : FAILED_FRESH_MS,
      maxEntries: MAX_REMEMBERED,
    });
  }

  /**
   * Returns the transaction that spent a note. A failed lookup is not an error, because the note is
   * spent in any case; the result then has `isOpen`. Rejects with the ledger's error.
   */
  async spendingOf(note: SpentNote): Promise<Spending> {
    const spender = await this.#inTime(this.#lookups.get(note.key, () => this.#lookUp(note)));
    if (spender === null) return NOT_FOUND;
    const { hash: transactionHash, own } = spender;
    if (!own.known) return { ...NOT_FOUND, transactionHash };
    const adoption =
      own.value === null
        ? { attempt: null, isOpen: false }
        : await this.deps.adoptOutcome.execute(own.value, note);
    return { transactionHash, ...adoption };
  }

  async #lookUp(note: SpentNote): Promise<LookUp> {
    const { lookups = 4 } = this.settings;
    if (this.#running >= lookups) return null;
    this.#running += 1;
    try {
      return await settle(this.#spender(note));
    } finally {
      this.#running -= 1;
    }
  }

  async #spender({ pool, nullifierHash }: SpentNote): Promise<Spender | null> {
    const hash = await this.deps.events.spenderOf(pool, nullifierHash);
    if (hash === null) return null;
    return { hash, own: await settle(this.deps.history.transaction(hash, this.settings.accounts)) };
  }

  async #inTime(lookingUp: Promise<LookUp>): Promise<Spender | null> {
    const { patienceMs = 3_000 } = this.settings;
    const answered = new AbortController();
    try {
      const patience = this.deps.clock.sleep(patienceMs, answered.signal).then(() => null);
      const found = await Promise.race([lookingUp, patience]);
      return found?.known === true ? found.value : null;
    } finally {
      answered.abort();
    }
  }
}
