import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DomainError } from '@sotto/kernel';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

/** Files of a ledger after its process was killed, and the ids of its acknowledged submissions. */
export interface LeftFiles extends TemporaryLedgerFile {
  readonly acknowledged: readonly string[];
}

/** Suffixes of all files of a ledger that remain after its process has ended. */
const SUFFIXES = ['', '-wal', '-heartbeat'] as const;

/**
 * Creates the ledger files of a process that is killed after this many acknowledged submissions.
 */
export async function leftFiles(submissions: number): Promise<LeftFiles> {
  const file = temporaryLedgerFile();
  const left = join(file.directory, 'left');
  mkdirSync(left);
  const { ledger, close } = await openSqliteStore({ path: file.path });
  const driver = new LedgerDriver(ledger);
  const names = Array.from({ length: submissions }, (_, index) => `s${index}`);
  for (const name of names) await driver.request(name);
  const path = join(left, 'ledger.db');
  copyFiles(file.path, path);
  await close();
  return { ...file, path, acknowledged: names.map((name) => `id-of-${name}`) };
}

/**
 * Copies files in a child process, because this process would lose SQLite's locks when it closes a
 * file.
 */
export function copyFiles(from: string, to: string, suffixes: readonly string[] = SUFFIXES): void {
  for (const suffix of suffixes) execFileSync('cp', [from + suffix, to + suffix]);
}

/**
 * Result of opening a ledger: the code and reason of its rejection, or the acknowledged submissions
 * that the ledger lacks.
 */
export interface Opened {
  readonly refused: string | null;
  readonly reason?: unknown;
  readonly isPossibleCopy?: boolean;
  readonly missing?: readonly string[];
  readonly damage?: unknown;
}

export async function opened({ path, acknowledged }: LeftFiles): Promise<Opened> {
  let store;
  try {
    store = await openSqliteStore({ path });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, details } = error;
    return { refused: code, reason: details['reason'] ?? details['finding'] };
  }
  const { possibleCopySinceMs } = await store.ledger.state();
  const missing = [];
  for (const id of acknowledged)
    if ((await store.ledger.attemptById(id)) === null) missing.push(id);
  await store.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const damage = database.prepare('pragma integrity_check').get()?.['integrity_check'];
  database.close();
  return { refused: null, isPossibleCopy: possibleCopySinceMs !== null, missing, damage };
}

/** Returns pseudo-random numbers below `limit`. The same seed always yields the same numbers. */
export function draws(seed: number, count: number, limit: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  });
}
