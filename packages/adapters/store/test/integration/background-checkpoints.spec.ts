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

describe('log of a SQLite store', () => {
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

  /**
   * Returns the number of accepted submissions in the database file, without those that are only in
   * the log.
   */
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

  it('SQLite’s write-ahead log is checkpointed soon after a write, and again after the next write', async () => {
    const driver = new LedgerDriver(opened.ledger);
    for (const [index, key] of ['a', 'b', 'c'].entries()) {
      await driver.accepted(key);
      const untilMs = systemClock.nowMs() + 10_000;
      while (inFile() < index + 1 && systemClock.nowMs() < untilMs) await systemClock.sleep(20);
      expect(inFile()).toBe(index + 1);
    }
    expect(statSync(`${file.path}-wal`).size).toBeGreaterThan(0);
  });

  it('SQLite’s write-ahead log is checkpointed completely while writes continue', async () => {
    const driver = new LedgerDriver(opened.ledger);
    for (let index = 0; index < 40; index += 1) {
      await driver.accepted(`busy-${index}`);
      await systemClock.sleep(20);
    }
    const untilMs = systemClock.nowMs() + 10_000;
    while (inFile() < 40 && systemClock.nowMs() < untilMs) await systemClock.sleep(20);
    expect(inFile()).toBe(40);
  });

  it('a redaction truncates SQLite’s write-ahead log even while a checkpoint is running', async () => {
    const driver = new LedgerDriver(opened.ledger);
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 20; index += 1)
        await driver.endWaiting(await driver.accepted(`${round}-${index}`));
      // The background checkpoint starts at approximately this time.
      await systemClock.sleep(995);
      expect(await opened.ledger.redact(-1)).toBe(20);
      expect(statSync(`${file.path}-wal`).size).toBe(0);
    }
  });
});

const never = (): void => {
  throw new Error('on the event loop');
};

describe('log truncation', () => {
  let file: TemporaryLedgerFile;
  let database: DatabaseSync;
  beforeEach(async () => {
    file = await migratedLedgerFile();
    database = new DatabaseSync(file.path);
    database.exec('pragma wal_autocheckpoint = 0; create table filler (bytes blob)');
  });
  afterEach(() => {
    database.close();
    file.remove();
  });

  const write = (): void => database.exec('insert into filler values (zeroblob(1000000))');
  const logBytes = (): number => statSync(`${file.path}-wal`).size;

  it('the checkpoint thread truncates the write-ahead log, and runs only one truncation at a time', async () => {
    let holders = 0;
    let most = 0;
    const checkpoints = new BackgroundCheckpoints(file.path, {
      isTrusted: () => true,
      unwritten: async (run) => {
        // The first checkpoint has already copied most of the log, so this write comes after it and
        // needs another checkpoint.
        write();
        most = Math.max(most, (holders += 1));
        await run();
        left.push(logBytes());
        holders -= 1;
      },
    });
    write();
    const left: number[] = [];
    await Promise.all([checkpoints.emptied(never), checkpoints.emptied(never)]);
    await checkpoints.close();
    expect(most).toBe(1);
    expect(left).toEqual([0, 0]);
  });

  it('the truncation of the write-ahead log fails while another connection reads', async () => {
    const checkpoints = new BackgroundCheckpoints(file.path, {
      isTrusted: () => true,
      unwritten: (run) => run(),
    });
    write();
    const reader = new DatabaseSync(file.path);
    reader.exec('begin; select count(*) from filler');
    write();
    await expect(checkpoints.emptied(never)).rejects.toThrow('another reader');
    expect(logBytes()).toBeGreaterThan(0);
    reader.close();
    await checkpoints.emptied(never);
    expect(logBytes()).toBe(0);
    await checkpoints.close();
  });

  it('the write-ahead log is truncated on the event loop if the checkpoint thread fails', async () => {
    const checkpoints = new BackgroundCheckpoints(`${file.path}/nowhere`, {
      isTrusted: () => true,
      unwritten: (run) => run(),
    });
    const failing = checkpoints.emptied(() => {
      throw new Error('still read');
    });
    await expect(failing).rejects.toThrow('still read');
    await checkpoints.emptied(() => {});
    await checkpoints.close();
  });
});

describe('log checkpoint', () => {
  let file: TemporaryLedgerFile;
  let database: DatabaseSync;
  beforeEach(async () => {
    file = await migratedLedgerFile();
    database = new DatabaseSync(file.path);
    database.exec('pragma wal_autocheckpoint = 0; create table filler (bytes blob)');
  });
  afterEach(() => {
    database.close();
    file.remove();
  });

  const write = (kilobytes: number): void => {
    database.prepare('insert into filler values (randomblob(?))').run(kilobytes * 1_024);
  };
  /**
   * Returns the number of pages in the log, and the number of log pages that are already in the
   * file.
   */
  const copied = (): Readonly<Record<string, unknown>> =>
    database.prepare('pragma wal_checkpoint(noop)').get() ?? {};
  const isCopied = (): boolean => copied()['log'] === copied()['checkpointed'];

  it('a checkpoint copies a long write-ahead log completely even while calls wait', async () => {
    let isCopiedToItsEnd = false;
    const ended = Promise.withResolvers<void>();
    const checkpoints = new BackgroundCheckpoints(file.path, {
      isTrusted: () => true,
      async unwritten(run) {
        // This write simulates commits of a call during the checkpoint.
        write(40);
        await run();
        isCopiedToItsEnd = isCopied() && Number(copied()['log']) > 0;
        ended.resolve();
      },
    });
    write(16_400);
    checkpoints.grown();
    await ended.promise;
    await checkpoints.close();
    expect(isCopiedToItsEnd).toBe(true);
  });

  it('the checkpoint of a short write-ahead log does not block calls', async () => {
    let stops = 0;
    const checkpoints = new BackgroundCheckpoints(file.path, {
      isTrusted: () => true,
      unwritten: async () => void (stops += 1),
    });
    write(400);
    checkpoints.grown();
    while (!isCopied()) await systemClock.sleep(10);
    await checkpoints.close();
    expect(stops).toBe(0);
  });

  it('the checkpoint is skipped while the write-ahead log may differ between disk and memory', async () => {
    const requested = Promise.withResolvers<void>();
    const checkpoints = new BackgroundCheckpoints(file.path, {
      isTrusted() {
        requested.resolve();
        return false;
      },
      unwritten: (run) => run(),
    });
    write(10);
    checkpoints.grown();
    await requested.promise;
    await checkpoints.close();
    expect(copied()).toMatchObject({ checkpointed: 0 });
  });
});
