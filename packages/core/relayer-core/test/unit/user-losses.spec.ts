import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@sotto/kernel';
import { isLive } from '@sotto/submission-core';
import { aSubmission } from '@sotto/submission-core/testing';
import { Attributions } from '../../src/circuit-breaker/application/attributions.js';
import { PoolCircuitBreaker, type MoneyEntry, type NotePool } from '../../src/index.js';
import { FakeSubmissions } from '../../src/testing/index.js';
import { usdcPool } from '../support/estimate-world.js';
import { LIMITS, SNAPSHOT_MS, aGuard, anEntry } from '../support/guard-world.js';
import { judge, run } from '../support/judged.js';
import {
  BROKEN,
  SLIPPED,
  SPENT,
  codeOf,
  endLast,
  note,
  passWithPrices,
} from '../support/losses.js';
import { NOW_MS, aWorld, pool, type World } from '../support/world.js';

const STRK = 10n ** 18n;
const HOUR_MS = 3_600_000;
const SHARE_FRI = LIMITS.hourlyLossPerPoolFri / 4n;
const FINE = {};

/** Withdrawal of a note for which no other request exists. */
const ANOTHER = { pool, key: 'another', requested: { effect: 'another' }, role: 'relay' } as const;

const caller = (name: string): Caller => ({ name, networks: [] });
const [MALLORY, ALICE] = [caller('mallory'), caller('alice')];

const withdraw = (world: World, who: Caller, offset: bigint): Promise<string> =>
  codeOf(
    world.subject.execute({
      poolAddress: pool.address,
      calldata: note(world, offset),
      caller: who,
      waitMs: 0,
    }),
  );

describe('reverts caused by users', () => {
  it.each([
    ['S7 slippage', SLIPPED],
    ['S8 a note that was spent elsewhere', SPENT],
  ])('%s: reverts of this kind do not pause the pool, however many there are', (_, revert) => {
    const many = Array.from({ length: 20 }, () => ({ ...revert, gasPaidFri: STRK / 10n }));
    expect(judge({ entries: run(...many) })).toEqual({ kind: 'open' });
  });

  it('T11 swaps that used more gas than was assumed at their admission do not pause the pool', () => {
    const dear = { role: 'swap_owner', gasPaidFri: 10n * STRK } as const;
    const roomy = {
      ...LIMITS,
      hourlyGasPerPoolFri: 1_000n * STRK,
      hourlyGasInAllFri: 1_000n * STRK,
    };
    const many = Array.from({ length: 20 }, () => dear);
    expect(judge({ entries: run(...many) }, 'relay', pool, roomy)).toEqual({ kind: 'open' });
    const outOfGas = { ...dear, state: 'reverted', revertReason: 'Out of gas' } as const;
    const reverts = run(...many.map(() => outOfGas));
    expect(judge({ entries: reverts }, 'relay', pool, roomy)).toEqual({ kind: 'open' });
  });

  it('reverts that users caused neither start nor interrupt a series of reverts that the service caused', () => {
    expect(judge({ entries: run(BROKEN, SPENT, BROKEN, SPENT) })).toEqual({ kind: 'open' });
    expect(judge({ entries: run(BROKEN, SPENT, BROKEN, SLIPPED, BROKEN, SPENT) })).toMatchObject({
      kind: 'paused',
      cause: 'reverts',
    });
    expect(judge({ entries: run(BROKEN, SPENT, BROKEN, FINE, BROKEN) })).toEqual({ kind: 'open' });
  });
});

describe('a caller’s share of the loss budget', () => {
  it('S8 rejects only the caller that has used up its share of the loss budget, until the share is free again', async () => {
    const world = aWorld();
    expect(await withdraw(world, MALLORY, 0n)).toBe('accepted');
    endLast(world, { ...SPENT, gasPaidFri: SHARE_FRI - 1n });
    const lastMs = world.clock.nowMs();
    expect(await withdraw(world, MALLORY, 1n)).toBe('accepted');
    endLast(world, { ...SPENT, gasPaidFri: 1n });
    await expect(
      world.subject.execute({
        poolAddress: pool.address,
        calldata: note(world, 2n),
        caller: MALLORY,
        waitMs: 0,
      }),
    ).rejects.toMatchObject({
      code: 'CALLER_BUDGET_EXHAUSTED',
      kind: 'rate_limited',
      details: { cause: 'losses' },
    });
    expect(await withdraw(world, ALICE, 3n)).toBe('accepted');
    passWithPrices(world, lastMs + HOUR_MS - world.clock.nowMs());
    expect(await withdraw(world, MALLORY, 2n)).toBe('accepted');
  });

  it('rejects only the caller whose share of the loss budget is used up, although another caller sends the same proof', async () => {
    const world = aWorld();
    expect(await withdraw(world, MALLORY, 0n)).toBe('accepted');
    endLast(world, { ...SPENT, gasPaidFri: SHARE_FRI });
    const both = await Promise.all([withdraw(world, MALLORY, 1n), withdraw(world, ALICE, 1n)]);
    expect(both).toEqual(['CALLER_BUDGET_EXHAUSTED', 'accepted']);
  });

  it('a caller’s attempts in flight also use up its share of the loss budget after its first loss', async () => {
    const world = aWorld();
    const cost = 289_600_000_000_000_000n;
    expect(await withdraw(world, MALLORY, 0n)).toBe('accepted');
    endLast(world, { ...SPENT, gasPaidFri: SHARE_FRI - cost });
    expect(await withdraw(world, MALLORY, 1n)).toBe('accepted');
    expect(await withdraw(world, MALLORY, 2n)).toBe('CALLER_BUDGET_EXHAUSTED');
    expect(await withdraw(world, ALICE, 3n)).toBe('accepted');
    expect(await withdraw(world, ALICE, 4n)).toBe('accepted');
  });

  it('T6: a caller’s withdrawals in flight use up its share before its first loss if the loss budget can close the pool', async () => {
    const closing = aWorld({ ...LIMITS, lossBudgetCloses: true });
    const open = aWorld();
    for (const offset of [0n, 1n, 2n, 3n])
      for (const world of [closing, open])
        expect(await withdraw(world, MALLORY, offset)).toBe('accepted');
    expect(await withdraw(open, MALLORY, 4n)).toBe('accepted');
    expect(await withdraw(closing, MALLORY, 4n)).toBe('CALLER_BUDGET_EXHAUSTED');
    expect(await withdraw(closing, ALICE, 5n)).toBe('accepted');
  });

  it('reverts that the service caused do not use up the caller’s share of the loss budget', async () => {
    const world = aWorld();
    expect(await withdraw(world, MALLORY, 0n)).toBe('accepted');
    endLast(world, { ...BROKEN, gasPaidFri: 2n * SHARE_FRI });
    expect(await withdraw(world, MALLORY, 1n)).toBe('accepted');
  });

  it('a caller’s losses at another instance do not use up the caller’s share at this instance', async () => {
    const world = aWorld();
    expect(await withdraw(world, MALLORY, 0n)).toBe('accepted');
    endLast(world, { ...SPENT, gasPaidFri: SHARE_FRI });
    const there = world.guarding.instance().guard;
    const request = { ...ANOTHER, caller: MALLORY };
    expect(await there.acquire(request)).toBeNull();
    expect(await world.guarding.guard.acquire(request)).toMatchObject({
      code: 'CALLER_BUDGET_EXHAUSTED',
    });
    expect((await there.pools())[0]?.money.lostFri).toBe(SHARE_FRI);
  });
});

/** Adds losses of other callers that use up the pool’s budget. */
function lose(world: World): void {
  for (let count = 0; count < 4; count += 1) {
    world.guarding.money.end(
      anEntry(pool, world.clock.nowMs(), { ...SPENT, gasPaidFri: SHARE_FRI }),
    );
  }
  world.clock.pass(SNAPSHOT_MS);
}

/** Writes a withdrawal of the caller MALLORY. */
async function written(guard: PoolCircuitBreaker, of: NotePool, key: string): Promise<void> {
  const entry = { ...ANOTHER, pool: of, kind: 'relay', key, costFri: 1n } as const;
  await guard.confirm({ ...entry, caller: MALLORY }, () =>
    new FakeSubmissions().submit({ ...aSubmission(key), key }),
  );
}

describe('losses of all users together', () => {
  it('once the pool’s loss budget is used up, each caller may have only one request at a time', async () => {
    const world = aWorld();
    lose(world);
    expect((await world.guarding.guard.pools())[0]).toMatchObject({
      isStrict: true,
      relays: { kind: 'open' },
    });
    const requests = [0n, 1n, 2n].map((offset) => withdraw(world, MALLORY, offset));
    expect((await Promise.all(requests)).toSorted()).toEqual([
      'CALLER_BUDGET_EXHAUSTED',
      'CALLER_BUDGET_EXHAUSTED',
      'accepted',
    ]);
    expect(await withdraw(world, ALICE, 3n)).toBe('accepted');
    await expect(
      world.subject.execute({
        poolAddress: pool.address,
        calldata: note(world, 4n),
        caller: ALICE,
        waitMs: 0,
      }),
    ).rejects.toMatchObject({
      code: 'CALLER_BUDGET_EXHAUSTED',
      details: { cause: 'in_flight' },
      retryAfterSeconds: 10,
    });
    endLast(world, FINE);
    expect(await withdraw(world, ALICE, 4n)).toBe('accepted');
  });

  it('once a pool’s loss budget is used up, a caller’s attempts in flight in other pools do not restrict the caller', async () => {
    const { clock, submissions } = aWorld();
    const { money, guard } = aGuard(clock, submissions, [pool, usdcPool]);
    money.end(anEntry(pool, NOW_MS, { ...SPENT, gasPaidFri: LIMITS.hourlyLossPerPoolFri }));
    await written(guard, usdcPool, 'there');
    const another = { ...ANOTHER, caller: MALLORY };
    expect(await guard.acquire(another)).toBeNull();
    await written(guard, pool, 'here');
    expect(await guard.acquire(another)).toMatchObject({ details: { cause: 'in_flight' } });
  });

  it.each([
    ['has terms', 1n, 'CALLER_BUDGET_EXHAUSTED'],
    ['has none, as one that was read back from the chain', null, 'welcome'],
  ] as const)(
    'once the loss budget is used up, the result for a caller’s next request depends on its attempt in flight: it %s',
    async (_what, costFri, heard) => {
      const { clock, guarding } = aWorld();
      const { money, guard } = guarding;
      await written(guard, pool, 'own');
      clock.pass(SNAPSHOT_MS);
      money.end(anEntry(pool, NOW_MS, { ...SPENT, gasPaidFri: LIMITS.hourlyLossPerPoolFri }));
      const row = { key: 'own', kind: 'withdraw', subject: pool.address, acceptedAtMs: NOW_MS };
      money.begin({ ...row, role: 'relay', isWaiting: true, costFri });
      const another = { ...ANOTHER, caller: MALLORY };
      expect((await guard.acquire(another))?.code ?? 'welcome').toBe(heard);
    },
  );

  it('calls the callback once when the losses exceed the budget', async () => {
    const { clock, submissions } = aWorld();
    const { money, view, controls, claims } = aGuard(clock, submissions, [pool]);
    const changes: boolean[] = [];
    const strictnessChanged = (_: unknown, isStrict: boolean): void => void changes.push(isStrict);
    const guard = new PoolCircuitBreaker(view, controls, claims, clock, {
      limits: LIMITS,
      pools: [pool],
      maxWaitingPerRole: 200,
      strictnessChanged,
    });
    const poll = async (): Promise<void> => {
      clock.pass(SNAPSHOT_MS);
      await guard.pools();
    };
    await poll();
    money.end(anEntry(pool, NOW_MS, { ...SPENT, gasPaidFri: LIMITS.hourlyLossPerPoolFri }));
    await poll();
    await poll();
    clock.pass(HOUR_MS);
    await poll();
    expect(changes).toEqual([true, false]);
    await poll();
    expect(changes).toEqual([true, false]);
    money.end(anEntry(pool, clock.nowMs(), { ...SPENT, gasPaidFri: LIMITS.hourlyLossPerPoolFri }));
    await poll();
    expect(changes).toEqual([true, false, true]);
  });

  it('a used-up loss budget closes the pool only if the operator has configured this', () => {
    const entries = run(...Array.from({ length: 4 }, () => ({ ...SPENT, gasPaidFri: SHARE_FRI })));
    expect(judge({ entries })).toEqual({ kind: 'open' });
    const closing = { ...LIMITS, lossBudgetCloses: true };
    const untilMs = NOW_MS - 4_000 + HOUR_MS;
    expect(judge({ entries }, 'relay', pool, closing)).toEqual({
      kind: 'exhausted',
      scope: 'losses',
      untilMs,
    });
    expect(judge({ entries }, 'batch', pool, closing)).toEqual({ kind: 'open' });
    expect(judge({ entries: entries.slice(1) }, 'relay', pool, closing)).toEqual({ kind: 'open' });
  });
});

/** Cost of a swap, in fri. 40 swaps cost three times the pool’s loss budget. */
const SWAP_FRI = (3n * STRK) / 10n;

/** World in which a test begins swaps at the circuit breaker, without any other admission check. */
function aSwapRow() {
  const world = aWorld();
  const { submissions } = world;
  const { guard, money } = world.guarding;
  const begin = async (key: string, by: Caller): Promise<string> =>
    codeOf(
      guard.confirm(
        {
          pool,
          kind: 'relay',
          key,
          costFri: SWAP_FRI,
          role: 'swap_owner',
          caller: by,
          requested: { effect: key },
        },
        () => submissions.submit({ ...aSubmission(key), key }),
      ),
    );
  /** Ends all swaps in flight with this outcome. */
  const endAll = (change: Partial<MoneyEntry>): void => {
    for (const { id, key, state } of submissions.attempts) {
      if (!isLive(state)) continue;
      submissions.execute(id, change.state === 'reverted' ? 'REVERTED' : 'SUCCEEDED');
      money.end(anEntry(pool, world.clock.nowMs(), { id, key, kind: 'private_swap', ...change }));
    }
    world.clock.pass(SNAPSHOT_MS);
  };
  return { world, money, begin, endAll };
}

/** Returns a caller in one /48 network. Each caller has a separate /56 and /64 network. */
const rented = (index: number): Caller => ({
  name: `2001:db8:1:${index}::/64`,
  networks: [`2001:db8:1:${index}::/56`, '2001:db8:1::/48'],
});
const elsewhere = (index: number): Caller => ({
  name: `198.51.${index}.1`,
  networks: [`198.51.${index}.0/24`],
});

describe('a network’s share of the loss budget', () => {
  it('T6 240 reverting swaps from 40 addresses of one /48 use up at most a quarter of the loss budget', async () => {
    const { begin, endAll, money } = aSwapRow();
    const ends = await Promise.all(
      Array.from({ length: 240 }, (_, index) => begin(`first ${index}`, rented(index % 40))),
    );
    const accepted = ends.filter((end) => end === 'accepted').length;
    expect(BigInt(accepted) * SWAP_FRI).toBeLessThanOrEqual(SHARE_FRI + SWAP_FRI);
    expect(await begin('honest', elsewhere(1))).toBe('accepted');
    endAll({ ...SLIPPED, gasPaidFri: SWAP_FRI });
    for (let index = 0; index < 240; index += 1) {
      await begin(`second ${index}`, rented(index % 40));
      endAll({ ...SLIPPED, gasPaidFri: SWAP_FRI });
    }
    const lost = (await money.ended(0, 1_000)).reduce(
      (fri, { gasPaidFri }) => fri + gasPaidFri,
      0n,
    );
    expect(lost).toBeGreaterThan(SHARE_FRI - SWAP_FRI);
    expect(lost).toBeLessThanOrEqual(SHARE_FRI + 2n * SWAP_FRI);
    expect(await begin('still honest', elsewhere(1))).toBe('accepted');
  });

  it('T6: the swaps in flight of one network do not use up the share of another network', async () => {
    const { begin } = aSwapRow();
    const ends = await Promise.all(
      Array.from({ length: 12 }, (_, index) => begin(`of ${index}`, elsewhere(index))),
    );
    expect(new Set(ends)).toEqual(new Set(['accepted']));
  });

  it('T6 a pool whose loss budget is used up accepts only four swaps in flight', async () => {
    const { begin, endAll, money, world } = aSwapRow();
    money.end(anEntry(pool, NOW_MS, { ...SLIPPED, gasPaidFri: LIMITS.hourlyLossPerPoolFri }));
    world.clock.pass(SNAPSHOT_MS);
    const ends = await Promise.all(
      Array.from({ length: 9 }, (_, index) => begin(`of ${index}`, elsewhere(index))),
    );
    expect(ends.filter((end) => end === 'accepted')).toHaveLength(4);
    expect(await withdraw(world, ALICE, 5n)).toBe('accepted');
    endAll(FINE);
    expect(await begin('later', elsewhere(8))).toBe('accepted');
  });

  it('T11: a network whose trial request reverted cannot send the pool’s next trial request', async () => {
    const { begin, endAll, money, world } = aSwapRow();
    for (let count = 0; count < LIMITS.revertsInARow; count += 1)
      money.end(anEntry(pool, NOW_MS - LIMITS.pauseMs, { ...BROKEN }));
    world.clock.pass(SNAPSHOT_MS);
    expect(await begin('first trial', rented(1))).toBe('accepted');
    endAll({ ...SLIPPED, gasPaidFri: 1n });
    expect(await begin('second trial', rented(2))).toBe('POOL_PAUSED');
    // The fake ledger stores no end times. Therefore the second trial is possible only after the
    // lock of the first trial has expired.
    world.clock.pass(60_000);
    expect(await begin('honest', elsewhere(1))).toBe('accepted');
    endAll(FINE);
    expect(await begin('third', rented(3))).toBe('accepted');
  });

  it('T11: a fee below the cost uses up the caller’s share of the loss budget by the difference', async () => {
    const world = aWorld();
    expect(await withdraw(world, MALLORY, 0n)).toBe('accepted');
    endLast(world, { gasPaidFri: STRK + SHARE_FRI - 1n });
    expect((await world.guarding.guard.pools())[0]?.money.lostFri).toBe(SHARE_FRI - 1n);
    expect(await withdraw(world, MALLORY, 1n)).toBe('accepted');
    endLast(world, { gasPaidFri: STRK + 1n });
    expect(await withdraw(world, MALLORY, 2n)).toBe('CALLER_BUDGET_EXHAUSTED');
    expect(await withdraw(world, ALICE, 3n)).toBe('accepted');
  });
});
describe('attributions of attempts', () => {
  it('the caller of an attempt is stored for only two hours', () => {
    const attributions = new Attributions(2);
    attributions.remember({ id: '1', key: 'a' }, MALLORY, 0);
    attributions.remember({ id: '2', key: 'a' }, ALICE, 1);
    expect([attributions.callerOf('1'), attributions.callerOfKey('a')]).toEqual([MALLORY, ALICE]);
    attributions.remember({ id: '3', key: 'b' }, ALICE, 2);
    expect([
      attributions.callerOf('1'),
      attributions.callerOf('2'),
      attributions.callerOfKey('a'),
    ]).toEqual([null, ALICE, ALICE]);
    attributions.remember({ id: '4', key: 'c' }, MALLORY, 2 * HOUR_MS + 2);
    expect([
      attributions.callerOfKey('a'),
      attributions.callerOfKey('b'),
      attributions.callerOf('4'),
    ]).toEqual([null, null, MALLORY]);
  });
});
