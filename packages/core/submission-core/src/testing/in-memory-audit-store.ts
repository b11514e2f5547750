import type { Felt } from '@sotto/kernel';
import type {
  AuditStore,
  AuditedNonces,
  AuditedSubmission,
  EndedCursor,
  EndedPage,
} from '../audit/audit-store.port.js';
import type { Attempt, TransactionRow } from '../domain/rows.js';
import type { LedgerRows } from './ledger-constraints.js';

/** Audit store that reads the rows of an `InMemoryLedger`. */
export class InMemoryAuditStore implements AuditStore {
  constructor(private readonly ledger: { readonly rows: LedgerRows }) {}

  async firstNonce(lane: Felt): Promise<bigint | null> {
    return this.#rowsOf(lane).at(0)?.nonce ?? null;
  }

  async nonces(lane: Felt, from: bigint, through: bigint, limit: number): Promise<AuditedNonces> {
    const overlapping = this.#rowsOf(lane).filter(
      (row) => row.through >= from && row.nonce <= through,
    );
    const rows = overlapping.slice(0, limit);
    const next = overlapping.length > limit ? (overlapping.at(limit)?.nonce ?? null) : null;
    const end = next === null ? through : next - 1n;
    const isHere = (place: {
      readonly lane: Felt | null;
      readonly nonce: bigint | null;
    }): boolean =>
      place.lane === lane && place.nonce !== null && place.nonce >= from && place.nonce <= end;
    const transactions = this.#transactions().filter(isHere);
    const named = this.#attempts().filter(isHere);
    const keys = [
      ...named.map(({ key }) => key),
      ...transactions.flatMap(({ attempt }) => (attempt === null ? [] : [attempt.key])),
    ];
    return { rows, transactions, keys: [...new Set(keys)], next };
  }

  async submissions(keys: readonly string[]): Promise<readonly AuditedSubmission[]> {
    return [...new Set(keys)].flatMap((key) => {
      const attempts = this.#attempts().filter((attempt) => attempt.key === key);
      if (attempts.length === 0) return [];
      const transactions = this.#transactions().filter(({ attempt }) => attempt?.key === key);
      return [{ key, attempts: attempts.toSorted((a, b) => a.attempt - b.attempt), transactions }];
    });
  }

  async ended(after: EndedCursor, untilMs: number, limit: number): Promise<EndedPage> {
    const ended = this.#attempts().flatMap(({ key, id, endedAtMs }) =>
      endedAtMs === null ? [] : [{ key, id, endedAtMs }],
    );
    const page = ended
      .filter((one) => isAfter(one, after) && one.endedAtMs <= untilMs)
      .toSorted((a, b) => (isAfter(a, b) ? 1 : -1))
      .slice(0, limit);
    const last = page.at(-1);
    const keys = [...new Set(page.map(({ key }) => key))];
    return { keys, last: last === undefined ? null : { endedAtMs: last.endedAtMs, id: last.id } };
  }

  #rowsOf(lane: Felt) {
    return [...this.ledger.rows.nonces.values()]
      .filter((row) => row.lane === lane)
      .toSorted((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  #attempts(): readonly Attempt[] {
    return [...this.ledger.rows.attempts.values()];
  }

  #transactions(): readonly TransactionRow[] {
    return [...this.ledger.rows.transactions.values()];
  }
}

function isAfter(one: EndedCursor, other: EndedCursor): boolean {
  return (
    one.endedAtMs > other.endedAtMs || (one.endedAtMs === other.endedAtMs && one.id > other.id)
  );
}
