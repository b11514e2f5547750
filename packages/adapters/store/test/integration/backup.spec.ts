import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  SubmissionEngine,
  SubmissionNotifier,
  noChainEvents,
  type Ledger,
} from '@sotto/submission-core';
import { FakeChain, FakeSigner, LedgerDriver, aSubmission } from '@sotto/submission-core/testing';
import { backupSqlite, openSqliteStore } from '../../src/index.js';
import { describeWhere } from '../support/describe-where.js';
import { migratedLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const LANE = toFelt('0x1a4e');
const BACK_UP = fileURLToPath(new URL('../children/back-up.mjs', import.meta.url));

describe('backup of a ledger file', () => {
  let file: TemporaryLedgerFile;
  let target: string;
  beforeEach(async () => {
    file = await migratedLedgerFile();
    target = join(file.directory, 'backup.db');
  });
  afterEach(() => {
    file.remove();
  });

  it('a backup is a consistent state of the running ledger, and only the backup’s owner can access its file', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    const driver = new LedgerDriver(ledger);
    await driver.request('before');
    const { bytes } = backupSqlite(file.path, target);
    await driver.request('after');
    await close();
    expect(statSync(target)).toMatchObject({ size: bytes, mode: 0o100600 });
    const copy = await openSqliteStore({ path: target });
    expect(await copy.ledger.attemptById('id-of-before')).toMatchObject({ state: 'accepted' });
    expect((await copy.ledger.calldata('id-of-before'))?.length).toBe(
      aSubmission('before').calldata.length,
    );
    expect(await copy.ledger.attemptById('id-of-after')).toBeNull();
    await copy.close();
  });

  it('a backup is smaller than a ledger file with many deleted rows', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path });
    for (let index = 0; index < 50; index += 1) await new LedgerDriver(ledger).request(`${index}`);
    await close();
    const database = new DatabaseSync(file.path);
    database.exec('delete from calldata; delete from attempts');
    database.close();
    expect(backupSqlite(file.path, target).bytes).toBeLessThan(statSync(file.path).size);
  });

  it('a backup never replaces an existing file, and leaves no file if it fails', async () => {
    writeFileSync(target, 'precious');
    expect(() => backupSqlite(file.path, target)).toThrow(
      expect.objectContaining({ code: 'LEDGER_UNAVAILABLE', causeCode: 'EEXIST' }),
    );
    expect(statSync(target).size).toBe('precious'.length);
    const other = join(file.directory, 'other.db');
    const missing = join(file.directory, 'missing.db');
    expect(() => backupSqlite(missing, other)).toThrow(
      expect.objectContaining({ causeCode: 'SQLITE_CANTOPEN' }),
    );
    const empty = join(file.directory, 'empty.db');
    writeFileSync(empty, '');
    expect(() => backupSqlite(empty, other)).toThrow(
      expect.objectContaining({ causeCode: 'SQLITE_NOTADB' }),
    );
    expect(existsSync(other)).toBe(false);
    expect(readdirSync(file.directory).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  describe('insufficient disk space', () => {
    let disk: string;
    beforeEach(() => {
      disk = join(file.directory, 'disk');
      mkdirSync(disk);
    });

    /**
     * Runs the child process that copies the ledger, under a program that limits the disk space.
     * Returns the child's output.
     */
    async function copied(program: string, ...parameters: string[]): Promise<unknown> {
      const COPY = join(disk, 'backup.db');
      const { stdout } = await promisify(execFile)(program, parameters, {
        env: {
          ...process.env,
          NODE: process.execPath,
          BACK_UP,
          LEDGER: file.path,
          DISK: disk,
          COPY,
        },
      });
      return JSON.parse(stdout);
    }

    it('a backup that exceeds the file size limit fails and leaves no file', async () => {
      const { ledger, close } = await openSqliteStore({ path: file.path });
      // The limit is in blocks of 512 bytes. It is less than the size of the ledger file, but
      // enough for the index of the write-ahead log.
      const limited = 'ulimit -f 128; exec "$NODE" "$BACK_UP" "$LEDGER" "$COPY"';
      expect(statSync(file.path).size).toBeGreaterThan(128 * 512);
      expect(await copied('sh', '-c', limited)).toEqual({
        refused: 'SQLITE_IOERR_WRITE',
        left: [],
      });
      await new LedgerDriver(ledger).request('after');
      await close();
      expect(await copied(process.execPath, BACK_UP, file.path, join(disk, 'backup.db'))).toEqual({
        refused: null,
        left: ['backup.db'],
      });
    });

    const MOUNT = 'mount -t tmpfs -o size=64k sotto';
    describeWhere('unshare and tmpfs', ['unshare', '-rm', 'sh', '-c', `${MOUNT} /mnt`], () => {
      it('a backup to a full disk reports the full disk and leaves no file there', async () => {
        const full = `${MOUNT} "$DISK" && exec "$NODE" "$BACK_UP" "$LEDGER" "$COPY"`;
        expect(await copied('unshare', '-rm', 'sh', '-c', full)).toEqual({
          refused: 'SQLITE_FULL',
          left: [],
        });
      });
    });
  });

  it('a service with a restored old backup sends nothing that could pay a note twice', async () => {
    const clock = new ManualClock();
    const chain = new FakeChain();
    const before = await openSqliteStore({ path: file.path, clock });
    const first = engineOn(before.ledger, chain, clock, 'always');
    await first.start();
    await request(before.ledger, 'known');
    await rounds(before.ledger, clock, chain, first);
    expect(await before.ledger.attemptById('known')).toMatchObject({ state: 'succeeded' });
    backupSqlite(file.path, target);
    await request(before.ledger, 'lost');
    await rounds(before.ledger, clock, chain, first);
    expect(await before.ledger.attemptById('lost')).toMatchObject({ state: 'succeeded' });
    await first.stop();
    await before.close();

    const restored = join(file.directory, 'restored.db');
    copyFileSync(target, restored);
    const after = await openSqliteStore({ path: restored, clock });
    const sentBefore = chain.sent.length;
    const engine = engineOn(after.ledger, chain, clock, null);
    // The wallet repeats a request that the restored backup does not contain.
    await request(after.ledger, 'lost');
    await engine.start();
    await rounds(after.ledger, clock, chain, engine);
    expect(engine.status().ledger).toBe('LEDGER_BEHIND_CHAIN');
    expect(await after.ledger.attemptById('known')).toMatchObject({ state: 'succeeded' });
    // The submission still waits, because it was accepted before the engine had compared the ledger
    // with its chain.
    expect(await after.ledger.attemptById('lost')).toMatchObject({ state: 'accepted' });
    expect(chain.sent).toHaveLength(sentBefore);
    await engine.stop();
    await after.close();
  });
});

async function request(ledger: Ledger, name: string): Promise<void> {
  const submission = { ...aSubmission(name), id: name, deadlineAfterMs: 600_000_000 };
  await ledger.apply({ type: 'request', submission });
}

/**
 * Repeats several times: advances the time and the chain, and includes the sent transactions in
 * blocks.
 */
async function rounds(
  ledger: Ledger,
  clock: ManualClock,
  chain: FakeChain,
  engine: SubmissionEngine,
): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    engine.wake();
    // A read starts after the engine's calls, and resolves when the changes of these calls are on
    // disk.
    for (let turn = 0; turn < 100; turn += 1) await ledger.countWaiting('relay');
    chain.includeAll();
    chain.mine();
    clock.advance(11_000);
  }
}

function engineOn(
  ledger: Ledger,
  chain: FakeChain,
  clock: ManualClock,
  acceptance: 'always' | null,
): SubmissionEngine {
  return new SubmissionEngine(
    {
      ledger,
      reader: chain,
      history: chain,
      accountHistory: chain,
      accountCheck: chain,
      calls: { submissionOf: () => null },
      broadcaster: chain,
      events: noChainEvents,
      signer: new FakeSigner(),
      revalidator: { rejectionOf: async () => null },
      changes: new SubmissionNotifier(),
      clock,
      logger: silentLogger,
      failpoint: () => {},
    },
    {
      instance: 'one',
      chainId: toFelt('0x534e5f54455354'),
      lanes: [{ address: LANE, role: 'relay' }],
      answerAt: 'preconfirmed',
      maxInFlightPerLane: 4,
      nonceWindow: 8,
      pollIntervalMs: 500,
      idleIntervalMs: 5_000,
      lookTimeoutMs: 8_000,
      leaseTtlMs: 15_000,
      resendAfterMs: 10_000,
      queueTimeoutMs: 600_000_000,
      deadlineMs: 600_000_000,
      ceilingL2PriceFri: 10n ** 12n,
      noopLimits: { l2Gas: 5_000_000n, l1Gas: 0n, l1DataGas: 1_000n, priceMultiplier: 3n },
      mempoolLifetimeMs: 300_000,
      attentionAfterMs: 300_000,
      horizonMs: 86_400_000,
      adoptBackMs: 7_200_000,
      needsYoungHead: false,
      acceptance,
      pauseOnForeign: false,
      strict: false,
      retentionMs: 86_400_000,
      redactionIntervalMs: 3_600_000,
    },
  );
}
