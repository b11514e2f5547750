import { randomUUID } from 'node:crypto';
import { describe } from '@jest/globals';
import { Client, type QueryResult } from 'pg';

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

const EMPTY = `do $$ begin execute (
  select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity'
  from pg_tables where schemaname = 'public' and tablename not like '%migration%'
); end $$`;

/** An empty database of the run's server. */
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

export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  if (url === undefined) throw new Error('there is no server');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const address = url.replace(/\/postgres$/, `/${name}`);
  await asked(url, `create database ${name}`);
  return {
    url: address,
    ask: (statement, parameters) => asked(address, statement, parameters),
    async empty() {
      await asked(address, EMPTY);
      await asked(address, 'insert into chain (id) values (1)');
    },
    remove: async () => void (await asked(url, `drop database ${name} with (force)`)),
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
