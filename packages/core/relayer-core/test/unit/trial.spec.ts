import { describe, expect, it, jest } from '@jest/globals';
import type { DomainError, Felts } from '@sotto/kernel';
import { accountAddress, FakeUpstreamDown, MovingClock } from '@sotto/kernel/testing';
import { QueueFull } from '@sotto/submission-core';
import { ExclusiveLocks } from '../../src/index.js';
import { FakeSubmissions, InMemorySubmissionLocks } from '../../src/testing/index.js';
import { LIMITS, anEntry } from '../support/guard-world.js';
import { calldataWith, goodCalldata, proofOf, vector } from '../support/vector.js';
import { NOW_MS, aWorld, pool, type World } from '../support/world.js';

const nullifierHash = BigInt(vector.publicInputs[1] ?? 0);

/** Creates valid proofs for withdrawals of this many notes. */
function notes(world: World, count: number): readonly Felts[] {
  return Array.from({ length: count }, (_, index) => {
    const calldata = calldataWith({ nullifierHash: nullifierHash - BigInt(index) });
    world.verifier.accept(proofOf(calldata));
    return calldata;
  });
}

const codeOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'accepted',
    (error: DomainError) => error.code,
  );

/** Sends an invalid proof that cites a quote which was never issued. */
const nonsense = (world: World, count: number): Promise<string> =>
  codeOf(
    world.subject.execute({
      poolAddress: pool.address,
      calldata: calldataWith({ recipient: accountAddress(5n), nullifierHash: BigInt(count + 1) }),
      quoteId: 'nonsense',
      waitMs: 0,
    }),
  );

const submitAll = async (world: World, honest: readonly Felts[]): Promise<readonly string[]> => {
  const codes: string[] = [];
  for (const [index, calldata] of honest.entries()) {
    await nonsense(world, index);
    codes.push(await codeOf(world.submit(calldata)));
  }
  return codes;
};

describe('S9 the trial after a pause', () => {
  it('S9: a pool that was paused for upstream failures admits an honest request after an invalid request', async () => {
    const world = aWorld();
    const honest = notes(world, 5);
    for (let run = 0; run < LIMITS.upstreamFailuresInARow; run += 1)
      await world.guarding.guard.recordUpstream(pool, false);
    world.clock.pass(1_000);
    expect(await submitAll(world, honest)).toEqual(Array.from({ length: 5 }, () => 'accepted'));
  });

  it('S9: a pool that was paused for reverts admits an honest trial request after an invalid request', async () => {
    const world = aWorld();
    const honest = notes(world, 5);
    for (let run = 0; run < LIMITS.revertsInARow; run += 1) {
      world.guarding.money.end(anEntry(pool, NOW_MS - LIMITS.pauseMs, { state: 'reverted' }));
    }
    expect(await submitAll(world, honest)).toEqual([
      'accepted',
      ...Array.from({ length: 4 }, () => 'POOL_PAUSED'),
    ]);
  });

  it('S9 the next request becomes the pool’s trial request if the first request fails before it is written', async () => {
    const world = aWorld();
    const [first = goodCalldata, second = goodCalldata] = notes(world, 2);
    for (let run = 0; run < LIMITS.revertsInARow; run += 1) {
      world.guarding.money.end(anEntry(pool, NOW_MS - LIMITS.pauseMs, { state: 'reverted' }));
    }
    jest
      .spyOn(world.submissions, 'submit')
      .mockRejectedValueOnce(new QueueFull({ retryAfterSeconds: 5 }));
    expect(await codeOf(world.submit(first))).toBe('QUEUE_FULL');
    expect(await codeOf(world.submit(second))).toBe('accepted');
  });
});

describe('S9 invalid proofs', () => {
  it('S9: a request with an invalid proof is counted neither as a success nor as a failure of the node', async () => {
    const world = aWorld();
    world.pools.failReads();
    for (let run = 0; run < 2 * LIMITS.upstreamFailuresInARow; run += 1) {
      await codeOf(
        world.submit(
          calldataWith({ recipient: accountAddress(5n), nullifierHash: BigInt(run + 1) }),
        ),
      );
    }
    expect(await world.guarding.controls.all()).toEqual([]);
  });
});

describe('T10 a failed read', () => {
  it.each([
    ['in a request that others shared', { shared: true }, []],
    ['alone', {}, [{ failures: LIMITS.upstreamFailuresInARow }]],
  ] as const)(
    'T10: failed reads %s add these upstream failures to the pool’s count: %j',
    async (_what, details, expected) => {
      const world = aWorld();
      const honest = notes(world, LIMITS.upstreamFailuresInARow);
      world.pools.failReads(new FakeUpstreamDown('a read was slow', { details }));
      for (const calldata of honest)
        expect(await codeOf(world.submit(calldata))).toBe('FAKE_UPSTREAM_DOWN');
      const controls = await world.guarding.controls.all();
      expect(controls.map(({ upstream: { failures } }) => ({ failures }))).toEqual(expected);
    },
  );
});

describe('a name that only one submission may hold', () => {
  it.each([
    ['refused', NOW_MS, true],
    ['reverted', NOW_MS + 5, true],
    // This attempt ended before the lock was acquired, so a newer attempt may be about to be
    // written.
    ['expired', NOW_MS - 1, false],
    ['succeeded', NOW_MS + 5, false],
  ] as const)(
    'another attempt can get the trial’s lock if the attempt with the lock is %s since %i: %s %s',
    async (state, endedAtMs, isFree) => {
      const submissions = new FakeSubmissions();
      const clock = new MovingClock(NOW_MS);
      const world = aWorld();
      await world.submit();
      const [attempt] = world.submissions.attempts;
      if (attempt === undefined) throw new Error('nothing was accepted');
      submissions.last = async () => ({ ...attempt, state, endedAtMs });
      const claims = new ExclusiveLocks(new InMemorySubmissionLocks(), submissions, clock);
      await claims.take('trial', 'first');
      clock.pass(10);
      expect(await claims.take('trial', 'second')).toBe(isFree);
    },
  );
});
