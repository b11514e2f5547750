import type { Alert, AlertStore, AlertSighting, SeenAlert } from '@sotto/webhook-core';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';

/** Alerts that each instance has reported, stored in a SQL database. */
export class SqlAlertStore implements AlertStore {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  async note(instance: string, alerts: readonly SeenAlert[], lapseMs: number): Promise<void> {
    if (alerts.length === 0) return;
    const now = timeOf(this.dialect);
    await this.db
      .insertInto('webhook_alerts')
      .values(
        alerts.map(({ code, component, standsMs = 0 }) => ({
          code,
          component,
          instance,
          since_ms: sql<bigint>`cast(${now} as bigint) - ${sql.lit(Math.round(standsMs))}`,
          seen_at_ms: now,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['code', 'component', 'instance']).doUpdateSet({
          // If the clock was set back, the stored start of an alert may be in the future. Then the
          // current time becomes the alert's start.
          since_ms: sql`case when webhook_alerts.seen_at_ms > ${timeOf(this.dialect, -lapseMs)}
            and webhook_alerts.since_ms <= excluded.seen_at_ms then webhook_alerts.since_ms else excluded.since_ms end`,
          seen_at_ms: sql`excluded.seen_at_ms`,
        }),
      )
      .execute();
  }

  async sightings({
    code,
    component,
  }: Alert): Promise<{ readonly nowMs: number; readonly sightings: readonly AlertSighting[] }> {
    const rows = await this.db
      .selectFrom('webhook_alerts')
      .select(['since_ms', 'seen_at_ms'])
      .where('code', '=', code)
      .where('component', '=', component)
      .execute();
    const { now_ms: nowMs } = await this.db
      .selectNoFrom(sql<bigint>`${timeOf(this.dialect)}`.as('now_ms'))
      .executeTakeFirstOrThrow();
    return {
      nowMs: Number(nowMs),
      sightings: rows.map(({ since_ms, seen_at_ms }) => ({
        sinceMs: Number(since_ms),
        lastSeenMs: Number(seen_at_ms),
      })),
    };
  }

  async forget(olderThanMs: number): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('webhook_alerts')
      .where('seen_at_ms', '<', timeOf(this.dialect, -olderThanMs))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
