import type { EndedDeposit, LiveCall, TrafficStore } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import { ATTEMPT_IS_LIVE, type AttemptsTable, type StoreSchema } from '../schema.js';
import type { SqlDialect } from '../sql-dialect.js';
import { Statement } from '../statement.js';

type LiveRow = Pick<
  AttemptsTable,
  | 'id'
  | 'key'
  | 'kind'
  | 'subject'
  | 'memo'
  | 'fingerprint'
  | 'target_entrypoint'
  | 'state'
  | 'accepted_at_ms'
>;

const liveAttempts = new Statement<object, LiveRow>((db) =>
  db
    .selectFrom('attempts')
    .select([
      'id',
      'key',
      'kind',
      'subject',
      'memo',
      'fingerprint',
      'target_entrypoint',
      'state',
      'accepted_at_ms',
    ])
    .where(ATTEMPT_IS_LIVE)
    .orderBy('accepted_at_ms')
    .orderBy('seq'),
);

/**
 * Selects deposits that were accepted after the time `sinceMs` and have ended. The end times of
 * these deposits are also after `sinceMs`, so the query can use the index on end times.
 */
const endedDeposits = new Statement<
  { readonly sinceMs: bigint },
  Pick<AttemptsTable, 'id' | 'subject' | 'fingerprint' | 'state' | 'accepted_at_ms'>
>(
  (db, { sinceMs }) =>
    db
      .selectFrom('attempts')
      .select(['id', 'subject', 'fingerprint', 'state', 'accepted_at_ms'])
      .where('ended_at_ms', '>=', sinceMs)
      .where('accepted_at_ms', '>=', sinceMs)
      .where('kind', '=', 'deposit')
      .where('state', 'in', ['succeeded', 'reverted'])
      .orderBy('ended_at_ms')
      .orderBy('seq'),
  'each',
);

/** Attempts that have not ended and recent deposits, read from the ledger's table. */
export class SqlTrafficStore implements TrafficStore {
  readonly #reads: Kysely<StoreSchema>;

  constructor(db: Kysely<StoreSchema>, dialect: Pick<SqlDialect, 'reads'>) {
    this.#reads = dialect.reads(db);
  }

  async live(): Promise<readonly LiveCall[]> {
    const rows = await liveAttempts.all(this.#reads, {});
    return rows.map(({ target_entrypoint, state, accepted_at_ms, ...call }) => ({
      ...call,
      entrypoint: target_entrypoint,
      isSent: state === 'broadcast',
      acceptedAtMs: Number(accepted_at_ms),
    }));
  }

  async depositsSince(sinceMs: number): Promise<readonly EndedDeposit[]> {
    const rows = await endedDeposits.all(this.#reads, { sinceMs: BigInt(sinceMs) });
    return rows.map(({ id, subject, fingerprint, state, accepted_at_ms }) => ({
      id,
      subject,
      fingerprint,
      hasReverted: state === 'reverted',
      acceptedAtMs: Number(accepted_at_ms),
    }));
  }
}
