import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Variables } from '@sotto/process-kit';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Client } from 'pg';
import { z } from 'zod';

/** Database of a service. */
export interface Store {
  /** Environment variables with which the service uses this database. */
  readonly env: Variables;
  /** Returns the number of attempts that have not ended. */
  unsettled(): Promise<number>;
  /**
   * Returns the number of bytes that the database server has written to its write-ahead log so far.
   * Returns null if the service's own process writes these bytes.
   */
  loggedBytes(): Promise<number | null>;
}

/** Suffixes of the names of the database file and of SQLite's other files. */
const FILES = ['', '-wal', '-shm', '-heartbeat'];
const UNSETTLED =
  "select count(*) as n from attempts where state in ('accepted', 'prepared', 'broadcast')";
/**
 * Number of transactions that the server has committed in this database. A statement outside of a
 * transaction counts as one.
 */
const COMMITS = 'select xact_commit as n from pg_stat_database where datname = current_database()';
const Count = z.tuple([z.object({ n: z.coerce.number() })]);

export class SqliteStore implements Store {
  constructor(readonly file: string) {}

  /** Creates a store in a new database file. */
  static fresh(folder: string, name: string): SqliteStore {
    const store = new SqliteStore(`${folder}/${name}.sqlite`);
    store.remove();
    return store;
  }

  get env(): Variables {
    return { DATABASE_PATH: this.file };
  }

  async unsettled(): Promise<number> {
    return this.#count(UNSETTLED);
  }

  async loggedBytes(): Promise<null> {
    return null;
  }

  remove(): void {
    for (const suffix of FILES) rmSync(`${this.file}${suffix}`, { force: true });
  }

  #count(sql: string): number {
    const database = new DatabaseSync(this.file, { readOnly: true });
    try {
      return Count.parse(database.prepare(sql).all())[0].n;
    } finally {
      database.close();
    }
  }
}

export class PostgresStore implements Store {
  constructor(
    private readonly url: string,
    private readonly server: PostgresServer,
  ) {}

  get env(): Variables {
    return { DATABASE_PATH: '', DATABASE_URL: this.url };
  }

  async unsettled(): Promise<number> {
    return this.#count(UNSETTLED);
  }

  async loggedBytes(): Promise<number> {
    return this.#count("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as n");
  }

  /** Returns the number of commits so far. The server updates this number once per second. */
  async commits(): Promise<number> {
    return this.#count(COMMITS);
  }

  /** Returns the CPU time of the server so far, in ms. */
  serverCpuMs(): number {
    return this.server.cpuMs();
  }

  async #count(sql: string): Promise<number> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return Count.parse((await client.query(sql)).rows)[0].n;
    } finally {
      await client.end();
    }
  }
}

/**
 * PostgreSQL server for the whole run, as durable as SQLite. The server starts when a case first
 * needs it.
 */
export class Postgres {
  #server: Promise<PostgresServer> | null = null;

  /** Creates a store in a separate database. Returns null if PostgreSQL is not installed. */
  async store(): Promise<PostgresStore | null> {
    const found = findPostgres();
    if (found.kind === 'missing') return null;
    this.#server ??= PostgresServer.start(found, {
      settings: ['fsync=on', 'full_page_writes=on'],
    });
    const server = await this.#server;
    return new PostgresStore(await server.createDatabase(), server);
  }

  async stop(): Promise<void> {
    await (await this.#server)?.stop();
  }
}
