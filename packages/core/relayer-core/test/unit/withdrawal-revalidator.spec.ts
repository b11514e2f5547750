import { describe, expect, it } from '@jest/globals';
import type { Attempt } from '@sotto/submission-core';
import { PoolTraffic, WithdrawalRevalidator } from '../../src/index.js';
import { InMemoryTrafficBook } from '../../src/testing/index.js';
import { vector } from '../support/vector.js';
import { aWorld, pool, type World } from '../support/world.js';

async function acceptedAttempt({ submit }: World): Promise<Attempt> {
  return (await submit()).answer.attempt;
}

/** Of an attempt that has come back from a nonce: it is asked about whatever its age. */
const returned = (attempt: Attempt): Attempt => ({ ...attempt, readmit: true });

function revalidatorOf({ pools, submissions, spending, clock }: World): WithdrawalRevalidator {
  const traffic = new PoolTraffic(
    new InMemoryTrafficBook(() => submissions.attempts),
    submissions,
    clock,
  );
  return new WithdrawalRevalidator(pools, spending.spentNotes, traffic, clock);
}

describe('WithdrawalRevalidator', () => {
  it('wants a withdrawal until its nullifier is spent', async () => {
    const world = aWorld();
    const attempt = returned(await acceptedAttempt(world));
    const subject = revalidatorOf(world);
    expect(await subject.refusalOf(attempt)).toBeNull();
    world.pools.spend(pool.address, BigInt(vector.publicInputs[1] ?? 0));
    expect(await subject.refusalOf(attempt)).toBe('NULLIFIER_SPENT');
  });

  it('passes the error of a failed read on, rather than guess', async () => {
    const world = aWorld();
    const attempt = returned(await acceptedAttempt(world));
    world.pools.failReads();
    await expect(revalidatorOf(world).refusalOf(attempt)).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
  });

  it('has no say in submissions of another kind', async () => {
    const world = aWorld();
    const attempt = { ...(await acceptedAttempt(world)), key: 'deploy-batch|0x1|7' };
    world.pools.failReads();
    expect(await revalidatorOf(world).refusalOf(attempt)).toBeNull();
  });
});
