import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { openSqliteStore } from '../../src/index.js';
import { aFeeQuote } from '../fee-quote.builder.js';
import { rival } from '../support/processes.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const CONTENDED_LANE = toFelt('0xaaaa');

describe('ledger file opened by several processes', () => {
  let file: TemporaryLedgerFile;
  beforeEach(() => {
    file = temporaryLedgerFile();
  });
  afterEach(() => {
    file.remove();
  });

  it('several processes that share a ledger file assign each key, nonce and lease only once', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const { ledger, close } = await openSqliteStore({ path: file.path });
    await ledger.registerLane(CONTENDED_LANE, 'relay');
    const won = await Promise.all([
      rival(file.path, 'a', names),
      rival(file.path, 'b', names),
      rival(file.path, 'c', names),
    ]);
    const nonces = won.flatMap((each) => each.nonces).toSorted((a, b) => a - b);
    expect(won.reduce((sum, { requests }) => sum + requests, 0)).toBe(names.length);
    expect(won.reduce((sum, { leases }) => sum + leases, 0)).toBe(1);
    expect(nonces).toEqual(nonces.map((_, index) => index));
    expect(nonces.length).toBeGreaterThan(0);
    const open = await ledger.openNonces(LedgerDriver.lane);
    expect(open.map(({ row }) => Number(row.nonce))).toEqual(nonces);
    expect(new Set(open.map(({ owner }) => owner?.id)).size).toBe(nonces.length);
    await close();
  });

  it('only one of several processes redeems each quote', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const { quotes, close } = await openSqliteStore({ path: file.path });
    for (const name of names) await quotes.add(aFeeQuote(name));
    const won = await Promise.all([
      rival(file.path, 'a', names),
      rival(file.path, 'b', names),
      rival(file.path, 'c', names),
    ]);
    expect(
      won.flatMap(({ quotes: served }) => served).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
    await close();
  });

  it('only one of several processes leases a keeper task', async () => {
    const { taskLeases, close } = await openSqliteStore({ path: file.path });
    const won = await Promise.all(['a', 'b', 'c'].map((me) => rival(file.path, me, ['n'])));
    expect(won.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(1);
    expect(await taskLeases.holders()).toMatchObject([{ task: 'curator' }]);
    await close();
  });

  it('the store’s clock starts no earlier than the time of the newest lease', async () => {
    const takenAtMs = 1_760_000_000_000;
    const first = await openSqliteStore({ path: file.path, clock: standingAt(takenAtMs) });
    await first.taskLeases.hold('curator', 'killed', 1_000);
    await first.close();
    const next = await openSqliteStore({
      path: file.path,
      clock: standingAt(takenAtMs - 3_600_000),
    });
    expect(await next.taskLeases.hold('batches', 'b', 1_000)).toBe(true);
    const [batches] = await next.taskLeases.holders();
    expect(batches?.untilMs).toBe(takenAtMs + 1_000);
    await next.close();
  });

  it('the schema is created once if several processes open the ledger file concurrently', async () => {
    const won = await Promise.all(['a', 'b', 'c'].map((me) => rival(file.path, me, ['only'])));
    expect(won.reduce((sum, { requests }) => sum + requests, 0)).toBe(1);
  });

  it('rejects a ledger call that waited too long for another process’s write, and accepts later calls', async () => {
    const { ledger, close } = await openSqliteStore({ path: file.path, busyTimeoutMs: 50 });
    const driver = new LedgerDriver(ledger);
    const other = new DatabaseSync(file.path);
    other.exec('begin immediate');
    await expect(driver.request('a')).rejects.toBeInstanceOf(LedgerUnavailable);
    expect(await ledger.attemptById('id-of-a')).toBeNull();
    other.exec('rollback');
    other.close();
    expect(await driver.request('a')).toMatchObject({ applied: true });
    await close();
  });
});

const standingAt = (nowMs: number) => ({ nowMs: () => nowMs, monotonicMs: () => 0 });
