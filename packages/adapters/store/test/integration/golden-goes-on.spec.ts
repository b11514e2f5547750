import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import type { Attempt } from '@sotto/submission-core';
import {
  LedgerDriver,
  aBlock,
  aSignedTransaction,
  aSubmission,
  took,
} from '@sotto/submission-core/testing';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '../../src/index.js';
import { goldenOf, numberOrNull, textOf } from '../support/golden.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';
import { StagedClock } from '../support/staged-clock.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

/**
 * Expected rows in a database that was upgraded from one release: the values of its sequences, and
 * the rows on which the test runs further commands.
 */
interface Going {
  readonly release: string;
  readonly attempts: number;
  readonly transactions: number;
  readonly operatorActions?: number;
  /** Id of an attempt whose only transaction can still be included in a block. */
  readonly out: string;
  readonly sendCount: 0 | 1;
  /**
   * Nonce without an owner, and the version that its row has after a transaction was stored under
   * it.
   */
  readonly free: readonly [nonce: bigint, version: number];
  readonly next: bigint;
  /** Minimum number of final attempts that a redaction must process. */
  readonly finals: number;
  /**
   * Lane whose chain was ahead of its ledger, and the nonces that the ledger lacks; null if the
   * release has no such lane.
   */
  readonly behind: { readonly lane: Felt; readonly from: bigint; readonly through: bigint } | null;
}

/** Expected rows that are common to all releases since `0012_purposes`. */
const SINCE_PURPOSES = {
  attempts: 41,
  transactions: 37,
  out: 'golden-depositing-1',
  sendCount: 1,
  behind: { lane: toFelt('0xbe41d'), from: 3n, through: 8n },
  free: [25n, 3],
  next: 27n,
  finals: 3,
} as const;

const RELEASES: readonly (readonly [string, Going])[] = [
  {
    release: 'abe371d',
    attempts: 30,
    transactions: 35,
    out: 'golden-prepared-1',
    sendCount: 0,
    behind: null,
    free: [24n, 2],
    next: 25n,
    finals: 4,
  } as const,
  {
    release: 'aeb97e9',
    attempts: 34,
    transactions: 32,
    out: 'golden-depositing-1',
    sendCount: 1,
    behind: { lane: toFelt('0xbe41d'), from: 3n, through: 8n },
    free: [25n, 3],
    next: 27n,
    finals: 3,
  } as const,
  { ...SINCE_PURPOSES, release: '7b81a73' } as const,
  { ...SINCE_PURPOSES, release: 'a78d10d', operatorActions: 2 } as const,
].map((going) => [going.release, going]);
const LANE = toFelt('0x1a2e01');
const CHAIN = { chainId: toFelt('0x534e5f4d41494e'), genesisHash: toFelt('0x47c3') };

describe.each(RELEASES)('upgraded SQLite file of release %s', (release, going) => {
  const golden = goldenOf(release);
  let file: TemporaryLedgerFile;
  let store: OpenedStore;
  beforeEach(async () => {
    file = temporaryLedgerFile();
    golden.copyTo(file.path);
    store = await openSqliteStore({ path: file.path });
  });
  afterEach(async () => {
    await store.close();
    file.remove();
  });

  it('an upgraded SQLite file has the same schema as a new file, and no missing references', async () => {
    const fresh = temporaryLedgerFile();
    await (await openSqliteStore({ path: fresh.path })).close();
    const schema = `select type, name, tbl_name, sql from sqlite_schema order by type, name`;
    expect(rowsOf(file.path, schema).map(onOneLine)).toEqual(
      rowsOf(fresh.path, schema).map(onOneLine),
    );
    expect(rowsOf(file.path, 'pragma foreign_key_check')).toEqual([]);
    expect(rowsOf(file.path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    fresh.remove();
  });

  it('sequences of an upgraded SQLite file continue from their values before the upgrade', async () => {
    expect(rowsOf(file.path, 'select * from sqlite_sequence order by name')).toEqual([
      { name: 'attempts', seq: going.attempts },
      ...('operatorActions' in going
        ? [{ name: 'operator_actions', seq: going.operatorActions }]
        : []),
      { name: 'transactions', seq: going.transactions },
    ]);
  });

  it('an upgraded SQLite file still rejects rows with missing references', () => {
    const database = new DatabaseSync(file.path, { enableForeignKeyConstraints: true });
    expect(() =>
      database.exec(`update nonces set owner_key = 'missing' where owner_key is not null`),
    ).toThrow('FOREIGN KEY');
    expect(() => database.exec(`delete from attempts where id = 'golden-succeeded-1'`)).toThrow(
      'FOREIGN KEY',
    );
    database.close();
  });

  it('the clock of an upgraded store starts no earlier than the time of the store’s newest row', async () => {
    await store.close();
    const clock = new StagedClock();
    store = await openSqliteStore({ path: file.path, clock });
    const times = golden
      .rows('attempts')
      .flatMap((row) => [
        numberOrNull(row, 'accepted_at_ms') ?? 0,
        numberOrNull(row, 'ended_at_ms') ?? 0,
      ]);
    const newestMs = Math.max(...times);
    const { nowMs } = await store.ledger.state();
    expect(nowMs).toBeGreaterThanOrEqual(newestMs);
    clock.set(250);
    expect((await store.ledger.state()).nowMs).toBe(nowMs + 250);
  });

  it('the state machine accepts commands on an upgraded SQLite file', async () => {
    await expect(goesOn(store, going)).resolves.toBeUndefined();
  });
});

describe.each(RELEASES)('upgraded database of release %s', (release, going) => {
  describeWithPostgres('on PostgreSQL', () => {
    let database: TemporaryDatabase;
    let store: OpenedStore;
    beforeEach(async () => {
      database = await temporaryDatabase();
      await database.query(goldenOf(release).statements);
      store = await openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
    });
    afterEach(async () => {
      await store.close();
      await database.remove();
    });

    it('an upgraded PostgreSQL database has the same schema as a new database', async () => {
      const fresh = await temporaryDatabase();
      await (await openPostgresStore({ url: fresh.url, poolSize: POOL_SIZE })).close();
      expect(await schemaOf(database)).toEqual(await schemaOf(fresh));
      await fresh.remove();
    });

    it('the state machine accepts commands on an upgraded PostgreSQL database', async () => {
      await expect(goesOn(store, going)).resolves.toBeUndefined();
    });
  });
});

/** Runs a few commands on rows of every kind in a store that was upgraded from another release. */
async function goesOn(
  { ledger, settlements }: OpenedStore,
  { release, out, sendCount, behind, free, next, finals }: Going,
): Promise<void> {
  const golden = goldenOf(release);
  const driver = new LedgerDriver(ledger, LANE);
  await driver.lease('instance-a');
  await ledger.bindChain(CHAIN);
  await ledger.noteBlock(150);
  expect(await ledger.state()).toMatchObject({ chain: CHAIN, lastBlock: 150 });

  if (behind !== null) {
    const other = new LedgerDriver(ledger, behind.lane);
    await other.lease('instance-b');
    await other.import(behind.from, behind.through);
    await other.endQuarantine();
  }

  // Send the prepared transaction and settle its nonce as consumed by this transaction.
  const prepared = await attemptNamed(out);
  const [unsent] = await ledger.transactionsOf(prepared);
  expect(unsent).toMatchObject({ sendCount, gone: null });
  expect(await driver.claim(nonceOf(prepared), hashOf(unsent))).toMatchObject({ applied: true });
  const settled = await driver.settle(
    nonceOf(prepared),
    took(hashOf(unsent), { block: aBlock(8) }),
  );
  expect(settled).toMatchObject({
    applied: true,
    attempt: { state: 'succeeded', isFinal: false },
    nonce: { version: 2 },
  });

  // A reorg removes the transaction's block, and then the transaction is included again.
  expect(await driver.reopen(nonceOf(prepared))).toMatchObject({
    applied: true,
    attempt: { state: 'broadcast' },
  });
  await driver.settle(nonceOf(prepared), took(hashOf(unsent), { block: aBlock(9) }));
  expect(await driver.finalize(nonceOf(prepared))).toMatchObject({
    applied: true,
    attempt: { isFinal: true },
  });

  // An attempt that is not signed yet receives the free nonce. Its price is one step above the
  // price of the rejected transaction.
  const waiting = await attemptNamed('golden-accepted-1');
  const transaction = aSignedTransaction('accepted-1');
  const [freeNonce, version] = free;
  expect(await driver.store(waiting, freeNonce, transaction)).toMatchObject({
    applied: true,
    attempt: { nonce: freeNonce },
    nonce: { version },
  });
  expect(await ledger.transactionsOf(waiting)).toMatchObject([{ sendCount: 1 }]);
  const newOne = await driver.broadcast('new', next);
  expect(await driver.succeed(newOne)).toMatchObject({ applied: true });

  // Ended attempts still have their outcome.
  const succeeded = golden.rows('attempts').find((row) => row['id'] === 'golden-succeeded-1');
  const again = await driver.request('again', {
    key: succeeded === undefined ? '' : textOf(succeeded, 'key'),
  });
  expect(again).toMatchObject({ applied: false, because: 'already_succeeded' });
  expect(await driver.settle(8n, took(toFelt('0x1')))).toMatchObject({
    applied: false,
    because: 'nonce_settled',
  });

  // A redaction deletes private parts of old, final attempts, but not those of attempts that have
  // not ended.
  expect(await ledger.redact(Number.MAX_SAFE_INTEGER)).toBeGreaterThanOrEqual(finals);
  expect(await ledger.calldata('golden-succeeded-1')).toBeNull();
  expect(await ledger.calldata('golden-seen-1')).not.toBeNull();
  expect(await ledger.redact(Number.MAX_SAFE_INTEGER)).toBe(0);
  expect((await settlements.live()).map(({ key }) => key)).toContain(waiting.key);
  expect(await ledger.attemptById('id-of-new')).toMatchObject({
    fingerprint: aSubmission('new').fingerprint,
  });

  async function attemptNamed(id: string): Promise<Attempt> {
    const attempt = await ledger.attemptById(id);
    if (attempt === null) throw new Error(`${id} is missing`);
    return attempt;
  }
}

function nonceOf({ nonce }: Attempt): bigint {
  if (nonce === null) throw new Error('the attempt has no nonce');
  return nonce;
}

function hashOf(
  row: Awaited<ReturnType<OpenedStore['ledger']['transactionsOf']>>[number] | undefined,
) {
  if (row === undefined) throw new Error('the attempt has no transaction');
  return row.hash;
}

function rowsOf(path: string, query: string): object[] {
  const database = new DatabaseSync(path);
  const rows = database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
  database.close();
  return rows;
}

/**
 * Converts table definitions to a comparable form. SQLite stores a definition with its original
 * line breaks, and earlier releases wrote definitions on one line.
 */
const onOneLine = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, text]) => [
      name,
      typeof text === 'string'
        ? text.replaceAll(/\s+/g, ' ').replaceAll(/ ?([(),]) ?/g, '$1')
        : text,
    ]),
  );

async function schemaOf(database: TemporaryDatabase): Promise<unknown> {
  return {
    columns:
      await database.query(`select table_name, column_name, ordinal_position, data_type, is_nullable, column_default, is_identity
      from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`),
    constraints:
      await database.query(`select conrelid::regclass::text as relation, conname, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
    indexes: await database.query(
      `select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname`,
    ),
  };
}
