import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { UNNAMED_CALLER } from '@sotto/kernel';
import type { Acceptance, Attempt } from '@sotto/submission-core';
import { aSubmission } from '@sotto/submission-core/testing';
import { SettlementWindow, PoolCircuitBreaker } from '../../src/index.js';
import { FakeSubmissions } from '../../src/testing/index.js';
import { LIMITS, SNAPSHOT_MS, aGuard, anEntry } from '../support/guard-world.js';
import { usdcPool } from '../support/estimate-world.js';
import { calldataWith, goodCalldata } from '../support/vector.js';
import { NOW_MS, aWorld, pool } from '../support/world.js';

describe('the error for a request during a pause', () => {
  it('the error during a manual pause contains no reason if the operator entered no reason', async () => {
    const { guarding } = aWorld();
    for (let count = 0; count < LIMITS.revertsInARow; count += 1)
      guarding.money.end(anEntry(pool, NOW_MS - 1_500, { state: 'reverted' }));
    const rejection = await guarding.guard.peek(pool, 'relay');
    expect(rejection?.details).toEqual({ cause: 'reverts' });
    expect(rejection?.retryAfterSeconds).toBe(59);
  });

  it('the error during a manual pause contains a retry time of one minute, because the pause has no known end', async () => {
    const { guarding } = aWorld();
    await guarding.control.pause(pool.address, 'upgrade');
    expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({
      retryAfterSeconds: 60,
      details: { cause: 'operator' },
    });
  });

  it('every request during a pause for upstream failures gets the same error', async () => {
    const { guarding } = aWorld();
    for (let count = 0; count < LIMITS.upstreamFailuresInARow; count += 1)
      await guarding.guard.recordUpstream(pool, false);
    for (let count = 0; count < 2; count += 1) {
      expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({
        retryAfterSeconds: 1,
        details: { cause: 'upstream' },
      });
    }
  });
});

async function anAttempt(key: string): Promise<Attempt> {
  return (await new FakeSubmissions().submit({ ...aSubmission(key), key })).attempt;
}

/** Begins an attempt at the breaker. The test decides later whether the submission is accepted. */
function entering(guard: PoolCircuitBreaker, key: string, costFri: bigint) {
  const { promise, resolve, reject } = Promise.withResolvers<Acceptance>();
  const confirmed = guard.confirm(
    {
      pool,
      kind: 'relay',
      key,
      requested: { effect: key },
      costFri,
      role: 'relay',
      caller: UNNAMED_CALLER,
    },
    () => promise,
  );
  return { confirmed, resolve, reject };
}

describe('an attempt that is about to be written', () => {
  it('S7: rejects a swap of a note if other swaps of this note reverted during the admission', async () => {
    const { guarding } = aWorld();
    const SLIPPED = {
      state: 'reverted',
      revertReason: 'Insufficient tokens received',
      role: 'swap_owner',
    } as const;
    for (let count = 0; count < LIMITS.swapRevertsPerNote; count += 1)
      guarding.money.end(anEntry(pool, NOW_MS - 1, { ...SLIPPED, key: 'note' }));
    const note = {
      pool,
      kind: 'relay',
      key: 'note',
      requested: { effect: 'an effect' },
      costFri: 0n,
      caller: UNNAMED_CALLER,
    } as const;
    let written = 0;
    const submit = async (): Promise<Acceptance> => {
      written += 1;
      return { kind: 'accepted', attempt: await anAttempt('note') };
    };
    await expect(
      guarding.guard.confirm({ ...note, role: 'swap_owner' }, submit),
    ).rejects.toMatchObject({ code: 'NOTE_SWAPS_SUSPENDED' });
    expect(written).toBe(0);
    await guarding.guard.confirm({ ...note, role: 'relay' }, submit);
    expect(written).toBe(1);
  });

  it('an attempt uses no budget if its submission already exists', async () => {
    const { guarding } = aWorld();
    const { confirmed, resolve } = entering(guarding.guard, 'a', LIMITS.hourlyGasPerPoolFri);
    resolve({ kind: 'same', attempt: await anAttempt('a') });
    await confirmed;
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
  });

  it.each(['accepted', 'same', 'failed'] as const)(
    'the gas budget for an attempt remains reserved until the attempt is written, although another attempt has ended as %s',
    async (end) => {
      const { guarding, clock } = aWorld();
      const other = entering(guarding.guard, 'other', 0n);
      const own = entering(guarding.guard, 'own', LIMITS.hourlyGasPerPoolFri);
      // The breaker has admitted both attempts before the other attempt ends.
      await new Promise((resolve) => setImmediate(resolve));
      if (end === 'failed') other.reject(new Error('not written'));
      else other.resolve({ kind: end, attempt: await anAttempt('other') });
      await Promise.allSettled([other.confirmed]);
      clock.pass(SNAPSHOT_MS);
      expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
      own.resolve({ kind: 'accepted', attempt: await anAttempt('own') });
      await own.confirmed;
    },
  );

  it('an attempt releases the lock of the pool’s trial only if the attempt holds this lock', async () => {
    const { guarding } = aWorld();
    let released = 0;
    guarding.claimStore.release = async () => {
      released += 1;
    };
    const { confirmed, reject } = entering(guarding.guard, 'a', 0n);
    reject(new Error('not written'));
    await expect(confirmed).rejects.toThrow('not written');
    expect(released).toBe(0);
  });

  it.each([
    ['deposit', 'open'],
    ['batch', 'POOL_PAUSED'],
  ] as const)(
    'only an accepted batch uses up the trial for batches: after an accepted %s, the result for the next batch is %s',
    async (kind, heard) => {
      const { guarding } = aWorld();
      for (let count = 0; count < LIMITS.revertsInARow; count += 1) {
        const atMs = NOW_MS - LIMITS.pauseMs;
        guarding.money.end(anEntry(pool, atMs, { state: 'reverted', terms: null }));
      }
      await guarding.guard.confirm({ pool, kind, key: 'a', costFri: null }, async () => ({
        kind: 'accepted',
        attempt: await anAttempt('a'),
      }));
      expect((await guarding.guard.peek(pool, 'batch'))?.code ?? 'open').toBe(heard);
    },
  );
});

describe('the trial after a run of reverts', () => {
  it('a rejected withdrawal does not use up the pool’s trial request', async () => {
    const world = aWorld();
    for (let count = 0; count < LIMITS.revertsInARow; count += 1) {
      world.guarding.money.end(anEntry(pool, NOW_MS - LIMITS.pauseMs, { state: 'reverted' }));
    }
    const unsound = calldataWith({ recipient: accountAddress(5n), nullifierHash: 7n });
    await expect(world.submit(unsound)).rejects.toMatchObject({ code: 'PROOF_INVALID' });
    await world.submit(goodCalldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });
});

describe('an answer of node and prices', () => {
  it('a successful read of node and prices resets the pool’s failure count, even if another pool is paused', async () => {
    const { clock, submissions } = aWorld();
    const { controls, control, guard } = aGuard(clock, submissions, [usdcPool, pool]);
    await control.pause(usdcPool.address, 'upgrade');
    await guard.recordUpstream(pool, false);
    clock.pass(SNAPSHOT_MS);
    await guard.recordUpstream(pool, true);
    expect((await controls.all()).map(({ upstream }) => upstream.failures)).toEqual([0, 0]);
  });

  it('a successful read of node and prices writes nothing to the store if the pool has no failures', async () => {
    const { guarding } = aWorld();
    let writes = 0;
    guarding.controls.upstreamAnswered = async () => {
      writes += 1;
    };
    await guarding.guard.recordUpstream(pool, true);
    expect(writes).toBe(0);
  });
});

describe('a guard without pauses by configuration', () => {
  it('accepts withdrawals in every pool if the configuration pauses no pool', async () => {
    const { clock, guarding } = aWorld();
    const { money, controls, claims } = guarding;
    const guard = new PoolCircuitBreaker(
      new SettlementWindow(money, controls, clock),
      controls,
      claims,
      clock,
      {
        limits: LIMITS,
        pools: [pool],
        maxWaitingPerRole: 200,
      },
    );
    expect(await guard.peek(pool, 'relay')).toBeNull();
  });
});
