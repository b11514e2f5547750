import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { copyFiles, leftFiles, opened, type LeftFiles } from '../support/left-files.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

/** Number of rows. These rows need several pages, so the log does not contain all of them. */
const ROWS = 300;
const WHOLE = { refused: null, missing: [], damage: 'ok' };

/**
 * Checkpoints and truncates the log through a different connection, as another process might do.
 */
async function emptyLog(path: string): Promise<void> {
  const database = new DatabaseSync(path);
  const checkpoint = database.prepare('pragma wal_checkpoint(truncate)');
  // The checkpoint fails immediately while the store's own checkpoint is running, so repeat it.
  while (checkpoint.get()?.['busy'] !== 0) await setTimeout(20);
  database.close();
}

describe('T17: a SQLite store', () => {
  let files: LeftFiles;
  afterEach(() => {
    files.remove();
  });

  it('rejects a ledger file from before a checkpoint if the write-ahead log was restarted after the checkpoint', async () => {
    files = { ...(await migratedLedgerFile()), acknowledged: [] };
    const { path } = files;
    const { ledger, close } = await openSqliteStore({ path });
    const driver = new LedgerDriver(ledger);
    for (let index = 0; index < ROWS; index += 1) await driver.request(`s${index}`);
    await emptyLog(path);
    copyFiles(path, `${path}-older`, ['']);
    // This call changes a row and adds none, so that the number of entries in each index remains
    // the same.
    const waiting = await ledger.attemptById('id-of-s9');
    if (waiting === null) throw new Error('the submission was not stored');
    const { effect } = waiting;
    expect(await driver.renew(waiting, 'newer', { effect })).toMatchObject({ applied: true });
    await emptyLog(path);
    await driver.request('last');
    copyFiles(path, `${path}-left`);
    await close();
    rmSync(`${path}-shm`, { force: true });
    for (const suffix of ['', '-wal', '-heartbeat'])
      copyFiles(`${path}-left${suffix}`, path + suffix, ['']);
    copyFiles(`${path}-older`, path, ['']);
    expect(await opened(files)).toEqual({
      refused: 'LEDGER_INCOMPLETE',
      reason: 'the file is older than its log',
    });
    copyFiles(`${path}-left`, path, ['']);
    expect(await opened({ ...files, acknowledged: ['id-of-last'] })).toMatchObject(WHOLE);
  });

  it('rejects a missing ledger file if the heartbeat file states that the ledger has commits', async () => {
    files = await leftFiles(3);
    for (const suffix of ['', '-wal']) rmSync(files.path + suffix);
    expect(await opened(files)).toEqual({
      refused: 'LEDGER_INCOMPLETE',
      reason: 'the file is missing',
    });
  });

  it('marks a ledger as a copy if all its files were deleted and restored', async () => {
    files = { ...(await migratedLedgerFile()), acknowledged: [] };
    const { path } = files;
    expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: false });
    const kept = ['', '-heartbeat'];
    copyFiles(path, `${path}-kept`, kept);
    for (const suffix of kept) rmSync(path + suffix);
    copyFiles(`${path}-kept`, path, kept);
    expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: true });
  });

  it('the error message for a rejected ledger file contains the finding', async () => {
    files = await leftFiles(3);
    rmSync(`${files.path}-wal`);
    await expect(openSqliteStore({ path: files.path })).rejects.toThrow(
      /acknowledged commits are missing/,
    );
  });
});
