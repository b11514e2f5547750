import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import type { LaneRole } from '@sotto/submission-core';
import { LIMITS } from '../support/guard-world.js';
import { aSwapWorld } from '../support/swap-world.js';
import { calldataWith, goodCalldata, proofOf } from '../support/vector.js';
import { NOW_MS, aWorld, pool, type World } from '../support/world.js';

const OTHER_RECIPIENT = accountAddress(0x7e11e5n);
const FULL = { code: 'QUEUE_FULL', kind: 'unavailable', retryAfterSeconds: 5 };

/** World whose queue is full from the start. */
function aFullWorld(role: LaneRole = 'relay'): World {
  const world = aWorld();
  world.submissions.fill(role);
  return world;
}

describe('a withdrawal that finds the queue full', () => {
  it('if the queue is full, rejects a withdrawal without a proof check, a node read or an admission slot', async () => {
    const world = aFullWorld();
    const checked = world.verifier.checks;
    await expect(world.submit()).rejects.toMatchObject(FULL);
    expect([world.verifier.checks, world.log.ports(), world.submissions.attempts]).toEqual([
      checked,
      [],
      [],
    ]);
    expect(world.guarding.slots.counts()).toEqual({ running: 0, waiting: 0, refused: 0 });
  });

  it('rejects a withdrawal because of the full queue even if all slots for admission are in use', async () => {
    const world = aWorld();
    world.verifier.hold();
    for (let index = 0; index < 11; index += 1) {
      void world.submit(calldataWith({ nullifierHash: BigInt(index + 5) })).catch(() => undefined);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.guarding.slots.counts()).toMatchObject({ running: 3, waiting: 8 });
    world.submissions.fill('relay');
    await expect(world.submit()).rejects.toMatchObject(FULL);
  });

  it('a withdrawal that the full queue rejects does not use up a paused pool’s trial request', async () => {
    const world = aFullWorld();
    const { guarding, clock } = world;
    for (let run = 0; run < LIMITS.upstreamFailuresInARow; run += 1)
      await guarding.controls.upstreamFailed(pool.address, NOW_MS, run);
    clock.pass(LIMITS.pauseMs);
    await expect(world.submit()).rejects.toMatchObject(FULL);
    world.submissions.makeRoom();
    const another = calldataWith({ recipient: OTHER_RECIPIENT, nullifierHash: 5n });
    world.verifier.accept(proofOf(another));
    expect(await world.submit(another)).toMatchObject({ submissionId: 'attempt-1' });
  });

  it('accepts a rejected withdrawal once the queue has room', async () => {
    const world = aFullWorld();
    await expect(world.submit()).rejects.toMatchObject(FULL);
    world.submissions.makeRoom();
    expect(await world.submit()).toMatchObject({ submissionId: 'attempt-1' });
  });

  it.each(['in flight', 'succeeded'])(
    'returns the response of an earlier equal request that is %s, although the queue is full',
    async (state) => {
      const world = aWorld();
      await world.submit();
      if (state === 'succeeded') world.submissions.execute('attempt-1', 'SUCCEEDED');
      world.submissions.fill('relay');
      expect(await world.submit()).toMatchObject({ submissionId: 'attempt-1' });
    },
  );

  it('the queue check of a dry run passes although the queue is full if the same withdrawal is already in flight', async () => {
    const world = aWorld();
    const request = { poolAddress: pool.address, calldata: goodCalldata };
    world.submissions.fill('relay');
    expect((await world.subject.dryRun(request)).admissible).toBe(false);
    world.submissions.makeRoom();
    await world.submit();
    world.submissions.fill('relay');
    expect((await world.subject.dryRun(request)).admissible).toBe(true);
  });

  it('reports a note’s attempt with different terms instead of the full queue', async () => {
    const world = aWorld();
    await world.submit();
    world.submissions.fill('relay');
    const other = calldataWith({ recipient: OTHER_RECIPIENT });
    world.verifier.accept(proofOf(other));
    await expect(world.submit(other)).rejects.toMatchObject({ code: 'WITHDRAWAL_IN_PROGRESS' });
  });

  it('rejects a repeated withdrawal if its earlier attempt failed and the queue is full', async () => {
    const world = aWorld();
    await world.submit();
    world.submissions.end('attempt-1', 'expired', 'NOT_SENT_IN_TIME');
    world.submissions.fill('relay');
    await expect(world.submit()).rejects.toMatchObject(FULL);
  });

  it('the ledger rejects a withdrawal if the queue became full during the withdrawal’s admission', async () => {
    const world = aWorld();
    const open = world.verifier.hold();
    const submitting = world.submit();
    await new Promise((resolve) => setImmediate(resolve));
    world.submissions.fill('relay');
    open();
    await expect(submitting).rejects.toMatchObject(FULL);
  });

  it('accepts a withdrawal if only another role’s queue is full', async () => {
    expect(await aFullWorld('swap_owner').submit()).toMatchObject({ submissionId: 'attempt-1' });
  });
});

describe('a private swap', () => {
  it('rejects a private swap before any request to the aggregator if the swap owner’s queue is full', async () => {
    const world = aSwapWorld();
    world.submissions.fill('swap_owner');
    await expect(world.swap()).rejects.toMatchObject(FULL);
    expect([world.verifier.checks, world.log.ports(), world.statuses.reads]).toEqual([0, [], 0]);
  });

  it('accepts a private swap although the queue of withdrawals is full', async () => {
    const world = aSwapWorld();
    world.submissions.fill('relay');
    expect(await world.swap({ proofCalldata: goodCalldata })).toMatchObject({
      submissionId: 'attempt-1',
    });
  });
});
