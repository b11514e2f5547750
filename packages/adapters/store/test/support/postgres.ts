import { randomUUID } from 'node:crypto';
import { describe } from '@jest/globals';
import { Client, type QueryResult } from 'pg';
import { openPostgresStore } from '../../src/index.js';

/** As the settings say where they name nothing else. */
export const POOL_SIZE = 10;

const url = process.env['SOTTO_POSTGRES_URL'];
const reason = process.env['SOTTO_POSTGRES_MISSING'];

/** Describes what needs a server; skipped, and saying why, where none runs. */
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

/** Row by row, which for a few rows is far cheaper than new files for every table. */
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

/** A database of the run's server for one test. */
export interface TemporaryDatabase {
  readonly url: string;
  /** Rows of one statement, each as an object. */
  ask(
    statement: string,
    parameters?: readonly unknown[],
  ): Promise<readonly Record<string, unknown>[]>;
  /** Deletes all rows, as if the schema had just been set up. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Without any table. */
export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  return databaseFrom('template1');
}

let migrated: Promise<string> | undefined;

/**
 * An empty store, migrated: migrations take longer than most tests, and have tests of their own.
 */
export async function migratedDatabase(): Promise<TemporaryDatabase> {
  migrated ??= migratedTemplate();
  return databaseFrom(await migrated);
}

/** Goes with the run's server. */
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
  await asked(url, `create database ${name} template ${template}`);
  return {
    url: address,
    ask: (statement, parameters) => asked(address, statement, parameters),
    empty: async () => void (await asked(address, EMPTY)),
    remove: async () => void (await asked(url, `drop database ${name} with (force)`)),
  };
}

/** Those that a test of this file has done with. */
const usedBefore: TemporaryDatabase[] = [];

/**
 * A database for a test that needs no more than the schema and no rows: to set the schema up takes
 * longer than most tests.
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

/** Rows of one statement on a connection of its own. */
export async function asked(
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
