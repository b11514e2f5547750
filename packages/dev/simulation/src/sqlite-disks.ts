import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '@sotto/adapter-store';
import { SqliteDisk, type Disk, type DiskOptions } from './disk.js';

/**
 * Directory of the SQLite files. If possible, it is in memory, because disk latency is not tested.
 */
const FILES = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Real SQLite files for runs. Each file starts as a copy of an empty store, since the store's
 * migrations need more time than a run.
 */
export class SqliteDisks {
  #made = 0;

  private constructor(
    private readonly directory: string,
    private readonly template: string,
  ) {}

  static async open(): Promise<SqliteDisks> {
    const directory = mkdtempSync(join(FILES, 'simulation-'));
    const template = join(directory, 'empty.db');
    const store = await openSqliteStore({ path: template });
    await store.close();
    // The version is reset so that the store treats a copy of this file as a new ledger.
    const database = new DatabaseSync(template);
    database.exec('pragma user_version = 0');
    database.close();
    return new SqliteDisks(directory, template);
  }

  make(options: DiskOptions): Promise<Disk> {
    this.#made += 1;
    return SqliteDisk.make(options, this.directory, this.template, `ledger-${this.#made}`);
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
