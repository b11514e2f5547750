import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, toFelt } from '@sotto/kernel';
import { aSubmission } from '@sotto/submission-core/testing';
import { EarlyChecks, PoolCircuitBreaker, guardPart } from '../../src/index.js';
import { FakeContractClasses, FakeSubmissions } from '../../src/testing/index.js';
import { LIMITS, SNAPSHOT_MS, aGuard, anEntry } from '../support/guard-world.js';
import { MovingClock } from '@sotto/kernel/testing';
import { NOW_MS, pool } from '../support/world.js';

const GUARD = { address: toFelt('0x9a2d'), classHash: toFelt('0xc1a55') };
const HOUR_MS = 3_600_000;
const SPENT = { state: 'reverted', revertReason: 'already withdrawn' } as const;
const withdraw = { to: pool.address, entrypoint: 'withdraw' };
const deposit = { to: pool.address, entrypoint: 'deposit' };

let clock: MovingClock;
let world: ReturnType<typeof aGuard>;
let classes: FakeContractClasses;

const checks = (guardedDeposits: readonly (typeof pool.address)[] = []): EarlyChecks =>
  new EarlyChecks(classes, world.view, clock, silentLogger, {
    guard: GUARD,
    guardedDeposits: new Set(guardedDeposits),
  });

beforeEach(() => {
  clock = new MovingClock(NOW_MS);
  world = aGuard(clock, new FakeSubmissions(), [pool]);
  classes = new FakeContractClasses();
  classes.deploy(GUARD.address, GUARD.classHash);
});

/** Adds a withdrawal or swap of the pool that has ended at the current time. */
function end(change: Parameters<typeof anEntry>[2]): void {
  world.money.end(anEntry(pool, clock.nowMs(), change));
  clock.pass(SNAPSHOT_MS);
}

describe('EarlyChecks', () => {
  it('T8: the guard contract checks a pool’s withdrawals for an hour after callers have caused two reverts', async () => {
    const subject = checks();
    await subject.execute();
    end(SPENT);
    expect(await subject.precede(withdraw)).toBe(false);
    end({ state: 'reverted', revertReason: 'guard: differs' });
    expect(await subject.precede(withdraw)).toBe(true);
    expect(await subject.precede({ ...withdraw, to: toFelt('0x2') })).toBe(false);
    expect(await subject.precede({ ...withdraw, entrypoint: 'private_swap' })).toBe(false);
    expect(await subject.precede(deposit)).toBe(false);
    clock.pass(HOUR_MS);
    expect(await subject.precede(withdraw)).toBe(false);
  });

  it('T8: reverts that callers have not caused do not make the guard contract check withdrawals', async () => {
    const subject = checks();
    await subject.execute();
    const slipped = {
      ...SPENT,
      revertReason: 'Insufficient tokens received',
      role: 'swap_owner',
    } as const;
    for (const change of [{}, slipped, slipped, { ...SPENT, revertReason: 'paused' }, SPENT])
      end(change);
    expect(await subject.precede(withdraw)).toBe(false);
  });

  it('T8: the guard contract checks every deposit into a pool that computes hashes before the transfer', async () => {
    const subject = checks([pool.address]);
    expect(await subject.precede(deposit)).toBe(false);
    await subject.execute();
    expect(await subject.precede(deposit)).toBe(true);
    expect(await subject.precede({ ...deposit, to: toFelt('0x2') })).toBe(false);
  });

  it('T8: uses no guard contract if the class of the deployed contract is not the pinned class', async () => {
    const subject = checks([pool.address]);
    const part = guardPart(subject);
    expect([await part.poll(), subject.isUsable()]).toEqual([[], false]);
    classes.deploy(GUARD.address, toFelt('0xbad'));
    end(SPENT);
    end(SPENT);
    await subject.execute();
    expect(await subject.precede(withdraw)).toBe(false);
    expect(await subject.precede(deposit)).toBe(false);
    expect(await part.poll()).toEqual([
      {
        code: 'GUARD_CLASS_UNEXPECTED',
        details: { guard: GUARD.address, pinned: GUARD.classHash, found: '0xbad' },
      },
    ]);
    classes.deploy(GUARD.address, GUARD.classHash);
    await subject.execute();
    expect(await subject.precede(withdraw)).toBe(true);
    expect(await part.poll()).toEqual([]);
  });

  it('T8 uses no guard contract if the configured guard contract is not deployed', async () => {
    classes = new FakeContractClasses();
    const subject = checks();
    await subject.execute();
    expect([subject.problem(), subject.isUsable()]).toEqual(['GUARD_NOT_DEPLOYED', false]);
  });
});

describe('PoolCircuitBreaker with a pinned guard', () => {
  const caller = { name: 'mallory', networks: [] };
  const share = LIMITS.hourlyLossPerPoolFri / 4n;
  /**
   * Returns the error code for the second request of a caller whose first request lost this amount.
   */
  async function secondRequest(
    isGuarded: boolean,
    role: 'relay' | 'swap_owner',
    { gasPaidFri = share, limits = LIMITS, querying = caller } = {},
  ): Promise<unknown> {
    const { view, controls, claims, money } = world;
    const breaker = new PoolCircuitBreaker(view, controls, claims, clock, {
      limits,
      pools: [pool],
      maxWaitingPerRole: 200,
      isGuarded: () => isGuarded,
    });
    const submissions = new FakeSubmissions();
    const key = 'first';
    const acceptance = await breaker.confirm(
      { pool, kind: 'relay', key, requested: { effect: key }, costFri: 0n, role: 'relay', caller },
      () => submissions.submit({ ...aSubmission(key), key }),
    );
    if (acceptance.kind !== 'accepted') throw new Error('the first request is not accepted');
    const { id } = acceptance.attempt;
    money.end(anEntry(pool, clock.nowMs(), { ...SPENT, id, key, gasPaidFri }));
    clock.pass(SNAPSHOT_MS);
    const rejection = await breaker.acquire({
      pool,
      key: 'second',
      requested: { effect: 'second' },
      caller: querying,
      role,
    });
    return rejection?.code ?? null;
  }

  it('T8: accepts a guarded withdrawal even of a caller that has caused losses', async () => {
    expect(await secondRequest(true, 'relay')).toBeNull();
  });

  it('T8: an exhausted loss budget closes guarded withdrawals only to callers that have caused losses', async () => {
    const gasPaidFri = LIMITS.hourlyLossPerPoolFri;
    expect(await secondRequest(true, 'relay', { gasPaidFri })).toBe('CALLER_BUDGET_EXHAUSTED');
    const querying = { name: 'alice', networks: [] };
    expect(await secondRequest(true, 'relay', { gasPaidFri, querying })).toBeNull();
  });

  it('T8: rejects guarded withdrawals of a caller with losses if an exhausted loss budget closes the pool', async () => {
    const limits = { ...LIMITS, lossBudgetCloses: true };
    expect(await secondRequest(true, 'relay', { limits })).toBe('CALLER_BUDGET_EXHAUSTED');
  });

  it('T8: rejects unguarded withdrawals and swaps of a caller that has caused losses', async () => {
    expect(await secondRequest(true, 'swap_owner')).toBe('CALLER_BUDGET_EXHAUSTED');
    world = aGuard(clock, new FakeSubmissions(), [pool]);
    expect(await secondRequest(false, 'relay')).toBe('CALLER_BUDGET_EXHAUSTED');
  });
});
