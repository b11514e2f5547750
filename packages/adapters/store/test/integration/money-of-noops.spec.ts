import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { StagedAttempt } from '@sotto/relayer-core/testing/contracts';
import { aSignedTransaction, foreign, took } from '@sotto/submission-core/testing';
import { openSqliteStore, type OpenedStore } from '../../src/index.js';
import { SettlementStage } from '../support/settlement-stage.js';
import { StagedClock } from '../support/staged-clock.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const NOW_MS = 1_760_000_000_000;

const anAttempt = (name: string, changes: Partial<StagedAttempt> = {}): StagedAttempt => ({
  key: name,
  kind: 'withdraw',
  subject: toFelt('0xaa1'),
  end: 'succeeded',
  role: 'relay',
  terms: null,
  gasPaidFri: 1_000n,
  acceptedAtMs: NOW_MS - 9,
  endedAtMs: NOW_MS,
  ...changes,
});

describe('cost of a no-op', () => {
  let file: TemporaryLedgerFile;
  let store: OpenedStore;
  let stage: SettlementStage;
  beforeEach(async () => {
    file = temporaryLedgerFile();
    const clock = new StagedClock();
    store = await openSqliteStore({ path: file.path, clock });
    stage = await SettlementStage.on(store.ledger, clock);
  });
  afterEach(async () => {
    await store.close();
    file.remove();
  });
  const paid = async (): Promise<Record<string, bigint>> =>
    Object.fromEntries(
      (await store.settlements.ended(0, 100)).map(({ key, gasPaidFri }) => [key, gasPaidFri]),
    );

  it('the cost of a no-op is charged to the attempt whose nonce the no-op consumed', async () => {
    const attempt = await stage.begin(anAttempt('a'));
    await stage.driver.store(attempt, 0n, aSignedTransaction('a at 0'));
    await stage.takenByNoop(0n, 70n, NOW_MS - 1);
    await stage.endAt(anAttempt('a'), attempt, 1n);
    expect(await paid()).toEqual({ a: 1_070n });
  });

  it('the cost of a no-op is charged only to the attempt that left the nonce unused', async () => {
    const left = anAttempt('left', { end: 'refused' });
    await stage.endAt(left, await stage.begin(left), 0n);
    const above = await stage.begin(anAttempt('above'));
    const transaction = aSignedTransaction('above at 1');
    await stage.driver.store(above, 1n, transaction);
    await stage.filled(0n, 70n, NOW_MS);
    expect(await paid()).toEqual({ left: 70n });
  });

  it('the cost of a no-op is not charged to earlier attempts that had calls with the no-op’s nonce', async () => {
    const first = anAttempt('first', { end: 'refused' });
    await stage.endAt(first, await stage.begin(first), 0n);
    const second = anAttempt('second', { end: 'cancelled', gasPaidFri: 70n });
    await stage.endAt(second, await stage.begin(second), 0n);
    expect(await paid()).toEqual({ first: 0n, second: 70n });
  });

  it('the cost of an attempt includes the fee of the attempt’s earlier call with a different nonce', async () => {
    const attempt = await stage.begin(anAttempt('a'));
    const first = aSignedTransaction('a at 0');
    await stage.driver.store(attempt, 0n, first);
    await stage.settle(0n, foreign, NOW_MS - 3);
    const second = aSignedTransaction('a at 1');
    await stage.driver.store(attempt, 1n, second);
    await stage.driver.reopen(0n);
    await stage.settle(
      0n,
      took(first.hash, { feeFri: 30n, execution: 'REVERTED', revertReason: 'no' }),
      NOW_MS - 2,
    );
    await stage.settle(1n, took(second.hash, { feeFri: 1_000n }), NOW_MS - 1);
    expect(await paid()).toEqual({ a: 1_030n });
  });

  it('the cost of an attempt excludes the fee of a nonce that another attempt consumed', async () => {
    const first = anAttempt('first', { end: 'refused' });
    await stage.endAt(first, await stage.begin(first), 0n);
    const second = anAttempt('second');
    await stage.endAt(second, await stage.begin(second), 0n);
    expect(await paid()).toEqual({ first: 0n, second: 1_000n });
  });
});
