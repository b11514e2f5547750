import type { LiveEntry, MoneyBook, MoneyEntry } from '@sotto/relayer-core';
import { sql, type Kysely, type Selectable } from 'kysely';
import { answered } from './answered.js';
import { toTerms } from './rows.js';
import { ATTEMPT_IS_LIVE, type AttemptsTable, type Decimal, type StoreSchema } from './schema.js';
import { Statement } from './statement.js';

/** Columns of an attempt that money is told from. */
const MONEY = [
  'id',
  'key',
  'attempt',
  'state',
  'fee_amount',
  'fee_token',
  'cost_fri',
  'strk_usd_e8',
  'fee_token_usd_e8',
  'gas_paid_fri',
  'accepted_at_ms',
  'ended_at_ms',
] as const satisfies readonly (keyof AttemptsTable)[];

type MoneyRow = Pick<Selectable<AttemptsTable>, (typeof MONEY)[number]>;

const endedSince = new Statement<{ readonly sinceMs: bigint; readonly limit: bigint }, MoneyRow>((db, { sinceMs, limit }) =>
  db
    .selectFrom('attempts')
    .select(MONEY)
    .where('ended_at_ms', '>=', sinceMs)
    .orderBy('ended_at_ms', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit),
);

const liveAttempts = new Statement<object, Pick<AttemptsTable, 'key' | 'accepted_at_ms' | 'cost_fri'>>((db) =>
  db.selectFrom('attempts').select(['key', 'accepted_at_ms', 'cost_fri']).where(ATTEMPT_IS_LIVE).orderBy('accepted_at_ms').orderBy('seq'),
);

const noopsSince = new Statement<{ readonly sinceMs: bigint }, { readonly id: string; readonly gas_paid_fri: Decimal | null }>(
  (db, { sinceMs }) =>
    db
      .selectFrom('attempts')
      // Cross joins keep SQLite in this order, from what has ended of late to its nonces.
      .crossJoin('transactions')
      .crossJoin('nonces')
      .select(['attempts.id', 'nonces.gas_paid_fri'])
      .where('attempts.ended_at_ms', '>=', sinceMs)
      .whereRef('transactions.attempt_key', '=', 'attempts.key')
      .whereRef('transactions.attempt_number', '=', 'attempts.attempt')
      .whereRef('nonces.lane', '=', 'transactions.lane')
      .whereRef('nonces.nonce', '=', 'transactions.nonce')
      .where('nonces.state', '=', 'settled')
      .where('nonces.owner_key', 'is', null)
      .where('nonces.gas_paid_fri', 'is not', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('transactions as later')
              .select(sql.lit(1).as('one'))
              .whereRef('later.lane', '=', 'transactions.lane')
              .whereRef('later.nonce', '=', 'transactions.nonce')
              .where('later.kind', '=', 'call')
              .whereRef('later.seq', '>', 'transactions.seq'),
          ),
        ),
      ),
);

/** What submissions brought and cost, from the ledger's own tables. Any error of the store becomes `LedgerUnavailable`. */
export class SqlMoneyBook implements MoneyBook {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  ended(sinceMs: number, limit: number): Promise<readonly MoneyEntry[]> {
    return answered(async () => {
      const rows = await endedSince.all(this.db, { sinceMs: BigInt(sinceMs), limit: BigInt(limit) });
      const charged = await this.#noopsOf(rows.at(-1)?.ended_at_ms ?? null);
      return rows.toReversed().flatMap((row) => toMoneyEntry(row, charged));
    });
  }

  live(): Promise<readonly LiveEntry[]> {
    return answered(async () => {
      const rows = await liveAttempts.all(this.db, {});
      return rows.map(({ key, accepted_at_ms, cost_fri }) => ({
        key,
        acceptedAtMs: Number(accepted_at_ms),
        costFri: cost_fri === null ? null : BigInt(cost_fri),
      }));
    });
  }

  /**
   * What no-ops cost that took a nonce in the place of a call, by the attempt whose call stood there last. No-ops are sent for nonces that
   * an attempt has had, so each has one.
   */
  async #noopsOf(sinceMs: bigint | null): Promise<ReadonlyMap<string, bigint>> {
    const charged = new Map<string, bigint>();
    if (sinceMs === null) return charged;
    const rows = await noopsSince.all(this.db, { sinceMs });
    for (const { id, gas_paid_fri } of rows) charged.set(id, (charged.get(id) ?? 0n) + BigInt(gas_paid_fri ?? '0'));
    return charged;
  }
}

function toMoneyEntry(row: MoneyRow, charged: ReadonlyMap<string, bigint>): readonly MoneyEntry[] {
  const { id, key, state, gas_paid_fri, accepted_at_ms, ended_at_ms } = row;
  if (ended_at_ms === null || state === 'accepted' || state === 'prepared' || state === 'broadcast') return [];
  const gasPaidFri = BigInt(gas_paid_fri ?? '0') + (charged.get(id) ?? 0n);
  return [{ id, key, state, terms: toTerms(row), gasPaidFri, acceptedAtMs: Number(accepted_at_ms), endedAtMs: Number(ended_at_ms) }];
}
