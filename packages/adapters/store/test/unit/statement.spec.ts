import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Kysely } from 'kysely';
import { NodeSqliteDatabase } from '../../src/sqlite/node-sqlite.js';
import { NO_LOG, NodeSqliteDialect } from '../../src/sqlite/sqlite-driver.js';
import type { StoreSchema } from '../../src/schema.js';
import { Statement } from '../../src/statement.js';

describe('Statement', () => {
  let databases: Kysely<StoreSchema>[];
  beforeEach(async () => {
    databases = [database(), database()];
    for (const db of databases) {
      await db.schema
        .createTable('claims')
        .addColumn('name', 'text')
        .addColumn('holder', 'text')
        .addColumn('since_ms', 'integer')
        .execute();
    }
  });
  afterEach(async () => {
    for (const db of databases) await db.destroy();
  });

  it('an SQL statement is built once per database, but each run uses new values', async () => {
    const [one, other] = pair(databases);
    let built = 0;
    const insert = new Statement<{ name: string; holder: string; since_ms: bigint }, unknown>(
      (db, row) => {
        built += 1;
        return db.insertInto('claims').values(row);
      },
    );
    for (const name of ['a', 'b']) {
      expect(
        (await insert.run(one, { name, holder: `of ${name}`, since_ms: 1n })).numAffectedRows,
      ).toBe(1n);
    }
    await insert.run(other, { name: 'c', holder: 'of c', since_ms: 2n });
    expect(built).toBe(2);
    expect(await one.selectFrom('claims').selectAll().execute()).toEqual([
      { name: 'a', holder: 'of a', since_ms: 1n },
      { name: 'b', holder: 'of b', since_ms: 1n },
    ]);
    expect(await other.selectFrom('claims').select('name').execute()).toEqual([{ name: 'c' }]);
  });

  it('an SQL statement inserts its values at their positions without a change of its text', async () => {
    const [db] = pair(databases);
    const sinceOf = new Statement<{ holder: string; name: string }, { since_ms: bigint }>(
      (on, { name, holder }) =>
        on
          .selectFrom('claims')
          .select('since_ms')
          .where('name', '=', name)
          .where('since_ms', '>', 5n)
          .where('holder', '=', holder),
    );
    await db.transaction().execute(async (inside) => {
      await inside
        .insertInto('claims')
        .values([
          { name: 'a', holder: 'h', since_ms: 5n },
          { name: 'b', holder: 'h', since_ms: 6n },
        ])
        .execute();
      expect(await sinceOf.first(inside, { name: 'a', holder: 'h' })).toBeUndefined();
      expect(await sinceOf.all(inside, { name: 'b', holder: 'h' })).toEqual([{ since_ms: 6n }]);
      expect(await sinceOf.all(inside, { name: 'h', holder: 'b' })).toEqual([]);
    });
  });
});

function database(): Kysely<StoreSchema> {
  return new Kysely({
    dialect: new NodeSqliteDialect({
      database: new NodeSqliteDatabase(new DatabaseSync(':memory:')),
      log: NO_LOG,
    }),
  });
}

function pair<T>([first, second]: readonly T[]): readonly [T, T] {
  if (first === undefined || second === undefined) throw new Error('two were made');
  return [first, second];
}
