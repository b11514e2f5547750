import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STORE_METHODS, openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import { Metrics, PortObserver } from '@sotto/telemetry';
import { observedStore } from '../../src/composition/observability.module.js';

/** Names of the stores and their calls in metrics and traces, which dashboards use. */
const MEASURED = {
  ledger: [
    'apply',
    'attemptById',
    'attemptWithTransactions',
    'lastAttempt',
    'attempt',
    'waiting',
    'countWaiting',
    'openNonces',
    'unfinalNonces',
    'finalNonces',
    'transactionsOf',
    'inclusionOf',
    'calldata',
    'signedParts',
    'state',
    'bindChain',
    'noteBlock',
    'clearPossibleCopy',
    'pauseLane',
    'registerLane',
    'lease',
    'renew',
    'unlease',
    'handOver',
    'announce',
    'reserve',
    'redact',
  ],
  audit: ['firstNonce', 'nonces', 'submissions', 'ended'],
  archive: ['archive'],
  health: ['probe', 'size'],
  quotes: ['add', 'find', 'redeem', 'forget'],
  transfers: ['get', 'update', 'forget', 'countUnconfirmed'],
  register: ['page', 'ofTransaction', 'ofKeys', 'ofId'],
  operatorLog: ['begin', 'end', 'page'],
  settlements: ['ended', 'revertsOf', 'live'],
  traffic: ['live', 'depositsSince'],
  topUps: ['since'],
  poolControls: ['all', 'pause', 'resume', 'upstreamFailed', 'upstreamAnswered'],
  locks: ['take', 'replace', 'release', 'forget'],
  gas: ['newest', 'add', 'uses'],
  sponsorBudgets: ['reserve', 'release', 'forget'],
  swapPins: ['pin', 'find'],
  swapRecords: ['kept', 'readUpTo', 'noteReadUpTo'],
  taskLeases: ['hold', 'release', 'holders', 'lapsed'],
  taskBook: ['controls', 'pause', 'resume', 'looks', 'note', 'forget', 'spending'],
  purchaseOrders: ['progress', 'advance', 'open', 'end', 'forget'],
  dailyCloses: ['closes', 'keep'],
  rewardRates: ['last', 'keep'],
  leverageTargets: ['of', 'set'],
  webhookDeliveries: [
    'add',
    'ofKind',
    'count',
    'countUndelivered',
    'claim',
    'makeDue',
    'want',
    'settle',
    'postpone',
    'remove',
    'forget',
  ],
  webhookAlerts: ['note', 'sightings', 'forget'],
};

const sorted = (calls: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(calls).map(([name, of]) => [name, of.toSorted()]));

describe('the observed store', () => {
  let folder: string;
  let metrics: Metrics;
  let opened: OpenedStore;
  let observed: OpenedStore;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-observed-'));
    metrics = new Metrics(false);
    opened = await openSqliteStore({ path: join(folder, 'sotto.db') });
    observed = observedStore(new PortObserver(metrics, STORE_METHODS), opened);
  });
  afterEach(async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });

  it('O2: the observed store measures each part of the store, and each method of the part', () => {
    expect(sorted(STORE_METHODS)).toEqual(sorted(MEASURED));
    for (const [name, methods] of Object.entries(MEASURED)) {
      // This throws if the observed store lacks a call that is listed above.
      const part: unknown = Reflect.get(observed, name);
      if (typeof part !== 'object' || part === null) throw new Error(`no part ${name}`);
      const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(part)).filter(
        (call) => call !== 'constructor',
      );
      expect({ name, calls: calls.toSorted() }).toEqual({ name, calls: [...methods].toSorted() });
    }
  });

  it('O2: the observed store creates each part only once', async () => {
    expect(observed.ledger).toBe(observed.ledger);
    await observed.ledger.state();
    await observed.taskBook.controls();
    await observed.close();
    await expect(observed.health.size()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
    const counts = (await metrics.text())
      .split('\n')
      .filter((line) => line.startsWith('sotto_port_call_seconds_count'));
    expect(counts).toEqual([
      'sotto_port_call_seconds_count{port="ledger",method="state",outcome="ok"} 1',
      'sotto_port_call_seconds_count{port="taskBook",method="controls",outcome="ok"} 1',
      'sotto_port_call_seconds_count{port="health",method="size",outcome="unavailable"} 1',
    ]);
  });
});
