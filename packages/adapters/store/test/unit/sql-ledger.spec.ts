import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  LedgerUnavailable,
  decide,
  type Decision,
  type SubmissionCommand,
  type MachineState,
} from '@sotto/submission-core';
import { LedgerDriver, aSubmission } from '@sotto/submission-core/testing';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
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
