import { copyFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import type { ArchivedNonce } from '@sotto/submission-core';
import { LedgerDriver, aSignedTransaction, keptBytes, took } from '@sotto/submission-core/testing';
import { backupSqlite, openSqliteStore, type OpenedStore } from '../../src/index.js';
import { StagedClock } from '../support/staged-clock.js';
import { migratedLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const WITHDRAWALS = 64;
const RETENTION_MS = 1_000_000;
const calldata = Felts.of(Array.from({ length: 1_900 }, (_, index) => 2n ** 250n + BigInt(index)));
/**
 * Suffixes of the service's database file, its log and the log's index. These files belong
 * together.
 */
const SUFFIXES = ['', '-wal', '-shm'];

const keyOf = (nonce: number): string => `chain|pool|${nonce}`;

/** Tests the steps in docs/operations/backup.md for shrinking a ledger file. */
describe('archived and redacted ledger after backup and restore', () => {
  const clock = new StagedClock();
  let file: TemporaryLedgerFile;
  let store: OpenedStore;
  let archived: ArchivedNonce[];
  beforeEach(async () => {
    clock.set(5_000);
    archived = [];
    file = await migratedLedgerFile();
    store = await openSqliteStore({ path: file.path, clock });
    const driver = new LedgerDriver(store.ledger);
    await driver.lease();
    for (let nonce = 0n; nonce < WITHDRAWALS; nonce += 1n) await relayed(driver, nonce);
    await driver.broadcast('under way', BigInt(WITHDRAWALS), { calldata });
    await store.ledger.redact(0);
    clock.set(5_000 + RETENTION_MS + 1);
    await store.archive.archive(RETENTION_MS, async (rows) => void archived.push(...rows));
  });
  afterEach(async () => {
    await store.close();
    file.remove();
  });

  async function shrunk(): Promise<void> {
    await store.close();
    const copy = join(file.directory, 'copy.db');
    backupSqlite(file.path, copy);
    for (const suffix of SUFFIXES)
      if (existsSync(`${file.path}${suffix}`))
        renameSync(`${file.path}${suffix}`, join(file.directory, `away.db${suffix}`));
    copyFileSync(copy, file.path);
    chmodSync(file.path, 0o600);
    store = await openSqliteStore({ path: file.path, clock });
  }

  const sizeOf = async (kind: string): Promise<number> =>
    (await store.health.size()).find((size) => size.kind === kind)?.bytes ?? NaN;

  it('a restored backup has less than a tenth of the ledger file’s size', async () => {
    expect(archived).toHaveLength(WITHDRAWALS);
    const [before, free] = [await sizeOf('database'), await sizeOf('free')];
    // The calldata and signed bytes of all submissions need at least this space.
    expect(before).toBeGreaterThan(WITHDRAWALS * 65_000);
    expect(free).toBeGreaterThan(before / 2);
    await shrunk();
    expect(await sizeOf('database')).toBeLessThan(before / 10);
    expect(await sizeOf('free')).toBe(0);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it('a restored backup contains every row of the original ledger', async () => {
    await store.close();
    const before = everythingIn(file.path);
    expect(before['attempts']).toHaveLength(WITHDRAWALS + 1);
    expect(before['sqlite_sequence']).not.toEqual([]);
    await shrunk();
    await store.close();
    // When the restored file is marked as a possible copy, the commit count also increases.
    const { canary, chain, ...after } = everythingIn(file.path);
    const { canary: oldCanary, chain: oldChain, ...rows } = before;
    expect(after).toEqual(rows);
    expect(canary).toEqual([{ ...Object(oldCanary?.[0]), writes: expect.any(Number) }]);
    expect(chain).toEqual([
      { ...Object(oldChain?.[0]), possible_copy_since_ms: expect.any(Number) },
    ]);
  });

  it('a restored backup returns the same results as the original ledger', async () => {
    const ends = async () =>
      Promise.all([0, 1, WITHDRAWALS - 1].map((nonce) => store.ledger.lastAttempt(keyOf(nonce))));
    const before = await ends();
    await shrunk();
    expect(await ends()).toEqual(before);
    const driver = new LedgerDriver(store.ledger);
    await driver.lease();
    expect(await driver.request('again', { key: keyOf(0) })).toMatchObject({
      applied: false,
      because: 'already_succeeded',
    });
    expect(await store.audit.firstNonce(LedgerDriver.lane)).toBe(BigInt(WITHDRAWALS));
    // Attempts that have not ended still have their calldata and signed bytes, and can end
    // normally.
    expect((await store.ledger.calldata('id-of-under way'))?.length).toBe(calldata.length);
    const { hash } = aSignedTransaction('under way');
    expect(await keptBytes(store.ledger, hash)).not.toBeNull();
    const settled = await driver.settle(BigInt(WITHDRAWALS), took(hash));
    expect(settled).toMatchObject({ applied: true, attempt: { state: 'succeeded' } });
    await driver.succeed(await driver.broadcast('next', BigInt(WITHDRAWALS) + 1n));
    // No row is archived a second time.
    archived = [];
    await store.ledger.redact(0);
    await store.archive.archive(RETENTION_MS, async (rows) => void archived.push(...rows));
    expect(archived).toEqual([]);
  });
});

async function relayed(driver: LedgerDriver, nonce: bigint): Promise<void> {
  const attempt = await driver.accepted(`${nonce}`, { calldata });
  const bytes = Buffer.alloc(65_000, `${nonce}`);
  const transaction = { ...aSignedTransaction(`${nonce}`), bytes };
  await driver.store(attempt, nonce, transaction);
  await driver.settle(nonce, took(transaction.hash));
  await driver.finalize(nonce);
}

function everythingIn(path: string): Record<string, unknown[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' order by name")
      .all()
      .map(({ name }) => String(name));
    return Object.fromEntries([
      ...tables.map((table) => [table, database.prepare(`select * from ${table}`).all()]),
      ['schema', database.prepare('select type, name, sql from sqlite_schema order by name').all()],
    ]);
  } finally {
    database.close();
  }
}
