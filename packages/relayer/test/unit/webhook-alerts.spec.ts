import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { REASON_CODES } from '@sotto/facts';
import { silentLogger, startBackgroundTasks, toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { GetVerdict, type Reason, type Verdict } from '@sotto/relayer-core';
import { LedgerUnavailable } from '@sotto/submission-core';
import {
  AlertMemory,
  DeliverFromMemory,
  DeliverToEndpoint,
  DeliveryCounters,
  TopicStates,
  WatchAlerts,
  type WebhookEndpoint,
} from '@sotto/webhook-core';
import {
  FakeWebhookSender,
  InMemoryAlertStore,
  InMemoryDeliveryStore,
} from '@sotto/webhook-core/testing';
import { alertHolds } from '../../src/composition/alert-holds.js';
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
  it('each health reason of the instance causes an alert that contains only its code and component', async () => {
    expect(
      await alertsIn({
        reasons: [reason('STORE_NOT_WRITABLE', 'store'), reason('TIMED_OUT', 'node')],
      }),
    ).toEqual([
      { code: 'STORE_NOT_WRITABLE', component: 'store' },
      { code: 'TIMED_OUT', component: 'node' },
    ]);
  });

  it('each health reason of a pool causes an alert whose component is the pool’s key', async () => {
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

  it('a stop of the process causes no alert', async () => {
    expect(
      await alertsIn({
        reasons: [reason('STOPPING', 'running')],
        warnings: [reason('NODE_DOWN', 'nodes')],
      }),
    ).toEqual([]);
  });
});

const PAGER: WebhookEndpoint = { name: 'pager', events: 'alerts' };
const STEP_MS = 100;

/**
 * Instance whose store becomes unavailable. The intervals of the instance run on a clock that a
 * test advances.
 */
class Instance {
  readonly clock = new ManualClock();
  readonly sender = new FakeWebhookSender();
  readonly #holds = alertHolds(60_000);
  readonly #memory = new AlertMemory(this.clock, this.#holds);
  readonly #store = new InMemoryDeliveryStore(this.clock);
  readonly #alerts = new InMemoryAlertStore(this.clock);
  readonly #end: () => Promise<void>;
  #isAway = false;

  /** @param hangsMs duration in ms of the check of a component other than the store */
  constructor(hangsMs: number) {
    const { clock } = this;
    const poll = async (): Promise<readonly []> => {
      if (this.#isAway) throw new LedgerUnavailable();
      return [];
    };
    const slow = async (): Promise<readonly []> => {
      await clock.sleep(hangsMs);
      return [];
    };
    const verdict = new GetVerdict(
      [
        { component: 'store', scope: 'instance', failure: 'STORE_NOT_WRITABLE', poll },
        { component: 'node', scope: 'instance', failure: 'NODE_UNREACHABLE', poll: slow },
      ],
      [],
      clock,
      silentLogger,
    );
    const memory = this.#memory;
    const watch = new WatchAlerts(
      {
        source: alertsOf(verdict),
        alerts: this.#alerts,
        store: this.#store,
        memory,
        logger: silentLogger,
      },
      [PAGER],
      { resolveMs: this.#holds.resolveMs, instance: 'a' },
    );
    const tasks = [
      verdict,
      watch,
      this.#deliver(this.#store, this.#alerts),
      new DeliverFromMemory(memory, this.#deliver(memory.store, memory.alerts)),
    ];
    this.#end = startBackgroundTasks(tasks, { clock, logger: silentLogger });
  }

  store(isAway: boolean): void {
    this.#isAway = isAway;
    for (const store of [this.#store, this.#alerts])
      store.fail(isAway ? new LedgerUnavailable() : null);
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      this.clock.advance(STEP_MS);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  async end(): Promise<void> {
    const ended = this.#end();
    this.clock.advance(10_000);
    await ended;
  }

  #deliver(store: AlertMemory['store'], alerts: AlertMemory['alerts']): DeliverToEndpoint {
    const { clock } = this;
    const submissions = { find: async () => null };
    const topics = new TopicStates(
      { submissions, alerts, clock, mayResolve: () => true },
      this.#holds,
    );
    const { sender } = this;
    const counters = new DeliveryCounters();
    return new DeliverToEndpoint(
      { store, topics, sender, counters, clock, logger: silentLogger, random: () => 0 },
      PAGER,
    );
  }
}

describe('an alert of the instance itself', () => {
  const phases = Array.from({ length: 21 }, (_, index) => index * 2 * STEP_MS);

  it.each([0, 1_900])(
    'an alert of the instance is sent within 15 s of the fault, while another check lasts %d ms',
    async (hangsMs) => {
      for (const phaseMs of phases) {
        const instance = new Instance(hangsMs);
        await instance.pass(20_000 + phaseMs);
        instance.store(true);
        await instance.pass(15_000);
        expect(instance.sender.bodies()).toMatchObject([
          { code: 'STORE_NOT_WRITABLE', state: 'raised' },
        ]);
        await instance.end();
      }
    },
  );

  it('no alert is raised for a fault that ends before the alert’s delay', async () => {
    for (const phaseMs of phases) {
      const instance = new Instance(0);
      await instance.pass(20_000 + phaseMs);
      instance.store(true);
      await instance.pass(3_000);
      instance.store(false);
      await instance.pass(120_000);
      expect(instance.sender.sent).toEqual([]);
      await instance.end();
    }
  });

  it('the short alert delay applies only to alert codes that no start and no burst of requests can cause', () => {
    const holds = alertHolds(60_000);
    const soon = REASON_CODES.filter(
      (code) => holds.raiseMsOf({ code, component: 'any' }) === 5_000,
    );
    for (const code of [
      'LEDGER_NOT_READ',
      'LEDGER_NOT_JUDGED',
      'LANES_NOT_LOOKED_AT',
      'LANES_QUARANTINED',
      'LANES_HELD_ELSEWHERE',
      'VERIFIERS_NOT_LOOKED_AT',
      'QUEUE_FULL',
      'TIMED_OUT',
    ] as const)
      expect(soon).not.toContain(code);
    const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
    const [row = ''] = /^\| 5 seconds .*$/m.exec(page) ?? [];
    const named = [...row.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
    expect(new Set(named)).toEqual(new Set(soon));
  });
});
