import type { Clock, Felt } from '@sotto/kernel';
import type { AccountHistory, AccountTransaction, Attempt } from '@sotto/submission-core';
import type { SpentNullifiers } from '../ports/spent-nullifiers.port.js';
import type { AdoptOutcome, KnownBy } from './adopt-outcome.js';
import { settle, type Result } from './result.js';

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
}

export interface SpentNotesPorts {
  readonly spentNullifiers: SpentNullifiers;
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
  /** The same where the look-up failed: the node may answer the next one. @default 1,000 */
  readonly failedTtlMs?: number;
  /** Look-ups that run at a time; what comes on top is not looked up. @default 4 */
  readonly lookups?: number;
}

/** The transaction that spent a note; `own` is null when none of our accounts sent it. */
interface Spender {
  readonly hash: Felt;
  readonly own: AccountTransaction | null;
}

interface Remembered {
  readonly looking: Promise<Result<Spender | null>>;
  /** Of the monotonic clock; infinite while the look-up runs. */
  readonly untilMs: number;
}

const NOT_FOUND: Spending = { transactionHash: null, attempt: null };
/** Spent notes remembered at a time. */
const MAX_REMEMBERED = 1_000;

/**
 * Finds the transaction that spent a note, and adopts its outcome where this service sent it
 * without its ledger's knowing it. Any caller may send spent proofs, since they are public once
 * they are on chain: each is looked up once in some seconds, few at a time.
 */
export class SpentNotes {
  readonly #remembered = new Map<string, Remembered>();
  #running = 0;

  constructor(
    private readonly deps: SpentNotesPorts,
    private readonly settings: SpentNotesSettings,
  ) {}

  /**
   * What can't be found is left open, never an error of the node: the note is spent all the same.
   * Rejects with the ledger's error.
   */
  async spendingOf(note: SpentNote): Promise<Spending> {
    const spender = await this.#inTime(this.#look(note));
    if (spender === null) return NOT_FOUND;
    const attempt =
      spender.own === null ? null : await this.deps.adoptOutcome.execute(spender.own, note);
    return { transactionHash: spender.hash, attempt };
  }

  #look(note: SpentNote): Promise<Result<Spender | null>> | null {
    const { ttlMs = 10_000, failedTtlMs = 1_000, lookups = 4 } = this.settings;
    const { clock } = this.deps;
    const known = this.#remembered.get(note.key);
    if (known !== undefined && clock.monotonicMs() < known.untilMs) return known.looking;
    if (this.#running >= lookups) return null;
    this.#running += 1;
    const looking = settle(this.#spender(note)).finally(() => {
      this.#running -= 1;
    });
    this.#remembered.delete(note.key);
    this.#remembered.set(note.key, { looking, untilMs: Infinity });
    this.#forgetOldest();
    const keep = (forMs: number): void =>
      void this.#remembered.set(note.key, { looking, untilMs: clock.monotonicMs() + forMs });
    looking.then(
      ({ known: wasRead }) => keep(wasRead ? ttlMs : failedTtlMs),
      () => keep(failedTtlMs),
    );
    return looking;
  }

  async #spender({ pool, nullifierHash }: SpentNote): Promise<Spender | null> {
    const hash = await this.deps.spentNullifiers.spenderOf(pool, nullifierHash);
    if (hash === null) return null;
    const own = await settle(this.deps.history.transaction(hash, this.settings.accounts));
    return { hash, own: own.known ? own.value : null };
  }

  async #inTime(looking: Promise<Result<Spender | null>> | null): Promise<Spender | null> {
    if (looking === null) return null;
    const { patienceMs = 3_000 } = this.settings;
    const answered = new AbortController();
    try {
      const patience = this.deps.clock.sleep(patienceMs, answered.signal).then(() => null);
      const finding = await Promise.race([looking, patience]);
      return finding?.known === true ? finding.value : null;
    } finally {
      answered.abort();
    }
  }

  /** Those that run are among the newest: there are far fewer of them than places. */
  #forgetOldest(): void {
    for (const name of this.#remembered.keys()) {
      if (this.#remembered.size <= MAX_REMEMBERED) return;
      this.#remembered.delete(name);
    }
  }
}
