import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Variables } from '@sotto/process-kit';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Client } from 'pg';
import { z } from 'zod';

/** Where a service keeps its rows. */
export interface Store {
  /** The service's variables for it. */
  readonly env: Variables;
  /** Attempts that have not ended. */
  unsettled(): Promise<number>;
  /**
   * Bytes that the database has logged so far; null where the service's own process writes them.
   */
  loggedBytes(): Promise<number | null>;
}

/** A database, and what SQLite keeps beside it. */
const FILES = ['', '-wal', '-shm', '-heartbeat'];
const UNSETTLED =
  "select count(*) as n from attempts where state in ('accepted', 'prepared', 'broadcast')";
const Count = z.tuple([z.object({ n: z.coerce.number() })]);

export class SqliteStore implements Store {
  constructor(readonly file: string) {}

  /** A file that is not there yet. */
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
  constructor(private readonly url: string) {}

  get env(): Variables {
    return { DATABASE_PATH: '', DATABASE_URL: this.url };
  }

  async unsettled(): Promise<number> {
    return this.#count(UNSETTLED);
  }

  async loggedBytes(): Promise<number> {
    return this.#count("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as n");
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

/** One server for the whole run, started when a case first asks for it; as durable as SQLite. */
export class Postgres {
  #server: Promise<PostgresServer> | null = null;

  /** A database of its own; null where no server runs. */
  async store(): Promise<PostgresStore | null> {
    const found = findPostgres();
    if (found.kind === 'missing') return null;
    this.#server ??= PostgresServer.start(found, {
      settings: ['fsync=on', 'full_page_writes=on'],
    });
    return new PostgresStore(await (await this.#server).createDatabase());
  }

  async stop(): Promise<void> {
    await (await this.#server)?.stop();
  }
}
