import { openPostgresStore, type OpenedStore } from '@sotto/adapter-store';
import type { Ledger } from '@sotto/submission-core';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import type { Disk, DiskOptions } from './disk.js';

/** Number of open stores: one for the judge, and two that the processes use in turn. */
const STORES = 3;
const CONNECTIONS = 3;

/** Databases of a real PostgreSQL server. Each run has a separate database. */
export class PostgresDisks {
  private constructor(private readonly server: PostgresServer) {}

  static async open(): Promise<PostgresDisks> {
    const found = findPostgres();
    if (found.kind !== 'found') throw new Error('there is no PostgreSQL here to run');
    return new PostgresDisks(await PostgresServer.start(found));
  }

  async make(options: DiskOptions): Promise<Disk> {
    const disk = new PostgresDisk(options, () => this.server.createDatabase());
    await disk.replace();
    return disk;
  }

  async close(): Promise<void> {
    await this.server.stop();
  }
}

class PostgresDisk implements Disk {
  #stores: readonly OpenedStore[] = [];
  #opened = 0;

  constructor(
    private readonly options: DiskOptions,
    private readonly newDatabase: () => Promise<string>,
  ) {}

  get ledger(): Ledger {
    return this.#store(0);
  }

  async open(): Promise<Ledger> {
    this.#opened += 1;
    return this.#store(1 + (this.#opened % (STORES - 1)));
  }

  async closed(): Promise<void> {
    // The next process reuses its connections.
  }

  async backUp(): Promise<void> {
    // A lost database is always replaced by an empty one here.
  }

  async replace(): Promise<'empty'> {
    await this.end();
    const { nowMs, monotonicMs, decide } = this.options;
    const url = await this.newDatabase();
    const stores: OpenedStore[] = [];
    for (let index = 0; index < STORES; index += 1) {
      stores.push(
        await openPostgresStore({
          url,
          poolSize: CONNECTIONS,
          clock: { nowMs, monotonicMs },
          decide,
        }),
      );
    }
    this.#stores = stores;
    return 'empty';
  }

  async end(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.close()));
    this.#stores = [];
  }

  #store(index: number): Ledger {
    const store = this.#stores[index];
    if (store === undefined) throw new Error('the database is not open');
    return store.ledger;
  }
}
