import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, toFelt, type LogFields } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { GetVerdict } from '../../src/status/application/get-verdict.js';
import { Readiness } from '../../src/status/application/readiness.js';
import type { Obstacle, VerdictPart } from '../../src/status/domain/verdict.js';

const POOLS = [
  { key: 'one', address: toFelt('0x1') },
  { key: 'two', address: toFelt('0x2') },
];
const [ONE, TWO] = [toFelt('0x1'), toFelt('0x2')];

const part = (component: string, changes: Partial<VerdictPart> = {}): VerdictPart => ({
  component,
  scope: 'instance',
  failure: 'STORE_UNREACHABLE',
  poll: async () => [],
  ...changes,
});
const fine = async (): Promise<readonly Obstacle[]> => [];
const never = (): Promise<readonly Obstacle[]> => new Promise(() => {});
const of = (...parts: readonly VerdictPart[]): Readiness =>
  new Readiness(new GetVerdict(parts, POOLS, new ManualClock(), silentLogger));
const down = async (): Promise<readonly Obstacle[]> => [{ code: 'STORE_UNREACHABLE' }];
const unreadable = async (): Promise<readonly Obstacle[]> => [
  { code: 'POOL_NOT_READABLE', pool: TWO },
];
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the verdict', () => {
  let clock: ManualClock;
  let log: (readonly [string, LogFields])[];

  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    log = [];
  });

  const verdictOf = (...parts: readonly VerdictPart[]): GetVerdict =>
    new GetVerdict(parts, POOLS, clock, {
      ...silentLogger,
      warn: (fields, message) => void log.push([message, fields]),
      info: (fields, message) => void log.push([message, fields]),
      error: (fields, message) => void log.push([message, fields]),
    });

  it('the readiness verdict allows withdrawals in every pool if no check finds a problem', async () => {
    const verdict = await verdictOf(part('store')).execute();
    expect(verdict).toEqual({
      asOfMs: 1_000_000,
      reasons: [],
      pools: POOLS.map((pool) => ({ ...pool, canWithdraw: true, reasons: [] })),
      warnings: [],
    });
  });

  it('T15: calls the callback after each refresh in which no check of the instance found a problem', async () => {
    const healthy: number[] = [];
    let poll = down;
    const verdict = new GetVerdict(
      [part('node', { poll: () => poll() }), part('views', { scope: 'pools', poll: unreadable })],
      POOLS,
      clock,
      silentLogger,
      (beganMs) => healthy.push(beganMs),
    );
    await verdict.run();
    expect(healthy).toEqual([]);
    poll = fine;
    await verdict.run();
    expect(healthy).toEqual([1_000_000]);
  });

  it('a problem of the instance blocks the withdrawals of every pool', async () => {
    const full = new LedgerUnavailable({ causeCode: 'ENOSPC' });
    const store = part('store', {
      failure: 'STORE_NOT_WRITABLE',
      poll: async () => Promise.reject(full),
    });
    const { reasons, pools } = await verdictOf(store).execute();
    expect(reasons).toEqual([
      {
        code: 'STORE_NOT_WRITABLE',
        component: 'store',
        details: { error: 'LEDGER_UNAVAILABLE', cause: 'ENOSPC' },
        sinceMs: 1_000_000,
      },
    ]);
    expect(pools.map(({ canWithdraw }) => canWithdraw)).toEqual([false, false]);
  });

  it('O1: a problem of one pool neither makes the instance unready nor blocks other pools', async () => {
    const breakers = part('breakers', {
      scope: 'pools',
      poll: async () => [{ code: 'POOL_PAUSED', pool: ONE }],
    });
    const queue = part('queue', { scope: 'pools' });
    const verdict = verdictOf(part('store'), breakers, queue);
    expect((await verdict.execute()).pools).toMatchObject([
      { canWithdraw: false, reasons: [{ code: 'POOL_PAUSED' }] },
      { canWithdraw: true, reasons: [] },
    ]);
    expect(await new Readiness(verdict).report()).toEqual({
      ready: true,
      checks: { running: { ok: true, code: null }, store: { ok: true, code: null } },
    });
  });

  it('O3 logs a warning once if a redundant resource is missing, and blocks no withdrawal', async () => {
    let found: readonly Obstacle[] = [{ code: 'NODES_DISAGREE', details: { nodes: 'node-1' } }];
    const verdict = verdictOf(
      part('store'),
      part('nodes', { scope: 'warning', poll: async () => found }),
    );
    const { reasons, pools, warnings } = await verdict.execute();
    expect(warnings).toMatchObject([{ code: 'NODES_DISAGREE', component: 'nodes' }]);
    expect([reasons, pools.map(({ canWithdraw }) => canWithdraw)]).toEqual([[], [true, true]]);
    expect(await new Readiness(verdict).report()).toEqual({
      ready: true,
      checks: { running: { ok: true, code: null }, store: { ok: true, code: null } },
    });
    await verdict.run();
    found = [];
    await verdict.run();
    expect(log.map(([message]) => message)).toEqual([
      'a spare is missing',
      'ready',
      'the spare is back',
    ]);
  });

  it('O4: logs a wrong clock again once the wrong clock blocks withdrawals', async () => {
    const aheadMs = -300_000;
    let found: readonly Obstacle[] = [{ code: 'CLOCK_WRONG', details: { aheadMs } }];
    const verdict = verdictOf(part('clock', { scope: 'warning', poll: async () => found }));
    await verdict.run();
    found = [{ code: 'CLOCK_WRONG', details: { aheadMs, causes: 'LEDGER_NOT_JUDGED' } }];
    await verdict.run();
    await verdict.run();
    found = [];
    await verdict.run();
    expect(log.map(([message]) => message).filter((message) => message !== 'ready')).toEqual([
      'a clock is wrong',
      'a clock is wrong, and withdrawals are blocked because of it',
      'the clock is right again',
    ]);
  });

  it('O9: logs no warning for a stop of the process, or for a start that becomes ready within 30 seconds', async () => {
    const levels: string[] = [];
    let found: readonly Obstacle[] = [{ code: 'LEDGER_NOT_READ' }];
    const verdict = new GetVerdict([part('ledger', { poll: async () => found })], POOLS, clock, {
      ...silentLogger,
      info: () => void levels.push('info'),
      warn: () => void levels.push('warn'),
    });
    await verdict.run();
    clock.advance(29_999);
    await verdict.run();
    found = [];
    await verdict.run();
    verdict.stop();
    expect(new Set(levels)).toEqual(new Set(['info']));
  });

  it('O9: logs one warning for a start that is not ready after 30 seconds', async () => {
    const warnings: unknown[] = [];
    const ledger = part('ledger', { poll: async () => [{ code: 'LEDGER_NOT_READ' }] });
    const verdict = new GetVerdict([ledger], POOLS, clock, {
      ...silentLogger,
      warn: ({ reason }) => void warnings.push(reason),
    });
    await verdict.run();
    clock.advance(30_000);
    await verdict.run();
    await verdict.run();
    expect(warnings).toEqual(['LEDGER_NOT_READ']);
  });

  it('O1: the instance remains ready while a full queue blocks the withdrawals of every pool', async () => {
    const queue = part('queue', { scope: 'pools', poll: async () => [{ code: 'QUEUE_FULL' }] });
    const verdict = verdictOf(queue);
    expect((await verdict.execute()).pools.map(({ reasons }) => reasons[0]?.code)).toEqual([
      'QUEUE_FULL',
      'QUEUE_FULL',
    ]);
    expect((await new Readiness(verdict).report()).ready).toBe(true);
  });

  /** Runs a refresh of a hanging check: advances the clock until the refresh stops waiting. */
  const hangs = async (verdict: GetVerdict): Promise<void> => {
    const refreshed = verdict.run();
    await settled();
    clock.advance(2_000);
    await refreshed;
  };

  it('O6: waits at most two seconds for a check that does not end', async () => {
    let poll: VerdictPart['poll'] = unreadable;
    const verdict = verdictOf(part('node', { poll: () => poll() }));
    await verdict.execute();
    poll = never;
    await hangs(verdict);
    expect(verdict.current()).toMatchObject({
      reasons: [],
      pools: [{}, { reasons: [{ code: 'POOL_NOT_READABLE' }] }],
    });
    // Later refreshes do not wait for a check that hangs.
    clock.advance(3_000);
    await verdict.run();
    expect(clock.sleeping).toBe(0);
    expect(verdict.current()).toMatchObject({
      reasons: [{ code: 'TIMED_OUT', component: 'node', details: { knownAgoMs: 5_000 } }],
      pools: [{}, { reasons: [{ code: 'POOL_NOT_READABLE' }] }],
    });
  });

  it('reports TIMED_OUT after two seconds if the first check of a component does not end, because there is no earlier result', async () => {
    const verdict = verdictOf(part('node', { poll: never }));
    await hangs(verdict);
    expect(verdict.current().reasons).toMatchObject([{ code: 'TIMED_OUT', component: 'node' }]);
  });

  it('the instance remains ready while each check lasts four seconds, as on a busy machine', async () => {
    const answers: (() => void)[] = [];
    let poll = fine;
    const verdict = verdictOf(part('store', { poll: () => poll() }));
    await verdict.execute();
    poll = () => new Promise((resolve) => void answers.push(() => resolve([])));
    for (let round = 0; round < 5; round += 1) {
      await hangs(verdict);
      clock.advance(2_000);
      await verdict.run();
      expect(verdict.current().reasons).toEqual([]);
      answers.shift()?.();
      await settled();
    }
  });

  it('reports TIMED_OUT at most eleven seconds after the last result of a check that has stopped responding', async () => {
    let poll = fine;
    const verdict = verdictOf(part('node', { poll: () => poll() }));
    await verdict.execute();
    poll = never;
    const said: boolean[] = [];
    for (let seconds = 0; seconds < 60; seconds += 2) {
      clock.advance(verdict.intervalMs);
      const refreshed = verdict.run();
      await settled();
      if (clock.sleeping > 0) {
        clock.advance(2_000);
        seconds += 2;
      }
      await refreshed;
      said.push(verdict.current().reasons.some(({ code }) => code === 'TIMED_OUT'));
    }
    // The refreshes end 4, 6 and 8 seconds after the last result of the check.
    expect(said.indexOf(true)).toBe(2);
    expect(said.slice(2)).not.toContain(false);
  });

  it('uses the late result of a check unless a newer check has replaced it', async () => {
    const answers: ((found: readonly Obstacle[]) => void)[] = [];
    const poll = (): Promise<readonly Obstacle[]> =>
      new Promise((resolve) => void answers.push(resolve));
    const verdict = verdictOf(part('node', { poll }));
    const first = verdict.run();
    await settled();
    clock.advance(2_000);
    await first;
    clock.advance(28_000);
    const second = verdict.run();
    await settled();
    expect(answers).toHaveLength(2);
    answers[1]?.([]);
    await second;
    answers[0]?.([{ code: 'WRONG_CHAIN' }]);
    await settled();
    expect(verdict.current().reasons).toEqual([]);
  });

  it('reports since when a problem exists, and logs one line when the problem begins and one line when it ends', async () => {
    let found: readonly Obstacle[] = [{ code: 'HEAD_TOO_OLD', details: { ageMs: 1 } }];
    const verdict = verdictOf(part('head', { poll: async () => found }));
    await verdict.run();
    clock.advance(5_000);
    found = [{ code: 'HEAD_TOO_OLD', details: { ageMs: 5_001 } }];
    await verdict.run();
    expect(verdict.current().reasons).toMatchObject([
      { sinceMs: 1_000_000, details: { ageMs: 5_001 } },
    ]);
    found = [];
    await verdict.run();
    expect(log.map(([message]) => message)).toEqual([
      'withdrawals are blocked',
      'not ready',
      'a reason that blocked withdrawals has ended',
      'ready',
    ]);
    expect(log[0]?.[1]).toMatchObject({ reason: 'HEAD_TOO_OLD', component: 'head', ageMs: 1 });
  });

  it('reports LOOK_FAILED and logs an error if a readiness check throws an unexpected error', async () => {
    const bug = part('node', { poll: async () => Promise.reject(new Error('marker')) });
    const verdict = verdictOf(bug);
    expect((await verdict.execute()).reasons).toMatchObject([{ code: 'LOOK_FAILED', details: {} }]);
    expect(log[0]?.[0]).toBe('a check of the verdict threw an unexpected error');
  });

  it('repeats a check with a problem at each refresh, and other checks at their configured interval', async () => {
    let looks = 0;
    let found: readonly Obstacle[] = [];
    const poll = async (): Promise<readonly Obstacle[]> => {
      looks += 1;
      return found;
    };
    const verdict = verdictOf(part('contracts', { everyMs: 10_000, poll }));
    await verdict.run();
    await verdict.run();
    expect(looks).toBe(1);
    clock.advance(10_000);
    found = [{ code: 'CHAIN_WITHOUT_OUR_CONTRACTS' }];
    await verdict.run();
    await verdict.run();
    expect(looks).toBe(3);
  });

  it('concurrent probes share one refresh', async () => {
    let looks = 0;
    const counted = part('store', {
      poll: async () => {
        looks += 1;
        return [];
      },
    });
    const verdict = verdictOf(counted);
    await Promise.all([verdict.execute(), verdict.execute()]);
    clock.advance(6_000);
    await verdict.execute();
    expect(looks).toBe(1);
    clock.advance(1);
    await verdict.execute();
    expect(looks).toBe(2);
  });

  it('reports ready within 250 milliseconds after the last problem has ended', async () => {
    let found: readonly Obstacle[] = [{ code: 'WRONG_CHAIN' }];
    const readiness = new Readiness(verdictOf(part('node', { poll: async () => found })));
    expect((await readiness.report()).ready).toBe(false);
    found = [];
    clock.advance(251);
    expect((await readiness.report()).ready).toBe(true);
  });
});

describe('readiness', () => {
  it('the readiness report contains a code for each failed check, but no error message', async () => {
    const resting = { code: 'LANES_RESTING', details: { because: 'WRONG_KEY' } } as const;
    const { ready, checks } = await of(
      part('store', {
        poll: async () => Promise.reject(new LedgerUnavailable({ message: 'marker' })),
      }),
      part('lanes', { poll: async () => [resting] }),
      part('node'),
    ).report();
    expect(ready).toBe(false);
    expect(checks).toEqual({
      running: { ok: true, code: null },
      store: { ok: false, code: 'STORE_UNREACHABLE' },
      lanes: { ok: false, code: 'LANES_RESTING_WRONG_KEY' },
      node: { ok: true, code: null },
    });
  });

  it('an instance that can accept no withdrawal still serves reads, unless its store is unavailable', async () => {
    const unready = of(
      part('node', { poll: async () => [{ code: 'WRONG_CHAIN' }] }),
      part('store_reads'),
    );
    expect([(await unready.report()).ready, (await unready.serving()).ready]).toEqual([
      false,
      true,
    ]);
    expect(await of(part('store_reads', { poll: down })).serving()).toEqual({
      ready: false,
      checks: {
        running: { ok: true, code: null },
        store_reads: { ok: false, code: 'STORE_UNREACHABLE' },
      },
    });
  });

  it('reports a stopping process as not ready, and as not serving', async () => {
    const readiness = of(part('store'), part('store_reads'));
    readiness.stop();
    for (const report of [await readiness.report(), await readiness.serving()])
      expect(report).toMatchObject({
        ready: false,
        checks: { running: { ok: false, code: 'STOPPING' } },
      });
  });
});
