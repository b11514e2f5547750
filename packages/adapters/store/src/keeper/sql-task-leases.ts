import type { TaskName } from '@sotto/facts';
import type { LapsedHold, TaskHolder, TaskLeases } from '@sotto/keeper-core';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';

/** Leases of tasks, stored in a SQL database. Each lease has at most one holder. */
export class SqlTaskLeases implements TaskLeases {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  async hold(task: TaskName, instance: string, ttlMs: number): Promise<boolean> {
    const held = {
      holder: instance,
      held_at_ms: timeOf(this.dialect),
      until_ms: timeOf(this.dialect, ttlMs),
    };
    const row = await this.db
      .insertInto('task_leases')
      .values({ task, ...held })
      .onConflict((conflict) =>
        conflict
          .column('task')
          .doUpdateSet(held)
          .where((eb) =>
            eb.or([
              eb('task_leases.holder', '=', instance),
              eb('task_leases.until_ms', '<=', timeOf(this.dialect)),
            ]),
          ),
      )
      // Empty if another instance holds the lease.
      .returning('holder')
      .executeTakeFirst();
    return row !== undefined;
  }

  async release(task: TaskName, instance: string): Promise<void> {
    await this.db
      .updateTable('task_leases')
      .set({ until_ms: timeOf(this.dialect) })
      .where('task', '=', task)
      .where('holder', '=', instance)
      .where('until_ms', '>', timeOf(this.dialect))
      .execute();
  }

  async holders(): Promise<readonly TaskHolder[]> {
    const rows = await this.db
      .selectFrom('task_leases')
      .selectAll()
      .where('until_ms', '>', timeOf(this.dialect))
      .orderBy('task')
      .execute();
    return rows.map(({ task, holder, until_ms }) => ({
      task,
      instance: holder,
      untilMs: Number(until_ms),
    }));
  }

  async lapsed(): Promise<readonly LapsedHold[]> {
    const rows = await this.db
      .selectFrom('task_leases')
      .selectAll()
      .select(sql<bigint>`${timeOf(this.dialect)} - until_ms`.as('for_ms'))
      .where('until_ms', '<=', timeOf(this.dialect))
      .orderBy('task')
      .execute();
    return rows.map(({ task, holder, until_ms, for_ms }) => ({
      task,
      instance: holder,
      untilMs: Number(until_ms),
      forMs: Number(for_ms),
    }));
  }
}
