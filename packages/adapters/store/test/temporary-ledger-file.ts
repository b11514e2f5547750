import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../src/index.js';

export interface TemporaryLedgerFile {
  readonly directory: string;
  readonly path: string;
  remove(): void;
}

export function temporaryLedgerFile(): TemporaryLedgerFile {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  return {
    directory,
    path: join(directory, 'ledger.db'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/**
 * Resets the identity of a ledger file. Copies of the file are then treated as new files, not as
 * possible copies.
 */
function forgetIdentity(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('pragma user_version = 0; delete from canary');
  database.close();
}

let migrated: Promise<Uint8Array> | undefined;

/**
 * Creates a migrated, empty store from a template file. The template saves time, because the
 * migrations are slower than most tests. Other tests examine the migrations.
 */
export async function migratedLedgerFile(): Promise<TemporaryLedgerFile> {
  migrated ??= migratedBytes();
  const file = temporaryLedgerFile();
  writeFileSync(file.path, await migrated, { mode: 0o600 });
  return file;
}

async function migratedBytes(): Promise<Uint8Array> {
  const file = temporaryLedgerFile();
  const { close } = await openSqliteStore({ path: file.path });
  await close();
  forgetIdentity(file.path);
  const bytes = readFileSync(file.path);
  file.remove();
  return bytes;
}
