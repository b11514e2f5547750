import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, toFelt } from '@sotto/kernel';
import type { SubmissionFilter } from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { Kysely, type CompiledQuery } from 'kysely';
import { SqlOperatorLog } from '../../src/guard/sql-operator-log.js';
import { SqlLedger } from '../../src/ledger/sql-ledger.js';
import { SqlSubmissionRegister } from '../../src/ledger/sql-submission-register.js';
import { migrate } from '../../src/migrations/migrate.js';
import { migrationOptions } from '../../src/store.js';
import type { StoreSchema } from '../../src/schema.js';
import { NodeSqliteDatabase } from '../../src/sqlite/node-sqlite.js';
import { NO_LOG, NodeSqliteDialect } from '../../src/sqlite/sqlite-driver.js';
import { openSqliteDatabase, sqliteDialect } from '../../src/sqlite/sqlite-database.js';
import { StoreTime } from '../../src/store-time.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const { lane } = LedgerDriver;
const AFTER = { acceptedAtMs: 10, row: 10n };

describe('submission register on SQLite', () => {
  const file = temporaryLedgerFile();
  const database = openSqliteDatabase(file.path, 5_000);
  let queries: CompiledQuery[] = [];
  const db = new Kysely<StoreSchema>({
    dialect: new NodeSqliteDialect({ database: new NodeSqliteDatabase(database), log: NO_LOG }),
    log: ({ query }) => void queries.push(query),
  });
  const register = new SqlSubmissionRegister(db);
  const dialect = sqliteDialect(database, new StoreTime(systemClock), {
    emptied: async (empty: () => void) => empty(),
  });
  const log = new SqlOperatorLog(db, dialect);

  beforeAll(async () => {
    await migrate(db, dialect, migrationOptions({}, dialect.name));
    const driver = new LedgerDriver(new SqlLedger(db, dialect));
    await driver.lease();
    await driver.succeed(await driver.broadcast('a', 0n));
  });
  afterAll(async () => {
    await db.destroy();
    file.remove();
  });

  it.each<readonly [string, SubmissionFilter]>([
    ['attempts_by_acceptance', {}],
    ['attempts_by_acceptance', { acceptedSinceMs: 1, acceptedBeforeMs: 2 }],
    ['attempts_by_end_state', { state: 'refused' }],
    ['attempts_of_kind', { kind: 'deposit' }],
    ['attempts_by_subject', { subject: lane, acceptedSinceMs: 1 }],
    ['attempts_by_lane', { lane }],
  ])(
    'the list of submissions is read in order by the index %s for the filter %j',
    async (index, filter) => {
      const plans = await plansOf(async () => {
        await register.page(filter, null, 10);
        await register.page(filter, AFTER, 10);
      });
      expect(plans.filter((step) => step.includes(`INDEX ${index}`))).toHaveLength(2);
      expect(plans.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
      expect(plans.at(-1)).toMatch(/accepted_at_ms[,<)]/);
    },
  );

  it('the operators’ list of submissions is read in order by an index, for any two filters', async () => {
    const filters = { state: 'refused', kind: 'deposit', subject: lane, lane } as const;
    const names = Object.entries(filters);
    const plans = await plansOf(async () => {
      for (const [first, value] of names)
        for (const [second, other] of names)
          if (first < second) await register.page({ [first]: value, [second]: other }, AFTER, 10);
    });
    expect(plans).toHaveLength(6);
    for (const step of plans) expect(step).toMatch(/^SEARCH attempts USING INDEX attempts_/);
  });

  it('the operators’ list reads unended submissions by their partial index', async () => {
    const plans = await plansOf(() => register.page({ state: 'broadcast' }, AFTER, 10));
    expect(plans).toContainEqual(expect.stringContaining('INDEX attempts_live'));
  });

  it('finds a submission by id, by transaction and by key without scanning a table', async () => {
    const plans = await plansOf(async () => {
      await register.ofId('id-of-a');
      await register.ofKeys(['chain|pool|a', 'chain|pool|b']);
      await register.ofTransaction(toFelt('0x1'));
      await log.page(null, 10);
      await log.page(10, 10);
    });
    expect(plans.length).toBeGreaterThan(4);
    // The operator log is read from its end, by its primary key.
    expect(plans.filter((step) => /^SCAN (?!operator_actions$)/.test(step))).toEqual([]);
    expect(plans.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    expect(plans).toContainEqual(expect.stringContaining('attempts_by_transaction'));
  });

  async function plansOf(call: () => Promise<unknown>): Promise<string[]> {
    queries = [];
    await call();
    return (
      queries
        // The few transactions of a page are sorted.
        .filter(({ sql }) => /^select .* from "(?:attempts|operator_actions)"/.test(sql))
        .flatMap(({ sql, parameters }) =>
          database
            .prepare(`explain query plan ${sql}`)
            .all(
              ...parameters.map((value) =>
                typeof value === 'bigint' || typeof value === 'number' ? value : String(value),
              ),
            ),
        )
        .map((row) => String(row['detail']))
    );
  }
});
