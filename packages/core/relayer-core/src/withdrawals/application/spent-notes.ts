import { Cached, settle, type Clock, type Felt, type Result } from '@sotto/kernel';
import type { AccountHistory, AccountTransaction, Attempt } from '@sotto/submission-core';
import type { PoolEvents } from '../../pools/ports/pool-events.port.js';
import type { AdoptOutcome, KnownBy } from '../../relay/application/adopt-outcome.js';

/** A note that the chain shows as spent, and the request that wanted to spend it. */
export interface SpentNote extends KnownBy {
  readonly pool: Felt;
  readonly nullifierHash: bigint;
}

export interface Spending {
  /** Null where it could not be found in time. */
  readonly transactionHash: Felt | null;
  /** The request's own attempt, if it was one of our transactions that paid it. */
  readonly attempt: Attempt | null;
  /**
   * It may be a transaction of ours that paid the request: it was not found, or the ledger has yet
   * to account for it.
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
  /** The accounts that this service signs with, or has signed with. */
  readonly accounts: readonly Felt[];
  /**
   * How long a request waits for a look-up; the look-up goes on, and a repeated request has the
   * benefit of it.
   * @default 3,000
   */
  readonly patienceMs?: number;
  /** How long what was found is used again. @default 10,000 */
  readonly ttlMs?: number;
  /** Look-ups that run at a time; what comes on top is not looked up. @default 4 */
  readonly lookups?: number;
}

/** The transaction that spent a note; `own` has null when none of our accounts sent it. */
interface Spender {
  readonly hash: Felt;
  readonly own: Result<AccountTransaction | null>;
}

/** Null where too many look-ups run already. */
type LookUp = Result<Spender | null> | null;

const NOT_FOUND: Spending = { transactionHash: null, attempt: null, isOpen: true };
/**
 * A look-up goes through the pool's events, and any caller may bring it about: one that failed is
 * not begun again at once.
 */
const FAILED_FRESH_MS = 1_000;
/** Spent notes remembered at a time. */
const MAX_REMEMBERED = 1_000;

/**
 * Finds the transaction that spent a note, and adopts its outcome where this service sent it
 * without its ledger's knowing it. Any caller may send spent proofs, since they are public once
 * they are on chain: each is looked up once in some seconds, few at a time.
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
      // What is found stays as it is, and is looked for longer than one request waits.
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
   * What can't be found is left open, never an error of the node: the note is spent all the same.
   * Rejects with the ledger's error.
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
