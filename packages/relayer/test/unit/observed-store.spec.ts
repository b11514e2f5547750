import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqliteStore, type OpenedStore } from '@sotto/adapter-store';
import { Metrics, PortObserver } from '@sotto/telemetry';
import { STORE_PORTS, observedStore } from '../../src/composition/observed-store.js';

describe('the observed store', () => {
  let folder: string;
  let metrics: Metrics;
  let opened: OpenedStore;
  let observed: OpenedStore;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-observed-'));
    metrics = new Metrics(false);
    opened = await openSqliteStore({ path: join(folder, 'sotto.db') });
    observed = observedStore(new PortObserver(metrics, STORE_PORTS), opened);
  });
  afterEach(async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });

  it('O2 has each part of the store, and each call that a part has', () => {
    for (const [name, methods] of Object.entries(STORE_PORTS)) {
      // Making it throws where the part lacks a named call.
      const part: unknown = Reflect.get(observed, name);
      if (typeof part !== 'object' || part === null) throw new Error(`no part ${name}`);
      const calls = Object.getOwnPropertyNames(Object.getPrototypeOf(part)).filter(
        (call) => call !== 'constructor',
      );
      expect({ name, calls: calls.toSorted() }).toEqual({ name, calls: [...methods].toSorted() });
    }
  });

  it('O2 measures calls by part and outcome, and makes each part once', async () => {
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
