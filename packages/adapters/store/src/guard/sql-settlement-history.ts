import type {
  CallOutcome,
  LiveEntry,
  MoneyEntry,
  NoteRevert,
  SettlementHistory,
} from '@sotto/relayer-core';
import { sql, type Kysely, type Selectable } from 'kysely';
import { toTerms } from '../ledger/rows.js';
import { ATTEMPT_IS_LIVE, type AttemptsTable, type Decimal, type StoreSchema } from '../schema.js';
import type { SqlDialect } from '../sql-dialect.js';
import { Statement } from '../statement.js';

/** Columns of an attempt from which income and costs are computed. */
const MONEY = [
  'id',
  'key',
  'kind',
  'subject',
  'attempt',
  'state',
  'role',
  'revert_reason',
  'fee_amount',
  'fee_token',
  'cost_fri',
  'strk_usd_e8',
  'fee_token_usd_e8',
  'bounds',
  'gas_paid_fri',
  'accepted_at_ms',
  'ended_at_ms',
] as const satisfies readonly (keyof AttemptsTable)[];

type MoneyRow = Pick<Selectable<AttemptsTable>, (typeof MONEY)[number]>;

const endedSince = new Statement<{ readonly sinceMs: bigint; readonly limit: bigint }, MoneyRow>(
  (db, { sinceMs, limit }) =>
    db
      .selectFrom('attempts')
      .select(MONEY)
      .where('ended_at_ms', '>=', sinceMs)
      .orderBy('ended_at_ms', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit),
  'each',
);

const revertsOfKey = new Statement<
  { readonly key: string },
  Pick<AttemptsTable, 'state' | 'role' | 'revert_reason' | 'ended_at_ms' | 'effect'>
>((db, { key }) =>
  db
    .selectFrom('attempts')
    .select(['state', 'role', 'revert_reason', 'ended_at_ms', 'effect'])
    .where('key', '=', key)
    .where('state', '=', sql.lit('reverted')),
);

const liveAttempts = new Statement<
  object,
  Pick<AttemptsTable, 'key' | 'kind' | 'subject' | 'role' | 'state' | 'accepted_at_ms' | 'cost_fri'>
>((db) =>
  db
    .selectFrom('attempts')
    .select(['key', 'kind', 'subject', 'role', 'state', 'accepted_at_ms', 'cost_fri'])
    .where(ATTEMPT_IS_LIVE)
    .orderBy('accepted_at_ms')
    .orderBy('seq'),
);

/**
 * Selects the fees that an attempt paid in addition to the fee of its outcome. The fee of a no-op
 * is charged to the attempt whose call was last stored under the no-op's nonce. If a call consumed
 * a nonce other than the nonce of its attempt's outcome, the fee is charged to that attempt.
 */
const otherFeesSince = new Statement<
  { readonly sinceMs: bigint },
  { readonly id: string; readonly fee_fri: Decimal | null }
>(
  (db, { sinceMs }) =>
    db
      // Selects the few transactions that are not the outcome of their attempt. This step is
      // separate, because PostgreSQL would otherwise read the nonces of all attempts.
      .with(
        (cte) => cte('others').materialized(),
        (of) =>
          of
            .selectFrom('attempts')
            // Cross joins make SQLite keep this order: ended attempts first.
            .crossJoin('transactions')
            .select(['attempts.id', 'transactions.hash', 'transactions.seq'])
            .select(['transactions.lane', 'transactions.nonce'])
            .where('attempts.ended_at_ms', '>=', sinceMs)
            .whereRef('transactions.attempt_key', '=', 'attempts.key')
            .whereRef('transactions.attempt_number', '=', 'attempts.attempt')
            .where((eb) =>
              eb(
                eb.fn.coalesce('attempts.transaction_hash', sql.lit('')),
                '<>',
                eb.ref('transactions.hash'),
              ),
            ),
      )
      .selectFrom('others')
      .crossJoin('nonces')
      .crossJoin('transactions as consumer')
      .select(['others.id', 'nonces.fee_fri'])
      .whereRef('nonces.lane', '=', 'others.lane')
      .whereRef('nonces.nonce', '=', 'others.nonce')
      .where('nonces.state', '=', 'settled')
      .where('nonces.fee_fri', 'is not', null)
      .whereRef('consumer.hash', '=', 'nonces.settled_by')
      .where((eb) =>
        eb.or([
          eb('others.hash', '=', eb.ref('nonces.settled_by')),
          eb.and([
            eb('consumer.kind', '=', 'noop'),
            eb.not(
              eb.exists(
                eb
                  .selectFrom('transactions as later')
                  .select(sql.lit(1).as('one'))
                  .whereRef('later.lane', '=', 'others.lane')
                  .whereRef('later.nonce', '=', 'others.nonce')
                  .where('later.kind', '=', 'call')
                  .whereRef('later.seq', '>', 'others.seq'),
              ),
            ),
          ]),
        ]),
      ),
  'each',
);

/** Fees and costs of settled submissions, from the ledger's tables. */
export class SqlSettlementHistory implements SettlementHistory {
  readonly #reads: Kysely<StoreSchema>;

  constructor(db: Kysely<StoreSchema>, dialect: Pick<SqlDialect, 'reads'>) {
    this.#reads = dialect.reads(db);
  }

  async ended(sinceMs: number, limit: number): Promise<readonly MoneyEntry[]> {
    const rows = await endedSince.all(this.#reads, {
      sinceMs: BigInt(sinceMs),
      limit: BigInt(limit),
    });
    const charged = await this.#otherFees(rows.at(-1)?.ended_at_ms ?? null);
    return rows.toReversed().flatMap((row) => toMoneyEntry(row, charged));
  }

  async revertsOf(key: string): Promise<readonly NoteRevert[]> {
    const rows = await revertsOfKey.all(this.#reads, { key });
    return rows.flatMap((row) =>
      toOutcome(row).map((outcome) => ({ ...outcome, effect: row.effect })),
    );
  }

  async live(): Promise<readonly LiveEntry[]> {
    const rows = await liveAttempts.all(this.#reads, {});
    return rows.map(({ state, accepted_at_ms, cost_fri, ...call }) => ({
      ...call,
      isWaiting: state === 'accepted',
      acceptedAtMs: Number(accepted_at_ms),
      costFri: cost_fri === null ? null : BigInt(cost_fri),
    }));
  }

  /**
   * Returns the fees that attempts paid in addition to the fees of their outcomes, by attempt id. A
   * no-op whose nonce has no stored call belongs to no attempt: its purpose is to end a quarantine.
   */
  async #otherFees(sinceMs: bigint | null): Promise<ReadonlyMap<string, bigint>> {
    const charged = new Map<string, bigint>();
    if (sinceMs === null) return charged;
    const rows = await otherFeesSince.all(this.#reads, { sinceMs });
    for (const { id, fee_fri } of rows)
      charged.set(id, (charged.get(id) ?? 0n) + BigInt(fee_fri ?? '0'));
    return charged;
  }
}

function toMoneyEntry(row: MoneyRow, charged: ReadonlyMap<string, bigint>): readonly MoneyEntry[] {
  const { id, key, kind, subject, gas_paid_fri, accepted_at_ms } = row;
  const gasPaidFri = BigInt(gas_paid_fri ?? '0') + (charged.get(id) ?? 0n);
  return toOutcome(row).map((outcome) => ({
    id,
    key,
    kind,
    subject,
    ...outcome,
    terms: toTerms(row),
    gasPaidFri,
    acceptedAtMs: Number(accepted_at_ms),
  }));
}

function toOutcome(
  row: Pick<AttemptsTable, 'state' | 'role' | 'revert_reason' | 'ended_at_ms'>,
): readonly CallOutcome[] {
  const { state, role, revert_reason: revertReason, ended_at_ms } = row;
  if (ended_at_ms === null || state === 'accepted' || state === 'broadcast') return [];
  return [{ state, role, revertReason, endedAtMs: Number(ended_at_ms) }];
}
