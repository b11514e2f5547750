import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { acceptIncompleteLedger, backupSqlite, openSqliteStore } from '../../src/index.js';
import { describeWhere } from '../support/describe-where.js';
import { copyFiles, draws, leftFiles, opened, type LeftFiles } from '../support/left-files.js';
import { writerKilledAfter } from '../support/processes.js';
import { migratedLedgerFile } from '../temporary-ledger-file.js';

const OPEN = fileURLToPath(new URL('../children/open-read-only.mjs', import.meta.url));
const WHOLE = { refused: null, missing: [], damage: 'ok' };
const ROWS = [0, 1, 60];
const SEED = 17;

describe('T17: a SQLite store', () => {
  let files: LeftFiles;
  afterEach(() => {
    files.remove();
  });

  async function left(submissions: number): Promise<LeftFiles> {
    files = await leftFiles(submissions);
    return files;
  }

  it('the ledger files of a killed process can be opened, and are not marked as a copy', async () => {
    const file = await migratedLedgerFile();
    const acknowledged = [...(await writerKilledAfter(17, file.path)).keys()];
    files = { ...file, acknowledged };
    expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: false });
    expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: false });
  });

  describe.each(ROWS)('with %i submissions', (submissions) => {
    it('rejects a ledger file without its write-ahead log if the log contained acknowledged commits', async () => {
      const { path } = await left(submissions);
      rmSync(`${path}-wal`);
      // Commits from before this point are in the file, because they were checkpointed when the
      // store was opened.
      const answer =
        submissions === 0
          ? WHOLE
          : { refused: 'LEDGER_INCOMPLETE', reason: 'acknowledged commits are missing' };
      expect(await opened(files)).toMatchObject(answer);
      expect(await opened(files)).toMatchObject(answer);
    });

    it('rejects at each start a ledger file whose write-ahead log and heartbeat file are missing', async () => {
      const { path } = await left(submissions);
      rmSync(`${path}-wal`);
      rmSync(`${path}-heartbeat`);
      const rejection = { refused: 'LEDGER_INCOMPLETE', reason: 'the log is missing' };
      expect(await opened(files)).toEqual(rejection);
      expect(await opened(files)).toEqual(rejection);
    });

    it('rejects a write-ahead log without a ledger file, or with an empty ledger file', async () => {
      const { path } = await left(submissions);
      truncateSync(path);
      expect(await opened(files)).toMatchObject({ refused: 'LEDGER_INCOMPLETE' });
      rmSync(path);
      expect(await opened(files)).toMatchObject({ refused: 'LEDGER_INCOMPLETE' });
      rmSync(`${path}-wal`);
      writeFileSync(path, '');
      expect(await opened(files)).toEqual({
        refused: 'LEDGER_INCOMPLETE',
        reason: 'the file is empty',
      });
    });

    it('rejects a write-ahead log that is truncated at any byte before the last acknowledged commit', async () => {
      const { path } = await left(submissions);
      const [file, log, heartbeat] = ['', '-wal', '-heartbeat'].map((suffix) =>
        readFileSync(path + suffix),
      );
      const rejections = new Set<string>();
      for (const at of draws(SEED + submissions, 12, log?.length ?? 0)) {
        writeFileSync(path, file ?? '');
        writeFileSync(`${path}-wal`, log?.subarray(0, at) ?? '');
        rmSync(`${path}-shm`, { force: true });
        writeFileSync(`${path}-heartbeat`, heartbeat ?? '');
        const outcome = await opened(files);
        const { refused, missing = [], damage = 'ok' } = outcome;
        expect({ missing, damage }).toEqual({ missing: [], damage: 'ok' });
        if (refused !== null) rejections.add(refused);
      }
      expect([...rejections].join(' ')).toMatch(/^(?:LEDGER_(?:INCOMPLETE|DAMAGED) ?)+$/);
    });

    it('rejects a ledger file with the write-ahead log of another ledger', async () => {
      const other = await leftFiles(3);
      await left(submissions);
      copyFiles(other.path, files.path, ['-wal']);
      other.remove();
      expect(await opened(files)).toMatchObject({
        refused: expect.stringMatching(/^LEDGER_(?:INCOMPLETE|DAMAGED)$/),
      });
      rmSync(`${files.path}-heartbeat`);
      expect(await opened(files)).toMatchObject({
        refused: expect.stringMatching(/^LEDGER_(?:INCOMPLETE|DAMAGED)$/),
      });
    });

    it('rejects a truncated ledger file', async () => {
      const { path, acknowledged } = await left(submissions);
      // The store is opened and closed here, which removes the log as after a clean shutdown.
      expect(await opened(files)).toMatchObject(WHOLE);
      const bytes = readFileSync(path);
      for (const at of draws(SEED, 8, bytes.length)) {
        writeFileSync(path, bytes.subarray(0, at));
        expect(await opened({ ...files, acknowledged })).toMatchObject({
          refused: expect.stringMatching(/^LEDGER_(?:INCOMPLETE|DAMAGED)$/),
        });
      }
    });

    it('rejects a ledger file with damaged pages', async () => {
      const { path } = await left(submissions);
      expect(await opened(files)).toMatchObject(WHOLE);
      const bytes = readFileSync(path);
      const roots = rootPages(path);
      const pageBytes = bytes.readUInt16BE(16);
      for (const at of draws(SEED, 8, roots.length)) {
        const damaged = Buffer.from(bytes);
        const page = ((roots[at] ?? 1) - 1) * pageBytes;
        // Overwrite the page type and the positions of the cells.
        damaged.fill(0xa5, page === 0 ? 100 : page, (page === 0 ? 100 : page) + 12);
        writeFileSync(path, damaged);
        expect(await opened(files)).toMatchObject({ refused: 'LEDGER_DAMAGED' });
      }
    });
  });

  it('rejects a restored backup if the write-ahead log of the replaced ledger file still exists', async () => {
    const { path, directory } = await left(5);
    const backup = join(directory, 'backup.db');
    backupSqlite(path, backup);
    copyFileSync(backup, path);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect(await opened(files)).toEqual({
      refused: 'LEDGER_INCOMPLETE',
      reason: 'the log belongs to another file',
    });
  });

  describe('copies', () => {
    it('a restored backup is marked as a possible copy when it is opened for the first time', async () => {
      const { path, directory } = await left(5);
      const backup = join(directory, 'backup.db');
      backupSqlite(path, backup);
      // The backup replaces the original file, whose heartbeat still exists.
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      copyFileSync(backup, path);
      expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: true });
      expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: true });
      const { ledger, close } = await openSqliteStore({ path });
      const { possibleCopySinceMs } = await ledger.state();
      await ledger.clearPossibleCopy(possibleCopySinceMs ?? 0);
      await close();
      expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: false });
    });

    it('a ledger file that SQLite copied with VACUUM INTO is marked as a possible copy', async () => {
      const { path, directory } = await left(5);
      const database = new DatabaseSync(path);
      database.prepare('vacuum into ?').run(join(directory, 'copy.db'));
      database.close();
      copyFileSync(join(directory, 'copy.db'), path);
      expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: true });
    });

    it.each([
      ['file and log were copied', ['', '-wal']],
      ['its folder was copied', ['', '-wal', '-heartbeat']],
    ])('a ledger file is marked as a possible copy if %s', async (_what, suffixes) => {
      const { path, directory } = await left(5);
      const elsewhere = join(directory, 'elsewhere');
      mkdirSync(elsewhere);
      copyFiles(path, join(elsewhere, 'ledger.db'), suffixes);
      const copy = { ...files, path: join(elsewhere, 'ledger.db') };
      expect(await opened(copy)).toEqual({ ...WHOLE, isPossibleCopy: true });
    });

    it('rejects an older copy of the ledger file until an operator accepts that commits are missing', async () => {
      const file = await migratedLedgerFile();
      files = { ...file, acknowledged: [] };
      const { ledger, close } = await openSqliteStore({ path: file.path });
      const driver = new LedgerDriver(ledger);
      await driver.request('before');
      const older = join(file.directory, 'older.db');
      copyFiles(file.path, older, ['', '-wal']);
      await driver.request('after');
      await close();
      copyFiles(older, file.path, ['', '-wal']);
      rmSync(`${file.path}-shm`, { force: true });
      expect(await opened(files)).toEqual({
        refused: 'LEDGER_INCOMPLETE',
        reason: 'acknowledged commits are missing',
      });
      acceptIncompleteLedger(file.path);
      expect(await opened({ ...files, acknowledged: ['id-of-before'] })).toEqual({
        ...WHOLE,
        isPossibleCopy: true,
      });
      expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: true });
    });

    it('a ledger file is marked as a possible copy if its heartbeat file is unreadable', async () => {
      const { path } = await left(5);
      writeFileSync(`${path}-heartbeat`, '\0'.repeat(70));
      expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: true });
    });

    it('a ledger file is not marked as a copy if its heartbeat file is older, as after a power cut', async () => {
      const file = await migratedLedgerFile();
      await writerKilledAfter(3, file.path);
      const older = readFileSync(`${file.path}-heartbeat`);
      const { ledger, close } = await openSqliteStore({ path: file.path });
      await new LedgerDriver(ledger).request('a');
      await close();
      writeFileSync(`${file.path}-heartbeat`, older);
      files = { ...file, acknowledged: ['id-of-a'] };
      expect(await opened(files)).toEqual({ ...WHOLE, isPossibleCopy: false });
    });
  });

  it.each(['', '-wal', '-heartbeat'])(
    'rejects a ledger as read-only if a folder exists at the path of the ledger’s file%s',
    async (suffix) => {
      const { path } = await left(1);
      rmSync(`${path}${suffix}`);
      mkdirSync(`${path}${suffix}`);
      expect(await opened(files)).toMatchObject({ refused: 'LEDGER_READ_ONLY' });
    },
  );

  const MOUNT = 'mount -t tmpfs -o size=4m sotto';
  describeWhere('unshare and tmpfs', ['unshare', '-rm', 'sh', '-c', `${MOUNT} /mnt`], () => {
    it('rejects a ledger file on a read-only mount, and reports the read-only mount', async () => {
      const { path, directory } = await left(1);
      const script = `${MOUNT} "$1" && cp "$2" "$2-wal" "$2-heartbeat" "$1" && mount -o remount,ro "$1" && exec "$3" "$4" "$1/ledger.db"`;
      const disk = join(directory, 'disk');
      mkdirSync(disk);
      const parameters = ['-rm', 'sh', '-c', script, 'sh', disk, path, process.execPath, OPEN];
      const { stdout } = await promisify(execFile)('unshare', parameters);
      expect(JSON.parse(stdout)).toEqual({
        code: 'LEDGER_READ_ONLY',
        causeCode: 'EROFS',
        details: { place: 'file' },
      });
    });
  });

  describe('write lock held by another process', () => {
    beforeEach(async () => {
      files = { ...(await migratedLedgerFile()), acknowledged: [] };
    });

    it('a write waits for another process’s database lock without blocking the event loop', async () => {
      const { ledger, health, close } = await openSqliteStore({ path: files.path });
      const other = new DatabaseSync(files.path);
      other.exec('begin immediate');
      const written = Promise.all([new LedgerDriver(ledger).request('a'), health.probe()]);
      // The other transaction ends only after 200 turns of the event loop. So the waiting write
      // must not block the event loop.
      for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
      other.exec('rollback');
      other.close();
      expect(await written).toMatchObject([{ applied: true }, undefined]);
      await close();
    });
  });
});

function rootPages(path: string): readonly number[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('select rootpage from sqlite_schema where rootpage > 0').all();
  database.close();
  return [1, ...rows.map(({ rootpage }) => Number(rootpage))];
}
