import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import type { Felts } from '@sotto/kernel';
import {
  QuoteRedemption,
  RecipientGasBudget,
  SubmitWithdrawal,
  WithdrawalAdmission,
} from '../../src/index.js';
import type { WithdrawalCheck } from '../../src/withdrawals/application/admission-facts.js';
import { SMALL_BATCH_BELOW, WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import {
  calldataWith,
  goodCalldata,
  malleatedCalldata,
  proofOf,
  vector,
} from '../support/vector.js';
import { aWorld, policy, pool, poolState, quote, type World } from '../support/world.js';

const NEWER_ROOT = 0x4007n;
const FIRST = { submissionId: 'attempt-1' };

/**
 * Creates a valid proof of the vector’s note with other public inputs. The pool accepts the proof’s
 * root.
 */
function proven(world: World, inputs: Parameters<typeof calldataWith>[0]): Felts {
  const calldata = calldataWith(inputs);
  world.verifier.accept(proofOf(calldata));
  world.pools.set(pool.address, {
    ...poolState,
    knownRoots: [...poolState.knownRoots, NEWER_ROOT],
  });
  return calldata;
}

const carried = ({ submissions }: World): Felts | undefined =>
  submissions.accepted.at(-1)?.calldata;
const requested = ({ verifier, log }: World): object => ({
  checks: verifier.checks,
  reads: log.calls.length,
});

describe('S12: a note with a new proof', () => {
  it.each([
    ['at a newer root', { root: NEWER_ROOT }],
    ['in another batch', { batchStart: 3n, batchSize: 3n }],
  ])('a request with a new proof %s gets the submission in flight', async (_what, inputs) => {
    const world = aWorld();
    await world.submit();
    world.submissions.broadcast('attempt-1');
    expect(await world.submit(proven(world, inputs))).toMatchObject(FIRST);
    expect(world.submissions.attempts).toHaveLength(1);
    expect(carried(world)?.equals(goodCalldata)).toBe(true);
  });

  it('a new proof on a newer root gets the outcome of the transaction that paid the note', async () => {
    const world = aWorld();
    world.submissions.executeAll('SUCCEEDED');
    const first = await world.submit();
    world.pools.spend(pool.address, BigInt(vector.publicInputs[1] ?? 0));
    expect(await world.submit(proven(world, { root: NEWER_ROOT }))).toEqual(first);
  });

  it('a new proof on a newer root causes no node read once a lane has signed the attempt', async () => {
    const world = aWorld();
    await world.submit();
    world.submissions.broadcast('attempt-1');
    const before = { checks: world.verifier.checks, reads: world.log.calls.length };
    await world.submit(proven(world, { root: NEWER_ROOT }));
    expect(requested(world)).toEqual({ checks: before.checks + 1, reads: before.reads });
  });

  it('an invalid new proof for a note in flight is rejected without details of the submission', async () => {
    const world = aWorld();
    await world.submit();
    for (const inputs of [{ root: NEWER_ROOT }, { recipient: accountAddress(0x7e11e5n) }]) {
      await expect(world.submit(calldataWith(inputs))).rejects.toMatchObject({
        code: 'PROOF_INVALID',
        details: {},
      });
    }
    expect(carried(world)?.equals(goodCalldata)).toBe(true);
  });

  it('a proof on a newer root replaces the proof of an attempt that no lane has signed', async () => {
    const world = aWorld();
    await world.submit();
    const newer = proven(world, { root: NEWER_ROOT });
    expect(await world.submit(newer)).toMatchObject(FIRST);
    expect(carried(world)?.equals(newer)).toBe(true);
    expect(world.submissions.attempts).toHaveLength(1);
    // The attempt now has the fingerprint of the newer request.
    const before = requested(world);
    expect(await world.submit(newer)).toMatchObject(FIRST);
    expect(requested(world)).toEqual(before);
  });

  it('a proof on a newer root costs only one proof check, even if no lane has signed the attempt', async () => {
    const world = aWorld();
    await world.submit();
    const { checks } = world.verifier;
    const newer = proven(world, { root: NEWER_ROOT });
    await world.submit(newer);
    expect(carried(world)?.equals(newer)).toBe(true);
    expect(world.verifier.checks).toBe(checks + 1);
  });

  it('the proof of the attempt in flight is not replaced if the new proof was not simulated', async () => {
    const world = aWorld();
    await world.submit();
    const passes: WithdrawalCheck = {
      name: 'any',
      code: 'ANY',
      judge: () => ({ status: 'passed' }),
    };
    const subject = new SubmitWithdrawal(
      new WithdrawalAdmission(world.ports, { ...policy, afterPairing: passes }),
      world.submissions,
      new QuoteRedemption(world.quoteStore, world.clock),
      world.guarding,
      WITHDRAWAL_LIMITS,
      SMALL_BATCH_BELOW,
      new RecipientGasBudget(world.clock),
    );
    const calldata = proven(world, { root: NEWER_ROOT });
    expect(await subject.execute({ poolAddress: pool.address, calldata, waitMs: 0 })).toMatchObject(
      FIRST,
    );
    expect(carried(world)?.equals(goodCalldata)).toBe(true);
  });

  it.each([
    ['the pool would refuse it', (world: World) => world.simulator.revert('unknown root')],
    ['the node does not answer', (world: World) => world.simulator.fail()],
  ])('does not replace the proof of the attempt in flight if %s', async (_why, spoil) => {
    const world = aWorld();
    await world.submit();
    const newer = proven(world, { root: NEWER_ROOT });
    spoil(world);
    expect(await world.submit(newer)).toMatchObject(FIRST);
    expect(carried(world)?.equals(goodCalldata)).toBe(true);
  });

  it('the proof of the attempt in flight is not replaced if another withdrawal has used the new request’s quote', async () => {
    const world = aWorld();
    await world.submit();
    await world.quoteStore.add(quote);
    await world.quoteStore.redeem(quote.id, 'another', world.clock.nowMs());
    const calldata = proven(world, { root: NEWER_ROOT });
    expect(
      await world.subject.execute({
        poolAddress: pool.address,
        calldata,
        quoteId: quote.id,
        waitMs: 0,
      }),
    ).toMatchObject(FIRST);
    expect(carried(world)?.equals(goodCalldata)).toBe(true);
  });

  it('two concurrent proofs on newer roots get the same submission', async () => {
    const world = aWorld();
    await world.submit();
    const newer = [
      proven(world, { root: NEWER_ROOT }),
      proven(world, { batchStart: 0n, batchSize: 6n }),
    ];
    expect(await Promise.all(newer.map((calldata) => world.submit(calldata)))).toMatchObject([
      FIRST,
      FIRST,
    ]);
    expect(newer.some((calldata) => carried(world)?.equals(calldata))).toBe(true);
    expect(world.submissions.attempts).toHaveLength(1);
  });

  it('a valid proof with different terms for a note in flight is rejected with the submission’s id', async () => {
    const world = aWorld();
    await world.submit();
    await expect(
      world.submit(proven(world, { recipient: accountAddress(0x7e11e5n) })),
    ).rejects.toMatchObject({
      code: 'WITHDRAWAL_IN_PROGRESS',
      details: FIRST,
      retryAfterSeconds: 5,
    });
  });

  it('a valid proof with different terms for a spent note is rejected with the spending transaction', async () => {
    const world = aWorld();
    world.submissions.executeAll('SUCCEEDED');
    await world.submit();
    const transactionHash = world.submissions.attempts[0]?.transactionHash;
    await expect(
      world.submit(proven(world, { recipient: accountAddress(0x7e11e5n) })),
    ).rejects.toMatchObject({
      code: 'NULLIFIER_SPENT',
      details: { transactionHash },
    });
  });

  it('recognizes an attempt of an earlier release, whose fingerprint is the digest of all inputs', async () => {
    const world = aWorld();
    await world.submit();
    const [submission] = world.submissions.accepted;
    const upgraded = aWorld();
    if (submission !== undefined)
      await upgraded.submissions.submit({ ...submission, effect: submission.fingerprint });
    const before = requested(upgraded);
    expect(await upgraded.submit(malleatedCalldata)).toMatchObject(FIRST);
    expect(requested(upgraded)).toEqual(before);
    await expect(upgraded.submit(proven(upgraded, { root: NEWER_ROOT }))).rejects.toMatchObject({
      details: FIRST,
    });
  });

  it('a dry run with different terms for a spent note returns the spending transaction', async () => {
    const world = aWorld();
    world.submissions.executeAll('SUCCEEDED');
    await world.submit();
    const calldata = proven(world, { recipient: accountAddress(0x7e11e5n) });
    world.pools.spend(pool.address, BigInt(vector.publicInputs[1] ?? 0));
    const { checks } = await world.subject.dryRun({ poolAddress: pool.address, calldata });
    const transactionHash = world.submissions.attempts[0]?.transactionHash;
    expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
      { check: 'nullifier_unspent', details: { transactionHash } },
      { check: 'not_in_ledger', details: { transactionHash } },
    ]);
  });

  it('a dry run with different terms returns no data of the note’s submission', async () => {
    const world = aWorld();
    await world.submit();
    const calldata = calldataWith({ recipient: accountAddress(0x7e11e5n) });
    const { checks } = await world.subject.dryRun({ poolAddress: pool.address, calldata });
    expect(checks.find(({ check }) => check === 'not_in_ledger')).toEqual({
      check: 'not_in_ledger',
      code: 'WITHDRAWAL_IN_PROGRESS',
      status: 'failed',
      detail: expect.any(String),
      details: {},
      retryAfterSeconds: 5,
    });
  });

  it('a proof on a newer root passes the ledger’s check in a dry run, and the dry run writes nothing', async () => {
    const world = aWorld();
    await world.submit();
    const { checks } = await world.subject.dryRun({
      poolAddress: pool.address,
      calldata: proven(world, { root: NEWER_ROOT }),
    });
    expect(checks.find(({ check }) => check === 'not_in_ledger')).toMatchObject({
      status: 'passed',
    });
    expect(carried(world)?.equals(goodCalldata)).toBe(true);
  });
});
