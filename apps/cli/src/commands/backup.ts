import { existsSync } from 'node:fs';
import { backupSqlite } from '@sotto/relayer/operation';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { Command } from 'commander';
import { ledgerFile, takesSettings, type SettingsOptions } from '../environment.js';
import { CannotRun, show, type Terminal } from '../terminal.js';

interface Options extends SettingsOptions {
  readonly out: string;
  readonly store?: string;
  readonly json?: true;
}

/** Adds the command that copies the ledger's file while the service is running. */
export function addBackup(program: Command, terminal: Terminal): void {
  takesSettings(
    program
      .command('backup')
      .summary('copies the ledger’s file while the service runs')
      .description(
        'Copies the state of the SQLite ledger at one moment to a new file that only its owner can read. The service may continue to run. The copy is checked before it gets its name. A PostgreSQL ledger is backed up with pg_dump. docs/runbook.md describes the effects of a restored copy on a service.',
      ),
  )
    .requiredOption('--out <file>', 'file for the copy; it must not exist')
    .option('--store <file>', 'the ledger; default: that of the service’s settings')
    .option('--json', 'the result as one JSON value')
    .action(({ out, store, json, ...options }: Options) => {
      const path = store ?? ledgerFile(options, terminal, 'back it up with pg_dump');
      if (!existsSync(path)) throw new CannotRun(`the ledger ${path} does not exist`);
      show(
        terminal,
        json === true,
        { file: out, ...copied(path, out) },
        ({ file, bytes }) => `${file}: ${bytes} bytes, checked`,
      );
    });
}

function copied(path: string, out: string): { readonly bytes: number } {
  try {
    return backupSqlite(path, out);
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    const { causeCode } = error;
    throw new CannotRun(
      causeCode === 'EEXIST'
        ? '--out: the file exists, and a copy is never overwritten'
        : `the ledger could not be copied (${causeCode ?? 'no cause'})`,
    );
  }
}
