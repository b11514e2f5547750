import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { BackgroundCheckpoints } from '../../src/sqlite/background-checkpoints.js';
import {
  migratedLedgerFile,
  temporaryLedgerFile,
  type TemporaryLedgerFile,
} from '../temporary-ledger-file.js';

describe('the log of a SQLite store', () => {
  let file: TemporaryLedgerFile;
  let opened: OpenedStore;
  beforeEach(async () => {
    file = temporaryLedgerFile();
    opened = await openSqliteStore({ path: file.path });
  });
  afterEach(async () => {
    await opened.close();
    file.remove();
  });

  /** Accepted submissions that the file itself holds, whatever stands in the log. */
  const inFile = (): number => {
    const database = new DatabaseSync(`file:${file.path}?immutable=1`, { readOnly: true });
    try {
      return Number(
        database
          .prepare(`select count(*) as count from sqlite_schema where name = 'attempts'`)
          .get()?.['count'],
      ) === 0
        ? 0
        : Number(database.prepare('select count(*) as count from attempts').get()?.['count']);
    } finally {
      database.close();
    }
  };

  it('is copied into the file soon after a write, and again after the next', async () => {
    const driver = new LedgerDriver(opened.ledger);
    for (const [index, key] of ['a', 'b', 'c'].entries()) {
      await driver.accepted(key);
      const untilMs = systemClock.nowMs() + 10_000;
      while (inFile() < index + 1 && systemClock.nowMs() < untilMs) await systemClock.sleep(20);
      expect(inFile()).toBe(index + 1);
    }
    expect(statSync(`${file.path}-wal`).size).toBeGreaterThan(0);
  });

  it('is copied to its end when writes go on meanwhile', async () => {
    const driver = new LedgerDriver(opened.ledger);
    for (let index = 0; index < 40; index += 1) {
      await driver.accepted(`busy-${index}`);
      await systemClock.sleep(20);
    }
    const untilMs = systemClock.nowMs() + 10_000;
    while (inFile() < 40 && systemClock.nowMs() < untilMs) await systemClock.sleep(20);
    expect(inFile()).toBe(40);
  });

  it('is emptied by a wipe while it is being copied', async () => {
    const driver = new LedgerDriver(opened.ledger);
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 20; index += 1)
        await driver.endWaiting(await driver.accepted(`${round}-${index}`));
      // About when the copying begins.
      await systemClock.sleep(245);
      expect(await opened.ledger.redact(-1)).toBe(20);
      expect(statSync(`${file.path}-wal`).size).toBe(0);
    }
  });

  it('is left alone while what is on disk of it may differ', async () => {
    const written = await migratedLedgerFile();
    const database = new DatabaseSync(written.path);
    database.exec(`insert into canary values (1, 1)`);
    const asked = Promise.withResolvers<void>();
    const checkpoints = new BackgroundCheckpoints(written.path, () => {
      asked.resolve();
      return false;
    });
    checkpoints.grown();
    await asked.promise;
    await checkpoints.close();
    // Nothing is left to copy where it was.
    expect(database.prepare('pragma wal_checkpoint(noop)').get()).toMatchObject({
      checkpointed: 0,
    });
    database.close();
    written.remove();
  });
});
