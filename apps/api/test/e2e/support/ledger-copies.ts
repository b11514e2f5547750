import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sotto } from './operator.js';
import type { Stack } from './stack.js';

const DATABASE = ['', '-wal'] as const;
const ALL_FILES = [...DATABASE, '-shm', '-heartbeat'] as const;

/**
 * Methods to copy a running service's ledger and to restore the copy.
 *
 * - `backup`: the operator's command writes one file, which is marked as a copy.
 * - `files`: the database file and its write-ahead log are copied. The heartbeat file is not
 *   copied, so it is newer than the copy.
 * - `snapshot`: all files are copied and later written back to the same paths, as a snapshot of a
 *   volume does. No file shows that the ledger is a copy.
 */
export type CopyMethod = 'backup' | 'files' | 'snapshot';

export interface LedgerCopy {
  readonly file: string;
  readonly method: CopyMethod;
}

/** Copies the ledger while the service runs. */
export async function copyLedger(stack: Stack, method: CopyMethod): Promise<LedgerCopy> {
  const file = join(stack.folder, `${method}.sqlite`);
  if (method === 'backup')
    await sotto(['backup', '--store', stack.databaseFile, '--out', file], stack.environment);
  else copyFiles(stack.databaseFile, file, method === 'files' ? DATABASE : ALL_FILES);
  return { file, method };
}

/** Kills the service and replaces its ledger by the copy. The caller must start a new service. */
export async function restoreLedger(stack: Stack, { file, method }: LedgerCopy): Promise<void> {
  stack.service.kill('SIGKILL');
  await stack.service.ended;
  const { databaseFile } = stack;
  if (method !== 'snapshot')
    for (const part of ['', '-wal', '-shm']) rmSync(`${databaseFile}${part}`, { force: true });
  copyFiles(file, databaseFile, method === 'snapshot' ? ALL_FILES : DATABASE);
}

function copyFiles(from: string, to: string, parts: readonly string[]): void {
  for (const part of parts)
    if (existsSync(`${from}${part}`)) copyFileSync(`${from}${part}`, `${to}${part}`);
    else rmSync(`${to}${part}`, { force: true });
}
