import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { Reason, Verdict } from '@sotto/relayer-core';
import { alertsOf } from '../../src/composition/webhooks.module.js';

const reason = (code: Reason['code'], component: string): Reason => ({
  code,
  component,
  details: { cause: 'a marker' },
  sinceMs: 1,
});
const pool = (key: string, ...reasons: readonly Reason[]): Verdict['pools'][number] => ({
  key,
  address: toFelt('0x1'),
  canWithdraw: false,
  reasons,
});
const alertsIn = (verdict: Partial<Verdict>) =>
  alertsOf({
    execute: async () => ({ asOfMs: 1, reasons: [], pools: [], warnings: [], ...verdict }),
  }).alerts();

describe('alerts of webhooks', () => {
  it('are the reasons of the instance, by code and component alone', async () => {
    expect(
      await alertsIn({
        reasons: [reason('STORE_NOT_WRITABLE', 'store'), reason('TIMED_OUT', 'node')],
      }),
    ).toEqual([
      { code: 'STORE_NOT_WRITABLE', component: 'store' },
      { code: 'TIMED_OUT', component: 'node' },
    ]);
  });

  it('are the reasons of each pool, with its key as the component', async () => {
    expect(
      await alertsIn({
        pools: [
          pool('one', reason('POOL_PAUSED', 'breakers'), reason('QUEUE_FULL', 'queue')),
          pool('two', reason('QUEUE_FULL', 'queue')),
          pool('three'),
        ],
      }),
    ).toEqual([
      { code: 'POOL_PAUSED', component: 'one' },
      { code: 'QUEUE_FULL', component: 'one' },
      { code: 'QUEUE_FULL', component: 'two' },
    ]);
  });

  it('are neither the end of the process nor what blocks nothing', async () => {
    expect(
      await alertsIn({
        reasons: [reason('STOPPING', 'running')],
        warnings: [reason('NODE_DOWN', 'nodes')],
      }),
    ).toEqual([]);
  });
});
