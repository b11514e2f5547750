import { describe, expect, it } from '@jest/globals';
import { systemClock, toFelt, type Clock } from '@sotto/kernel';
import {
  LedgerUnavailable,
  type EngineStatus,
  type LaneState,
  type LedgerState,
} from '@sotto/submission-core';
import {
  lanesCheck,
  ledgerCheck,
  nodeCheck,
  poolVerifiersCheck,
  storeCheck,
  verifierCheck,
} from '../../src/status/application/readiness-checks.js';
import { Readiness, type ReadinessCheck } from '../../src/status/application/readiness.js';
import { calm, laneOf } from '@sotto/submission-core/testing';

const check = (name: string, run: () => Promise<string | null>): ReadinessCheck => ({ name, run });
const fine = check('fine', async () => null);
/** Sleeps are over at once, so time-outs come as soon as anything is awaited. */
const hastyClock: Clock = {
  ...systemClock,
  sleep: async () => new Promise((resolve) => setTimeout(resolve, 1)),
};

describe('Readiness', () => {
  it('is ready when every check passes', async () => {
    expect(await new Readiness([fine], systemClock).report()).toEqual({
      ready: true,
      checks: { running: { ok: true, code: null }, fine: { ok: true, code: null } },
    });
  });

  it('gives a code for what fails, never its text', async () => {
    const checks = [
      fine,
      check('wrong', async () => 'WRONG_CHAIN'),
      check('error', async () => Promise.reject(new LedgerUnavailable({ message: 'marker' }))),
      check('bug', async () => Promise.reject(new Error('marker'))),
    ];
    const { ready, checks: results } = await new Readiness(checks, systemClock).report();
    expect(ready).toBe(false);
    expect(results).toEqual({
      running: { ok: true, code: null },
      fine: { ok: true, code: null },
      wrong: { ok: false, code: 'WRONG_CHAIN' },
      error: { ok: false, code: 'LEDGER_UNAVAILABLE' },
      bug: { ok: false, code: 'FAILED' },
    });
  });

  it('S14 names what is wrong with the pools’ verifiers', async () => {
    const { ready, checks } = await new Readiness(
      [poolVerifiersCheck({ problem: () => 'VERIFIER_CLASS_NOT_OF_KEY' })],
      systemClock,
    ).report();
    expect([ready, checks['pool_verifiers']]).toEqual([
      false,
      { ok: false, code: 'VERIFIER_CLASS_NOT_OF_KEY' },
    ]);
  });

  it('does not wait for ever', async () => {
    const { checks } = await new Readiness(
      [check('stuck', () => new Promise(() => {}))],
      hastyClock,
    ).report();
    expect(checks['stuck']).toEqual({ ok: false, code: 'TIMED_OUT' });
  });

  it('looks once for probes that come together, and again later', async () => {
    let nowMs = 0;
    let looks = 0;
    const clock: Clock = { ...systemClock, monotonicMs: () => nowMs };
    const counted = check('counted', async () => {
      looks += 1;
      return null;
    });
    const readiness = new Readiness([counted], clock);
    await Promise.all([readiness.report(), readiness.report()]);
    expect(looks).toBe(1);
    nowMs = 1_000;
    await readiness.report();
    expect(looks).toBe(2);
  });

  it('looks again at once where something was wrong, so that it is ready as soon as nothing is', async () => {
    let nowMs = 0;
    let code: string | null = 'DOWN';
    const clock: Clock = { ...systemClock, monotonicMs: () => nowMs };
    const readiness = new Readiness([check('store', async () => code)], clock);
    expect((await readiness.report()).ready).toBe(false);
    code = null;
    nowMs = 49;
    expect((await readiness.report()).ready).toBe(false);
    nowMs = 50;
    expect((await readiness.report()).ready).toBe(true);
  });

  it('is not ready once it stops', async () => {
    const readiness = new Readiness([fine], systemClock);
    readiness.stop();
    expect(await readiness.report()).toMatchObject({
      ready: false,
      checks: { running: { ok: false, code: 'STOPPING' } },
    });
  });
});

const REASONS: Partial<Record<LaneState, string>> = {
  resting: 'WRONG_KEY',
  paused: 'marker',
  quarantined: 'INTRODUCED',
  unknown: 'NOT_LOOKED_AT',
};
const statusOf = (...states: readonly LaneState[]): { status: () => EngineStatus } => ({
  status: () => ({
    ...calm,
    lanes: states.map((state) =>
      laneOf({ address: toFelt(1n), role: 'relay', state, reason: REASONS[state] ?? null }),
    ),
  }),
});

const state = async (): Promise<LedgerState> => ({
  chain: null,
  lastBlock: null,
  nowMs: 1,
  disprovedRefusals: 0,
  lanes: [],
});

describe('checks', () => {
  it.each([
    [['ready'], null],
    [['short_of_funds', 'full'], null],
    [['held_elsewhere', 'short_of_funds'], 'LANES_SHORT_OF_FUNDS'],
    [['held_elsewhere'], 'LANES_HELD_ELSEWHERE'],
    [['unknown'], 'LANES_NOT_LOOKED_AT'],
    [['resting', 'ready'], null],
    [['resting', 'paused', 'short_of_funds'], 'LANES_RESTING_WRONG_KEY'],
    [['paused', 'quarantined'], 'LANES_PAUSED'],
    [['quarantined', 'unknown'], 'LANES_QUARANTINED'],
    [['retiring'], 'LANES_RETIRING'],
  ] as const)('judges lanes %j', async (states, code) => {
    expect(await lanesCheck(statusOf(...states), false).run()).toBe(code);
  });

  it.each([
    [['held_elsewhere'], null],
    [['held_elsewhere', 'short_of_funds'], null],
    [['held_elsewhere', 'resting'], null],
    [['resting'], 'LANES_RESTING_WRONG_KEY'],
    [['short_of_funds'], 'LANES_SHORT_OF_FUNDS'],
    [['unknown'], 'LANES_NOT_LOOKED_AT'],
  ] as const)('judges lanes %j of an instance that is not alone', async (states, code) => {
    expect(await lanesCheck(statusOf(...states), true).run()).toBe(code);
  });

  it('judges by no lane of another role, which could carry no withdrawal', async () => {
    const others = (['swap_owner', 'curator'] as const).map((role) =>
      laneOf({ address: toFelt(2n), role, state: 'ready' }),
    );
    const relay = laneOf({ address: toFelt(1n), role: 'relay', state: 'short_of_funds' });
    const status = (): EngineStatus => ({ ...calm, lanes: [relay, ...others] });
    expect(await lanesCheck({ status }, false).run()).toBe('LANES_SHORT_OF_FUNDS');
  });

  it.each([
    ['0x1', null],
    ['0x2', 'WRONG_CHAIN'],
  ])('judges a node of chain %s', async (chain, code) => {
    const probe = {
      probe: async () => ({ chainId: toFelt(chain), specVersion: '0.10.2', blockNumber: 1 }),
    };
    expect(await nodeCheck(probe, toFelt('0x1')).run()).toBe(code);
  });

  it('fails with the store and passes with it', async () => {
    expect(await storeCheck({ state }).run()).toBeNull();
    await expect(
      storeCheck({
        state: async () => Promise.reject(new LedgerUnavailable({ message: 'down' })),
      }).run(),
    ).rejects.toThrow('down');
  });

  it.each([
    [null, null],
    ['NOT_READ', 'LEDGER_NOT_READ'],
    ['NOT_JUDGED', 'LEDGER_NOT_JUDGED'],
    ['LEDGER_BEHIND_CHAIN', 'LEDGER_BEHIND_CHAIN'],
    ['LEDGER_OF_ANOTHER_CHAIN', 'LEDGER_OF_ANOTHER_CHAIN'],
  ] as const)('judges a ledger that is %s', async (ledger, code) => {
    expect(await ledgerCheck({ status: () => ({ ...calm, ledger }) }).run()).toBe(code);
  });

  it('refuses a verifier that takes anything', async () => {
    expect(await verifierCheck({ holds: async () => false }).run()).toBeNull();
    expect(await verifierCheck({ holds: async () => true }).run()).toBe('VERIFIER_UNSOUND');
  });
});
