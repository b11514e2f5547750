import type { NewOperatorEntry, OperatorEntry, OperatorLog } from '@sotto/relayer-core';
import type { Kysely, Selectable } from 'kysely';
import type { OperatorActionsTable, StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';

/** Log of the actions of operators, stored in a SQL database. */
export class SqlOperatorLog implements OperatorLog {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  async begin({ holder, action, subject, reason }: NewOperatorEntry): Promise<number> {
    const { id } = await this.db
      .insertInto('operator_actions')
      .values({ at_ms: timeOf(this.dialect), holder, action, subject, reason, outcome: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  async end(id: number, outcome: string): Promise<void> {
    await this.db
      .updateTable('operator_actions')
      .set({ outcome })
      .where('id', '=', BigInt(id))
      .where('outcome', 'is', null)
      .execute();
  }

  async page(before: number | null, limit: number): Promise<readonly OperatorEntry[]> {
    const all = this.db.selectFrom('operator_actions').selectAll();
    const rows = await (before === null ? all : all.where('id', '<', BigInt(before)))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toEntry);
  }
}

function toEntry({
  id,
  at_ms: atMs,
  holder,
  action,
  subject,
  reason,
  outcome,
}: Selectable<OperatorActionsTable>): OperatorEntry {
  return { id: Number(id), atMs: Number(atMs), holder, action, subject, reason, outcome };
}
