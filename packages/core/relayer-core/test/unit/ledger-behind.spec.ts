import { describe, expect, it } from '@jest/globals';
import { aSwapWorld } from '../support/swap-world.js';
import { goodCalldata } from '../support/vector.js';
import { aWorld, pool } from '../support/world.js';

const BEHIND = { code: 'LEDGER_BEHIND_CHAIN', kind: 'unavailable', retryAfterSeconds: 30 };

describe('a withdrawal while the ledger is behind its chain', () => {
  it('rejects a withdrawal with LEDGER_BEHIND_CHAIN before any work', async () => {
    const world = aWorld();
    world.submissions.fallBehind();
    await expect(world.submit()).rejects.toMatchObject(BEHIND);
    expect([world.verifier.checks, world.log.ports(), world.submissions.attempts]).toEqual([
      0,
      [],
      [],
    ]);
  });

  it('the dry run reports LEDGER_BEHIND_CHAIN at the queue check', async () => {
    const world = aWorld();
    world.submissions.fallBehind();
    const { admissible, checks } = await world.subject.dryRun({
      poolAddress: pool.address,
      calldata: goodCalldata,
    });
    expect(admissible).toBe(false);
    expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
      { check: 'queue', code: 'LEDGER_BEHIND_CHAIN' },
    ]);
  });

  it.each(['in flight', 'succeeded'])(
    'an equal request gets the response of an earlier request that is %s, although the ledger is behind its chain',
    async (state) => {
      const world = aWorld();
      await world.submit();
      if (state === 'succeeded') world.submissions.execute('attempt-1', 'SUCCEEDED');
      world.submissions.fallBehind();
      expect(await world.submit()).toMatchObject({ submissionId: 'attempt-1' });
    },
  );

  it('the ledger’s final check also rejects a withdrawal while the ledger is behind its chain', async () => {
    const world = aWorld();
    const open = world.verifier.hold();
    const submitting = world.submit();
    await new Promise((resolve) => setImmediate(resolve));
    world.submissions.fallBehind();
    open();
    await expect(submitting).rejects.toMatchObject(BEHIND);
    world.submissions.fallBehind(false);
    expect(await world.submit()).toMatchObject({ submissionId: 'attempt-1' });
  });
});

describe('a private swap while the ledger is behind its chain', () => {
  it('while the ledger is behind its chain, rejects a private swap before any request to the aggregator', async () => {
    const world = aSwapWorld();
    world.submissions.fallBehind();
    await expect(world.swap()).rejects.toMatchObject(BEHIND);
    expect([world.verifier.checks, world.aggregator.requested]).toEqual([0, []]);
  });
});
