import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock, toFelt } from '@sotto/kernel';
import { CANCELLED_BY_OPERATOR, OperateSubmission, RecordAction } from '@sotto/relayer-core';
import { SubmissionNotifier } from '@sotto/submission-core';
import { LedgerDriver, aSignedTransaction, aSubmission } from '@sotto/submission-core/testing';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '../../src/index.js';
import { POOL_SIZE, describeWithPostgres, temporaryDatabase } from '../support/postgres.js';
import { temporaryLedgerFile } from '../temporary-ledger-file.js';

const SUBMISSIONS = 40;
const POOL = toFelt('0xaa1');

interface SharedStore {
  readonly open: () => Promise<OpenedStore>;
  readonly remove: () => unknown;
}

const onFile = async (): Promise<SharedStore> => {
  const file = temporaryLedgerFile();
  return { open: () => openSqliteStore({ path: file.path }), remove: () => file.remove() };
};

const onServer = async (): Promise<SharedStore> => {
  const database = await temporaryDatabase();
  const open = () => openPostgresStore({ url: database.url, poolSize: POOL_SIZE });
  return { open, remove: () => database.remove() };
};

describe('operators of a SQLite store', () => {
  operatorsOf(onFile);
});
describeWithPostgres('operators of a PostgreSQL store', () => {
  operatorsOf(onServer);
});

function operatorsOf(share: () => Promise<SharedStore>): void {
  let shared: SharedStore;
  let engines: OpenedStore;
  let operators: OpenedStore;
  let driver: LedgerDriver;
  beforeEach(async () => {
    shared = await share();
    engines = await shared.open();
    operators = await shared.open();
    driver = new LedgerDriver(engines.ledger);
    await driver.lease();
  });
  afterEach(async () => {
    await engines.close();
    await operators.close();
    await shared.remove();
  });

  const hand = (): OperateSubmission => {
    const { register, ledger } = operators;
    const engine = { retry: (): void => {} };
    const ports = { register, ledger, engine, changes: new SubmissionNotifier() };
    return new OperateSubmission(ports, { pools: [], answerAt: 'accepted_on_l2' });
  };
  const cancelled = async (name: string): Promise<string> => {
    try {
      return (await hand().cancel(`id-of-${name}`)).attempt.rejectionCode ?? '';
    } catch (error) {
      return String(Object(error).code);
    }
  };

  it('an operator can cancel an attempt only if no lane signs it concurrently', async () => {
    const names = Array.from({ length: SUBMISSIONS }, (_, i) => `n${i}`);
    for (const name of names) await driver.accepted(name);
    const cancels = new Map<string, Promise<string>>();
    let nonce = 0n;
    const signed: string[] = [];
    for (const [i, name] of names.entries()) {
      // The lane has already read the attempt when operators cancel it. The test alternates whether
      // the lane or the operators act first.
      const attempt = await engines.ledger.attemptById(`id-of-${name}`);
      const early = i % 4 === 0;
      const late = i % 4 === 1;
      if (early) await cancelled(name);
      const storing = driver.store(attempt, nonce, aSignedTransaction(name));
      if (late) await storing;
      cancels.set(name, cancelled(name));
      const stored = await storing;
      if (!stored.applied) continue;
      signed.push(name);
      nonce += 1n;
    }
    const ends = new Map<string, string>();
    for (const [name, cancel] of cancels) ends.set(name, await cancel);
    for (const name of names) {
      const row = await engines.ledger.attemptById(`id-of-${name}`);
      const transactions = await engines.ledger.transactionsOf({
        key: `chain|pool|${name}`,
        attempt: 1,
      });
      const isSigned = signed.includes(name);
      expect([name, row?.state, row?.rejectionCode ?? null, transactions.length]).toEqual(
        isSigned ? [name, 'broadcast', null, 1] : [name, 'refused', CANCELLED_BY_OPERATOR, 0],
      );
      const wasEnded = names.indexOf(name) % 4 === 0;
      const answer = wasEnded ? 'SUBMISSION_ENDED' : CANCELLED_BY_OPERATOR;
      expect([name, ends.get(name)]).toEqual([name, isSigned ? 'SUBMISSION_SIGNED' : answer]);
    }
    // The lane must have acted first in at least a quarter of the cases, and the operators in at
    // least a quarter.
    expect(signed.length).toBeGreaterThanOrEqual(SUBMISSIONS / 4);
    expect(signed.length).toBeLessThanOrEqual((SUBMISSIONS * 3) / 4);
  });

  it('accepts a new request for a note after the note’s attempt was cancelled', async () => {
    await driver.accepted('a');
    expect(await cancelled('a')).toBe(CANCELLED_BY_OPERATOR);
    const stale = await engines.ledger.attemptById('id-of-a');
    const again = await Promise.all(
      ['x', 'y'].map((id) =>
        operators.ledger.apply({ type: 'request', submission: { ...aSubmission('a'), id } }),
      ),
    );
    expect(again.filter(({ applied }) => applied)).toHaveLength(1);
    const results = [
      await driver.store({ key: 'chain|pool|a', attempt: 2 }, 0n, aSignedTransaction('second')),
      await driver.store(stale, 1n, aSignedTransaction('first')),
    ];
    expect(results.map(({ applied }) => applied)).toEqual([true, false]);
  });

  it('applies only one of two concurrent pauses of a pool, and logs both pauses', async () => {
    const pause = (store: OpenedStore, holder: string) =>
      new RecordAction(store.operatorLog, silentLogger).execute(
        { holder, action: 'pool.pause', subject: 'trident', reason: `says ${holder}` },
        () => store.poolControls.pause(POOL, `says ${holder}`, systemClock.nowMs()),
      );
    await Promise.all([pause(operators, 'alice'), pause(engines, 'bob')]);
    const [control, ...others] = await engines.poolControls.all();
    expect(others).toEqual([]);
    expect(['says alice', 'says bob']).toContain(control?.paused?.reason);
    const sinceMs = control?.paused?.sinceMs;
    await pause(operators, 'carol');
    expect((await engines.poolControls.all())[0]?.paused).toEqual({
      reason: 'says carol',
      sinceMs,
    });
    const entries = await engines.operatorLog.page(null, 10);
    const done = entries.filter(({ outcome }) => outcome === 'DONE').map(({ holder }) => holder);
    expect(new Set(done)).toEqual(new Set(['alice', 'bob', 'carol']));
    expect(entries).toHaveLength(3);
    await Promise.all([
      operators.poolControls.resume(POOL, systemClock.nowMs()),
      engines.poolControls.resume(POOL, systemClock.nowMs()),
    ]);
    expect((await engines.poolControls.all())[0]?.paused).toBeNull();
  });
}
