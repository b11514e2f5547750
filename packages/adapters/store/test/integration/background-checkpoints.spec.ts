import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { Kysely } from 'kysely';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { NodeSqliteDatabase, NodeSqliteDialect } from '../../src/sqlite/node-sqlite.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

describe('a connection to SQLite', () => {
  it('reports transactions that may have written, and no others', async () => {
    let committed = 0;
    const database = new NodeSqliteDatabase(new DatabaseSync(':memory:'));
    const db = new Kysely({
      dialect: new NodeSqliteDialect({ database, committed: () => void (committed += 1) }),
    });
    await db
      .transaction()
      .setAccessMode('read only')
      .execute(async () => {});
    expect(committed).toBe(0);
    await db.transaction().execute(async () => {});
    expect(committed).toBe(1);
    await expect(db.transaction().execute(() => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(committed).toBe(1);
    await db.destroy();
  });
});

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
});
