import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import {
  LedgerUnavailable,
  decide,
  type Decision,
  type SubmissionCommand,
  type MachineState,
} from '@sotto/submission-core';
import { LedgerDriver, aSubmission } from '@sotto/submission-core/testing';
import { Kysely } from 'kysely';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { SqlLedger } from '../../src/ledger/sql-ledger.js';
import { migrate } from '../../src/migrations/migrate.js';
import type { StoreSchema } from '../../src/schema.js';
import { NodeSqliteDatabase } from '../../src/sqlite/node-sqlite.js';
import { openSqliteDatabase, sqliteDialect } from '../../src/sqlite/sqlite-database.js';
import { NO_LOG, NodeSqliteDialect } from '../../src/sqlite/sqlite-driver.js';
import { migrationOptions } from '../../src/store.js';
import { StoreTime } from '../../src/store-time.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

describe('ledger with concurrent writers', () => {
  let file: TemporaryLedgerFile;
  let opened: OpenedStore;
  let driver: LedgerDriver;
  let decisions: number;
  let decideFirst: (event: SubmissionCommand, view: MachineState, decision: number) => Decision;

  beforeEach(async () => {
    file = temporaryLedgerFile();
    decisions = 0;
    decideFirst = decide;
    opened = await openSqliteStore({
      path: file.path,
      decide(event, view) {
        decisions += 1;
        return decideFirst(event, view, decisions);
      },
    });
    driver = new LedgerDriver(opened.ledger);
  });
  afterEach(async () => {
    await opened.close();
    file.remove();
  });

  it('a ledger command is decided again on fresh rows if a row to insert already exists', async () => {
    const taken = await driver.accepted('a');
    const insertsTakenRow: Decision = {
      applied: true,
      changes: { attempts: [{ ...taken, key: 'b' }] },
    };
    decisions = 0;
    decideFirst = (event, view, decision) =>
      decision === 1 ? insertsTakenRow : decide(event, view);
    expect(await driver.request('b')).toMatchObject({ applied: true, attempt: { id: 'id-of-b' } });
    expect(decisions).toBe(2);
  });

  it('a ledger command fails after five conflicts with other writers', async () => {
    const taken = await driver.accepted('a');
    decisions = 0;
    decideFirst = () => ({ applied: true, changes: { attempts: [{ ...taken, key: 'b' }] } });
    await expect(driver.request('b')).rejects.toBeInstanceOf(LedgerUnavailable);
    expect(decisions).toBe(5);
  });

  it('a ledger command is not decided again if one of its rows violates a constraint', async () => {
    const attempt = await driver.accepted('a');
    decideFirst = () => ({
      applied: true,
      changes: { attempts: [{ ...attempt, key: 'b', id: 'b', attempt: 0 }] },
    });
    decisions = 0;
    await expect(driver.request('b')).rejects.toBeInstanceOf(LedgerUnavailable);
    expect(decisions).toBe(1);
  });

  it('timers and sockets can run between many concurrent ledger commands', async () => {
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 0);
    await Promise.all(Array.from({ length: 200 }, (_, index) => driver.request(`burst-${index}`)));
    clearInterval(count);
    expect(turns).toBeGreaterThan(10);
    expect(await opened.ledger.lastAttempt(aSubmission('burst-199').key)).not.toBeNull();
  });
});

describe('reads of the ledger’s state', () => {
  it('calls of the same tick share one query, and a later call sees later writes', async () => {
    const file = temporaryLedgerFile();
    const database = openSqliteDatabase(file.path, 5_000);
    let queries = 0;
    const db = new Kysely<StoreSchema>({
      dialect: new NodeSqliteDialect({ database: new NodeSqliteDatabase(database), log: NO_LOG }),
      log: () => {
        queries += 1;
      },
    });
    const dialect = sqliteDialect(database, new StoreTime(systemClock), {
      emptied: async (empty: () => void) => empty(),
    });
    await migrate(db, dialect, migrationOptions({}, dialect.name));
    const ledger = new SqlLedger(db, dialect);
    await ledger.registerLane(toFelt('0x1'), 'relay');
    queries = 0;
    const states = await Promise.all([ledger.state(), ledger.state(), ledger.state()]);
    expect(queries).toBe(1);
    expect(states.map(({ lanes }) => lanes.length)).toEqual([1, 1, 1]);
    await ledger.registerLane(toFelt('0x2'), 'relay');
    expect((await ledger.state()).lanes).toHaveLength(2);
    await db.destroy();
    file.remove();
  });
});
