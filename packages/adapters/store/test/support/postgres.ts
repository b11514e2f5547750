import { randomUUID } from 'node:crypto';
import { describe } from '@jest/globals';
import { Client, type QueryResult } from 'pg';
import { openPostgresStore } from '../../src/index.js';

/** Default pool size of the service's settings. */
export const POOL_SIZE = 10;

const url = process.env['SOTTO_POSTGRES_URL'];
const reason = process.env['SOTTO_POSTGRES_MISSING'];

/**
 * Defines tests that need a PostgreSQL server. If no server is available, the tests are skipped
 * with the reason.
 */
export function describeWithPostgres(name: string, define: () => void): void {
  const [where, why] =
    url === undefined
      ? [
          describe.skip,
          ` [skipped: ${reason ?? 'run these tests by jest.config.mjs, which starts a server'}]`,
        ]
      : [describe, ''];
  where(`${name}${why}`, define);
}

/**
 * Statement that deletes the rows of all tables. For few rows, a deletion is much faster than
 * truncation, which creates new files for every table.
 */
const EMPTY = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select quote_ident(tablename) from pg_tables
    where schemaname = 'public' and tablename not like '%migration%'
  loop execute 'delete from ' || name; end loop;
  for name in select quote_ident(sequencename) from pg_sequences
    where schemaname = 'public' and last_value is not null
  loop execute 'alter sequence ' || name || ' restart'; end loop;
  insert into chain (id) values (1);
end $$`;

/** Database for one test on the run's server. */
export interface TemporaryDatabase {
  readonly url: string;
  /** Returns the rows of one statement as objects. */
  query(
    statement: string,
    parameters?: readonly unknown[],
  ): Promise<readonly Record<string, unknown>[]>;
  /** Deletes all rows, so that the database equals a newly created one. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Creates an empty database without tables. */
export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  return databaseFrom('template1');
}

let migrated: Promise<string> | undefined;

/**
 * Creates a migrated, empty store from a template database. The template saves time, because the
 * migrations are slower than most tests. Other tests examine the migrations.
 */
export async function migratedDatabase(): Promise<TemporaryDatabase> {
  migrated ??= migratedTemplate();
  return databaseFrom(await migrated);
}

/**
 * Creates the template database, which is removed together with the PostgreSQL server of the test
 * run.
 */
async function migratedTemplate(): Promise<string> {
  const database = await temporaryDatabase();
  const { close } = await openPostgresStore({ url: database.url, poolSize: 1 });
  await close();
  await database.empty();
  return new URL(database.url).pathname.slice(1);
}

async function databaseFrom(template: string): Promise<TemporaryDatabase> {
  if (url === undefined) throw new Error('there is no server');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const address = url.replace(/\/postgres$/, `/${name}`);
  await requested(url, `create database ${name} template ${template}`);
  return {
    url: address,
    query: (statement, parameters) => requested(address, statement, parameters),
    empty: async () => void (await requested(address, EMPTY)),
    remove: async () => void (await requested(url, `drop database ${name} with (force)`)),
  };
}

/** Databases that finished tests of this file have released, for use by the next tests. */
const usedBefore: TemporaryDatabase[] = [];

/**
 * Returns a database with the schema but without rows. Released databases are used again, because
 * creating the schema is slower than most tests.
 */
export async function emptiedDatabase(): Promise<TemporaryDatabase> {
  const database = usedBefore.pop() ?? (await migratedDatabase());
  return {
    ...database,
    async remove() {
      await database.empty();
      usedBefore.push(database);
    },
  };
}

/** Runs one statement over a separate connection and returns its rows. */
export async function requested(
  address: string,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    const result: QueryResult<Record<string, unknown>> = await client.query(statement, [
      ...parameters,
    ]);
    return result.rows;
  } finally {
    await client.end();
  }
}
