import type { Felt } from '@sotto/kernel';
import { sameRef, type Attempt } from '../domain/rows.js';
import type {
  RegisterCursor,
  RegisteredSubmission,
  RegisterPage,
  SubmissionFilter,
  SubmissionRegister,
} from '../ports/submission-register.port.js';
import type { LedgerRows } from './ledger-constraints.js';

/** Submission register that reads the rows of an `InMemoryLedger`. */
export class InMemorySubmissionRegister implements SubmissionRegister {
  constructor(private readonly ledger: { readonly rows: LedgerRows }) {}

  async page(
    filter: SubmissionFilter,
    after: RegisterCursor | null,
    limit: number,
  ): Promise<RegisterPage> {
    const rows = this.#newestFirst().filter(
      ({ attempt, place }) => passes(attempt, filter) && (after === null || isBefore(place, after)),
    );
    const page = rows.slice(0, limit);
    return {
      submissions: page.map(({ attempt }) => this.#registered(attempt)),
      next: rows.length > limit ? (page.at(-1)?.place ?? null) : null,
    };
  }

  async ofTransaction(hash: Felt): Promise<readonly RegisteredSubmission[]> {
    const signedFor = this.ledger.rows.transactions.get(hash)?.attempt ?? null;
    return this.#where(
      (attempt) => attempt.transactionHash === hash || sameRef(attempt, signedFor),
    );
  }

  async ofKeys(keys: readonly string[]): Promise<readonly RegisteredSubmission[]> {
    return this.#where(({ key }) => keys.includes(key));
  }

  async ofId(id: string): Promise<RegisteredSubmission | null> {
    return this.#where((attempt) => attempt.id === id).at(0) ?? null;
  }

  #where(isWanted: (attempt: Attempt) => boolean): readonly RegisteredSubmission[] {
    return this.#newestFirst()
      .filter(({ attempt }) => isWanted(attempt))
      .map(({ attempt }) => this.#registered(attempt));
  }

  #newestFirst() {
    return [...this.ledger.rows.attempts.values()]
      .map((attempt, index) => ({
        attempt,
        place: { acceptedAtMs: attempt.acceptedAtMs, row: BigInt(index) + 1n },
      }))
      .toSorted((a, b) => (isBefore(a.place, b.place) ? 1 : -1));
  }

  #registered(attempt: Attempt): RegisteredSubmission {
    const transactions = [...this.ledger.rows.transactions.values()].filter((row) =>
      sameRef(row.attempt, attempt),
    );
    return { attempt, transactions };
  }
}

function isBefore(one: RegisterCursor, other: RegisterCursor): boolean {
  return (
    one.acceptedAtMs < other.acceptedAtMs ||
    (one.acceptedAtMs === other.acceptedAtMs && one.row < other.row)
  );
}

function passes(attempt: Attempt, filter: SubmissionFilter): boolean {
  const { state, kind, subject, lane, acceptedSinceMs = 0, acceptedBeforeMs = Infinity } = filter;
  return (
    (state === undefined || attempt.state === state) &&
    (kind === undefined || attempt.kind === kind) &&
    (subject === undefined || attempt.subject === subject) &&
    (lane === undefined || attempt.lane === lane) &&
    attempt.acceptedAtMs >= acceptedSinceMs &&
    attempt.acceptedAtMs < acceptedBeforeMs
  );
}
