import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '@sotto/process-kit';
import { sotto } from './operator.js';
import type { Stack } from './stack.js';

/** Files of a SQLite ledger: the database and the log that belongs to it. */
const PARTS = ['', '-wal'] as const;

/** How a copy of the ledger is taken while the service runs. */
export type CopyMethod = 'backup command' | 'file copy';

/** Copies the ledger while the service runs. @returns the copy's file */
export async function copyLedger(stack: Stack, method: CopyMethod): Promise<string> {
  const copy = join(stack.folder, `copy of ${method}.sqlite`);
  if (method === 'backup command') {
    await sotto(['backup', '--store', stack.databaseFile, '--out', copy], process.env);
    return copy;
  }
  for (const part of PARTS)
    if (existsSync(`${stack.databaseFile}${part}`))
      copyFileSync(`${stack.databaseFile}${part}`, `${copy}${part}`);
  return copy;
}

/** Kills the service and puts the copy in the place of its ledger. The caller starts a service. */
export async function restoreLedger(stack: Stack, copy: string): Promise<void> {
  stack.service.kill('SIGKILL');
  await stack.service.ended;
  for (const part of [...PARTS, '-shm'])
    rmSync(`${stack.databaseFile}${part}`, { force: true });
  for (const part of PARTS)
    if (existsSync(`${copy}${part}`)) copyFileSync(`${copy}${part}`, `${stack.databaseFile}${part}`);
}

/** {@link restoreLedger}, then a new service. @param env on top of the stack's */
export async function startOverCopy(
  stack: Stack,
  copy: string,
  env: Variables = {},
): Promise<void> {
  await restoreLedger(stack, copy);
  await stack.restart(env);
}
