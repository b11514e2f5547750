import { expect, it } from '@jest/globals';
import { decide, type MachineState } from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { Client } from 'pg';
import { openPostgresStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, temporaryDatabase } from '../support/postgres.js';

/**
 * Builds a statement that copies the rows of a table, with the values in `changed` for some
 * columns.
 */
const copied = (table: string, changed: object): string =>
  `insert into ${table} overriding system value select (jsonb_populate_record(null::${table},
    to_jsonb(${table}) || '${JSON.stringify(changed)}')).* from ${table}`;

/**
 * Address of a lane that is not the command's lane. The command has locked only the row of its own
 * lane.
 */
const lane = '0x0e15e';
const ANOTHER_LANE = copied('lanes', { address: lane });
/** Statements with which another writer inserts rows while a command waits for the locked row. */
const ELSEWHERE = [
  copied('nonces', { lane, owner_key: null, owner_attempt: null }),
  copied('transactions', { lane, hash: '0xe15e', seq: 999 }),
];

describeWithPostgres('command that has waited for the row of its attempt', () => {
  it('a ledger command that waited for a locked row sees a transaction that was added during the wait', async () => {
    const database = await temporaryDatabase();
    const seen: MachineState[] = [];
    const opened = await openPostgresStore({
      url: database.url,
      poolSize: POOL_SIZE,
      decide: (command, view) => {
        seen.push(view);
        return decide(command, view);
      },
    });
    const driver = new LedgerDriver(opened.ledger);
    await driver.lease();
    await driver.introduce(5n);
    const sent = await driver.broadcast('a', 5n);
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query(ANOTHER_LANE);
      await other.query('begin');
      await other.query('select from attempts for update');
      const settled = driver.succeed(sent);
      for (let waiting = 0; waiting === 0;) {
        const [found] = await database.query(
          `select count(*)::int as waiting from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`,
        );
        waiting = Number(found?.['waiting']);
      }
      for (const statement of ELSEWHERE) await other.query(statement);
      await other.query('commit');
      await settled;
      expect(seen.at(-1)?.callers.map(({ isUnfinal }) => isUnfinal)).toEqual([true]);
    } finally {
      await other.end();
      await opened.close();
      await database.remove();
    }
  });
});
