import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
