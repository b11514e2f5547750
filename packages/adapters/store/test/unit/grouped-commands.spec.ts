import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  decide,
  type CommandResult,
  type Decision,
  type MachineState,
  type SubmissionCommand,
} from '@sotto/submission-core';
import { LedgerDriver } from '@sotto/submission-core/testing';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, jest } from '@jest/globals';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

describe('concurrent commands', () => {
  let file: TemporaryLedgerFile;
  let store: OpenedStore;
  let driver: LedgerDriver;
  let decideOn: (event: SubmissionCommand, view: MachineState) => Decision;
  let executed: jest.SpiedFunction<StatementSync['run']>;

  beforeEach(async () => {
    file = temporaryLedgerFile();
    decideOn = decide;
    store = await openSqliteStore({
      path: file.path,
      decide: (event, view) => decideOn(event, view),
    });
    driver = new LedgerDriver(store.ledger);
    executed = jest.spyOn(StatementSync.prototype, 'run');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
    file.remove();
  });

  const commits = (): number =>
    executed.mock.contexts.filter(
      (statement: unknown) =>
        statement instanceof StatementSync && statement.sourceSQL === 'commit',
    ).length;
  const failsFor = (key: string): void => {
    decideOn = (event, view) => {
      if (event.type === 'request' && event.submission.key.includes(key))
        throw new TypeError(`no decision on ${key}`);
      return decide(event, view);
    };
  };

  it('concurrent ledger commands share a transaction, and each command sees the rows of earlier commands', async () => {
    const results = await Promise.all([
      driver.request('a'),
      driver.request('b'),
      driver.request('a'),
    ]);
    expect(results).toMatchObject([
      { applied: true },
      { applied: true },
      { applied: false, because: 'already_live', attempt: { id: 'id-of-a' } },
    ]);
    expect(commits()).toBe(1);
  });

  it('concurrent ledger commands are written in separate transactions if one command fails', async () => {
    failsFor('bad');
    const results = await Promise.allSettled([
      driver.request('a'),
      driver.request('bad'),
      driver.request('b'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.ledger.attemptById('id-of-a')).toMatchObject({ state: 'accepted' });
    expect(await store.ledger.attemptById('id-of-b')).toMatchObject({ state: 'accepted' });
    expect(await store.ledger.attemptById('id-of-bad')).toBeNull();
    expect(await driver.request('c')).toMatchObject({ applied: true });
  });

  it('concurrent ledger commands are rejected without a retry if their common transaction can’t begin', async () => {
    const other = new DatabaseSync(file.path);
    other.exec('begin immediate');
    const busy = await openSqliteStore({ path: file.path, busyTimeoutMs: 1 }).catch(() => null);
    other.exec('commit');
    const opened = busy ?? (await openSqliteStore({ path: file.path, busyTimeoutMs: 1 }));
    other.exec('begin immediate');
    const beside = new LedgerDriver(opened.ledger);
    const results = await Promise.allSettled([beside.request('x'), beside.request('y')]);
    expect(results).toMatchObject([
      { reason: { causeCode: 'SQLITE_BUSY' } },
      { reason: { causeCode: 'SQLITE_BUSY' } },
    ]);
    other.exec('commit');
    expect(await beside.request('x')).toMatchObject({ applied: true });
    await opened.close();
    other.close();
  });

  it('concurrent ledger commands resolve before the store is closed', async () => {
    const requested: Promise<CommandResult>[] = ['a', 'b', 'c'].map((key) => driver.request(key));
    const closed = store.close();
    expect(await Promise.all(requested)).toMatchObject([
      { applied: true },
      { applied: true },
      { applied: true },
    ]);
    await closed;
  });

  it('concurrent ledger commands above the limit of one transaction run in several transactions', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => driver.request(`many-${index}`)));
    expect(commits()).toBe(3);
  });
});
