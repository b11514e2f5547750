import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '../../src/index.js';
import { goldenOf } from '../support/golden.js';
import { POOL_SIZE, describeWithPostgres, temporaryDatabase } from '../support/postgres.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const golden = goldenOf('aeb97e9');

/**
 * Attempts to which no other row refers. Each entry has the attempt's id, a key in a format that no
 * release writes, and the attempt's contract.
 */
const ODD = [
  ['golden-accepted-1', `"quoted" \\ || 错误`, '0xa001'],
  ['golden-deposit-waits-1', '0x1|0x2|deposit|0xz', '0x2'],
  ['golden-batch-waits-1', '0x1|0x2', '0xa001'],
  ['golden-not-sent-1', '0x1|0x2|0x3|0x4', '0x2'],
  ['golden-unwanted-1', 'chain|pool|0x3', '0xa001'],
  ['golden-idle-2-1', '', '0xfa17'],
] as const;

const changes = ODD.map(
  ([id, key]) => `update attempts set key = '${key}' where id = '${id}'`,
).join(';\n');

describe('attempt with a key in an unknown format', () => {
  it('an attempt whose key has an unknown format has an unknown kind on SQLite', async () => {
    const file = temporaryLedgerFile();
    golden.copyTo(file.path);
    const database = new DatabaseSync(file.path);
    database.exec(changes);
    database.close();
    const store = await openSqliteStore({ path: file.path });
    expect(await purposesIn(store)).toEqual(UNKNOWN);
    await store.close();
    file.remove();
  });
});

describeWithPostgres('attempt with a key in an unknown format on PostgreSQL', () => {
  it('an attempt whose key has an unknown format has an unknown kind on PostgreSQL', async () => {
    const database = await temporaryDatabase();
    await database.query(golden.statements);
    await database.query(changes);
    const store = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
    expect(await purposesIn(store)).toEqual(UNKNOWN);
    await store.close();
    await database.remove();
  });
});

const UNKNOWN = ODD.map(([, , subject]) => ['unknown', subject, null]);

function purposesIn({ ledger }: OpenedStore): Promise<readonly unknown[]> {
  return Promise.all(
    ODD.map(async ([id]) => {
      const attempt = await ledger.attemptById(id);
      return [attempt?.kind, attempt?.subject, attempt?.memo];
    }),
  );
}
