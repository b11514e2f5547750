import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '@sotto/kernel';
import type { Acceptance } from '@sotto/submission-core';
import { aSubmission } from '@sotto/submission-core/testing';
import { FakeSubmissions } from '../../src/testing/index.js';
import {
  LIMITS,
  SNAPSHOT_MS,
  TERMS,
  aGuard,
  anEntry,
  entered,
  type Guarding,
} from '../support/guard-world.js';
import { anEstimateWorld, usdcPool } from '../support/estimate-world.js';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import { NOW_MS, aWorld, pool, type World } from '../support/world.js';

const nullifierHash = BigInt(vector.publicInputs[1] ?? 0);

/** Creates a valid withdrawal of another note. */
function another(world: World, offset: bigint) {
  const calldata = calldataWith({ nullifierHash: nullifierHash - offset });
  world.verifier.accept(proofOf(calldata));
  return calldata;
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'accepted',
    (error: DomainError) => error.code,
  );
}

const reverted = (guarding: Guarding, atMs: number): void => {
  for (let run = 0; run < LIMITS.revertsInARow; run += 1)
    guarding.money.end(anEntry(pool, atMs, { state: 'reverted' }));
};

describe('a paused pool', () => {
  it('a paused pool rejects a request with the time when the pause may end, without any read or check', async () => {
    const world = aWorld();
    reverted(world.guarding, NOW_MS - 1_500);
    await expect(world.submit()).rejects.toMatchObject({
      code: 'POOL_PAUSED',
      kind: 'unavailable',
      details: { cause: 'reverts' },
      retryAfterSeconds: 59,
    });
    expect([world.verifier.checks, world.log.calls]).toEqual([0, []]);
  });

  it('a paused pool still returns the response of a request that was accepted before the pause', async () => {
    const world = aWorld();
    const { submissionId } = await world.submit();
    world.submissions.execute(submissionId, 'SUCCEEDED');
    await world.guarding.control.pause(pool.key, 'upgrade');
    expect(await world.submit()).toMatchObject({ submissionId, answer: { kind: 'executed' } });
    expect(await codeOf(world.submit(another(world, 1n)))).toBe('POOL_PAUSED');
  });

  it('a paused pool rejects a request whose admission began before the pause', async () => {
    const world = aWorld();
    // The pause begins while the node simulates the call.
    world.simulator.revert('', () => {
      void world.guarding.controls.pause(pool.address, 'upgrade', NOW_MS);
      world.clock.pass(SNAPSHOT_MS);
      return false;
    });
    expect(await codeOf(world.submit())).toBe('POOL_PAUSED');
    expect(world.submissions.attempts).toEqual([]);
  });

  it('a paused pool remains paused at all instances and after a restart until an operator resumes it', async () => {
    const { guarding, clock } = aWorld();
    await guarding.control.pause(pool.address, 'upgrade');
    const restarted = guarding.instance();
    expect(await restarted.guard.peek(pool, 'relay')).toMatchObject({
      code: 'POOL_PAUSED',
      details: { cause: 'operator', reason: 'upgrade' },
    });
    expect(await restarted.guard.peek(pool, 'batch')).toMatchObject({ code: 'POOL_PAUSED' });
    expect(await restarted.control.resume(pool.key)).toMatchObject({ relays: { kind: 'open' } });
    clock.pass(SNAPSHOT_MS);
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
  });

  it('a paused pool does not affect other pools', async () => {
    const { guarding, issueQuote } = anEstimateWorld();
    await guarding.control.pause(pool.key, 'upgrade');
    expect(await codeOf(issueQuote.execute({ poolAddress: pool.address }))).toBe('POOL_PAUSED');
    expect(await codeOf(issueQuote.execute({ poolAddress: usdcPool.address }))).toBe('accepted');
  });

  it('an operator can’t resume a pool that the configuration pauses', async () => {
    const { clock, submissions } = aWorld();
    const { control, guard } = aGuard(
      clock,
      submissions,
      [pool],
      new Map([[pool.address, 'not open yet']]),
    );
    expect(await control.resume(pool.key)).toMatchObject({
      relays: { kind: 'paused', cause: 'configuration', reason: 'not open yet' },
    });
    expect(await guard.peek(pool, 'relay')).toMatchObject({ code: 'POOL_PAUSED' });
  });

  it.each(['unknown', '0x1234'])(
    'pausing and resuming are rejected for the pool name %s',
    async (name) => {
      const { guarding } = aWorld();
      await expect(guarding.control.pause(name, 'upgrade')).rejects.toMatchObject({
        code: 'POOL_NOT_SUPPORTED',
      });
      await expect(guarding.control.resume(name)).rejects.toMatchObject({
        code: 'POOL_NOT_SUPPORTED',
      });
    },
  );
});

describe('after a run of reverts', () => {
  it('a single withdrawal is admitted after a pause for reverts, and its success ends the pause', async () => {
    const world = aWorld();
    reverted(world.guarding, NOW_MS - LIMITS.pauseMs);
    const notes = [goodCalldata, another(world, 1n), another(world, 2n), another(world, 3n)];
    const codes = await Promise.all(notes.map(async (calldata) => codeOf(world.submit(calldata))));
    expect(codes.toSorted()).toEqual(['POOL_PAUSED', 'POOL_PAUSED', 'POOL_PAUSED', 'accepted']);
    expect(world.submissions.accepted).toHaveLength(1);

    world.clock.pass(SNAPSHOT_MS);
    world.guarding.money.end(anEntry(pool, world.clock.nowMs() - 1));
    expect(await codeOf(world.submit(another(world, 4n)))).toBe('accepted');
    expect(await codeOf(world.submit(another(world, 5n)))).toBe('accepted');
  });

  it('a failed trial request restarts the pause of the pool', async () => {
    const world = aWorld();
    reverted(world.guarding, NOW_MS - LIMITS.pauseMs);
    await world.submit();
    world.clock.pass(SNAPSHOT_MS);
    world.guarding.money.end(anEntry(pool, world.clock.nowMs(), { state: 'reverted' }));
    expect(await codeOf(world.submit(another(world, 1n)))).toBe('POOL_PAUSED');
    world.clock.pass(LIMITS.pauseMs);
    expect(await codeOf(world.submit(another(world, 1n)))).toBe('accepted');
  });

  it('several instances together admit only one trial request of a pool at a time', async () => {
    const world = aWorld();
    const { guarding } = world;
    reverted(guarding, NOW_MS - LIMITS.pauseMs);
    const entries = ['a', 'b', 'c'].map(async (key) =>
      codeOf(entered(guarding.instance().guard, pool, key)),
    );
    expect((await Promise.all(entries)).toSorted()).toEqual([
      'POOL_PAUSED',
      'POOL_PAUSED',
      'accepted',
    ]);
  });

  it('if the attempt that locked the pool’s trial never began, another attempt can become the trial after a minute', async () => {
    const world = aWorld();
    const { guarding, clock } = world;
    reverted(guarding, NOW_MS - LIMITS.pauseMs);
    await entered(guarding.guard, pool, 'gone');
    expect(await codeOf(entered(guarding.guard, pool, 'next'))).toBe('POOL_PAUSED');
    clock.pass(60_000);
    expect(await codeOf(entered(guarding.guard, pool, 'next'))).toBe('accepted');
  });
});

const submit = (): Promise<Acceptance> => new FakeSubmissions().submit(aSubmission('first'));

describe('upstream failures', () => {
  it.each([
    [
      'node',
      (world: World) => world.pools.failReads(),
      (world: World) => world.pools.failReads(null),
    ],
    ['prices', (world: World) => world.prices.fail(), (world: World) => world.prices.fail(null)],
    [
      'simulation',
      (world: World) => world.simulator.fail(),
      (world: World) => world.simulator.fail(null),
    ],
  ])(
    'consecutive failures of the %s pause the pool, and a response ends the pause',
    async (_, fail, mend) => {
      const world = aWorld();
      const { guarding, clock } = world;
      fail(world);
      for (let run = 0; run < LIMITS.upstreamFailuresInARow; run += 1)
        expect(await codeOf(world.submit())).not.toBe('POOL_PAUSED');
      await expect(world.submit()).rejects.toMatchObject({
        code: 'POOL_PAUSED',
        details: { cause: 'upstream' },
      });
      const requested = world.log.calls.length;
      await codeOf(world.submit());
      expect(world.log.calls).toHaveLength(requested);
      expect(await guarding.instance().guard.peek(pool, 'relay')).toMatchObject({
        code: 'POOL_PAUSED',
      });

      clock.pass(1_000);
      expect(await codeOf(world.submit())).not.toBe('POOL_PAUSED');
      expect(await codeOf(world.submit())).toBe('POOL_PAUSED');

      mend(world);
      clock.pass(2_000);
      expect(await codeOf(world.submit())).toBe('accepted');
      expect(await codeOf(world.submit(another(world, 1n)))).toBe('accepted');
    },
  );

  it('T15 a withdrawal is accepted at most four seconds after the end of an upstream outage of nine seconds', async () => {
    const world = aWorld();
    const { clock } = world;
    world.pools.failReads();
    const outageMs = 9_000;
    let endMs = 0;
    let isDone = false;
    for (; !isDone; endMs += 250, clock.pass(250)) {
      if (endMs >= outageMs) world.pools.failReads(null);
      isDone = (await codeOf(world.submit())) === 'accepted';
    }
    expect(endMs - outageMs).toBeLessThanOrEqual(4_000);
  });

  it('T15 failures of admissions that began at the same time are counted as only one failed trial request', async () => {
    const { guarding, clock } = aWorld();
    const failures = async (): Promise<number | undefined> =>
      (await guarding.controls.all())[0]?.upstream.failures;
    const fail = async (times: number): Promise<void> => {
      await Promise.all(
        Array.from({ length: times }, () => guarding.guard.recordUpstream(pool, false)),
      );
    };
    await fail(20);
    expect(await failures()).toBe(LIMITS.upstreamFailuresInARow);
    clock.pass(999);
    await fail(1);
    expect(await failures()).toBe(LIMITS.upstreamFailuresInARow);
    clock.pass(1);
    await fail(20);
    expect(await failures()).toBe(LIMITS.upstreamFailuresInARow + 1);
    expect(await guarding.guard.peek(pool, 'relay')).toMatchObject({ retryAfterSeconds: 2 });
  });

  it('T15: a batch is rejected with a retry time of four seconds while another instance runs the pool’s trial request', async () => {
    const { guarding, clock } = aWorld();
    for (let run = 0; run < LIMITS.upstreamFailuresInARow; run += 1)
      await guarding.guard.recordUpstream(pool, false);
    clock.pass(1_000);
    const batch = { kind: 'batch', pool, costFri: null } as const;
    await guarding.guard.confirm({ ...batch, key: 'first' }, submit);
    const other = guarding.instance().guard;
    await expect(other.confirm({ ...batch, key: 'second' }, submit)).rejects.toMatchObject({
      code: 'POOL_PAUSED',
      retryAfterSeconds: 4,
    });
  });

  it('requests that query the node after a pause for upstream failures are limited to the number of slots', async () => {
    const world = aWorld();
    const notes = [1n, 2n, 3n, 4n, 5n].map((offset) => another(world, offset));
    world.pools.failReads();
    for (let run = 0; run < LIMITS.upstreamFailuresInARow; run += 1) await codeOf(world.submit());
    world.clock.pass(1_000);
    const { checks } = world.verifier;
    const codes = await Promise.all(notes.map(async (calldata) => codeOf(world.submit(calldata))));
    expect(codes.toSorted()).toEqual([
      'FAKE_UPSTREAM_DOWN',
      'FAKE_UPSTREAM_DOWN',
      'FAKE_UPSTREAM_DOWN',
      'POOL_PAUSED',
      'POOL_PAUSED',
    ]);
    expect(world.verifier.checks).toBe(checks + 3);
  });

  it('an invalid request is not counted as an upstream failure', async () => {
    const world = aWorld();
    for (let run = 0; run < 5; run += 1)
      expect(await codeOf(world.submit(calldataWith({ recipient: accountAddress(5n) })))).toBe(
        'PROOF_INVALID',
      );
    world.simulator.revert('no');
    for (let run = 0; run < 5; run += 1)
      expect(await codeOf(world.submit(goodCalldata))).toBe('SIMULATION_REVERTED');
    expect(await world.guarding.controls.all()).toEqual([]);
  });
});

describe('the budget', () => {
  it('the used gas budget includes an accepted attempt immediately, even before the attempt’s row can be read', async () => {
    const { guarding, clock } = aWorld();
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
    await entered(guarding.guard, pool, `0x5e|${pool.address}|0x1`, LIMITS.hourlyGasPerPoolFri);
    await expect(entered(guarding.guard, pool, 'next')).rejects.toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      details: { scope: 'pool' },
      retryAfterSeconds: 30,
    });
    // If a row of the attempt existed, the breaker would have read this row by now.
    clock.pass(SNAPSHOT_MS);
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
  });

  it('each accepted withdrawal uses up the gas budget immediately', async () => {
    const world = aWorld();
    world.guarding.money.end(
      anEntry(pool, NOW_MS - 1, { gasPaidFri: LIMITS.hourlyGasPerPoolFri - 1n }),
    );
    expect(await codeOf(world.submit())).toBe('accepted');
    expect(await codeOf(world.submit(another(world, 1n)))).toBe('BUDGET_EXHAUSTED');
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('the used gas budget includes an attempt only once, although both its row and its reservation are known', async () => {
    const { guarding } = aWorld();
    const key = `0x5e|${pool.address}|0x1`;
    const costFri = LIMITS.hourlyGasPerPoolFri / 2n;
    guarding.money.begin({
      key,
      kind: 'withdraw',
      subject: pool.address,
      role: 'relay',
      isWaiting: true,
      costFri,
      acceptedAtMs: NOW_MS,
    });
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
    await entered(guarding.guard, pool, key, costFri);
    expect(await guarding.guard.peek(pool, 'relay')).toBeNull();
  });
});

describe('the cached history', () => {
  it('concurrent requests share one read of the attempt history', async () => {
    const { guarding, clock } = aWorld();
    await Promise.all(Array.from({ length: 20 }, async () => guarding.guard.peek(pool, 'relay')));
    expect(guarding.money.reads).toBe(1);
    clock.pass(SNAPSHOT_MS);
    await guarding.guard.peek(pool, 'relay');
    expect(guarding.money.reads).toBe(2);
  });

  it('the cached history drops attempts that are older than its time window', async () => {
    const { guarding, clock } = aWorld();
    const spent = async (): Promise<bigint | undefined> =>
      (await guarding.guard.pools())[0]?.money.spentFri;
    guarding.money.end(anEntry(pool, NOW_MS - 3_500_000, { gasPaidFri: 1n }));
    guarding.money.end(anEntry(pool, NOW_MS - 30_000, { gasPaidFri: 10n }));
    expect(await spent()).toBe(11n);
    clock.pass(SNAPSHOT_MS);
    guarding.money.end(anEntry(pool, NOW_MS - 500, { gasPaidFri: 100n }));
    expect(await spent()).toBe(111n);
    clock.pass(SNAPSHOT_MS);
    expect(await spent()).toBe(111n);
    // This entry ended before the period that a partial read covers again. Only the next full read
    // finds the entry.
    guarding.money.end(anEntry(pool, NOW_MS - 50_000, { gasPaidFri: 1_000n }));
    clock.pass(SNAPSHOT_MS);
    expect(await spent()).toBe(111n);
    clock.pass(60_000);
    expect(await spent()).toBe(1_111n);
    clock.pass(60_000);
    expect(await spent()).toBe(1_110n);
  });

  it('rethrows the error of the store instead of returning an outdated history of attempts', async () => {
    const { guarding, clock } = aWorld();
    await guarding.guard.peek(pool, 'relay');
    guarding.money.fail();
    clock.pass(SNAPSHOT_MS);
    await expect(guarding.guard.peek(pool, 'relay')).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
  });

  it('converts each fee to fri at the prices that were stored when its withdrawal was admitted', async () => {
    const { guarding } = aWorld();
    guarding.money.end(
      anEntry(pool, NOW_MS - 1, { terms: { ...TERMS, feeTokenUsdE8: 50n, strkUsdE8: 2n } }),
    );
    expect((await guarding.guard.pools())[0]?.money).toMatchObject({
      earnedFeeToken: 10n ** 8n,
      earnedFri: 25n * 10n ** 18n,
    });
  });
});
