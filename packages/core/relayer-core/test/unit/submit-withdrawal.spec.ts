import { accountAddress } from '@sotto/kernel/testing';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { withdrawalKey } from '../../src/index.js';
import { CYCLE_GAS, WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import { cycleCost } from '../../src/fees/domain/fee.js';
import {
  calldataWith,
  goodCalldata,
  malleatedCalldata,
  proofOf,
  vector,
} from '../support/vector.js';
import { GAS_PRICES, aWorld, policy, pool, type World } from '../support/world.js';

const OTHER_RECIPIENT = accountAddress(0x7e11e5n);

/** Creates a valid proof of the same note for another recipient. */
function otherRecipient(world: World): typeof goodCalldata {
  const calldata = calldataWith({ recipient: OTHER_RECIPIENT });
  world.verifier.accept(proofOf(calldata));
  return calldata;
}

describe('SubmitWithdrawal', () => {
  it('submits the withdrawal under the note’s key, with its terms and resource bounds', async () => {
    const world = aWorld();
    const { submissionId, answer } = await world.submit();
    expect(answer).toMatchObject({ kind: 'pending', attempt: { id: submissionId, attempt: 1 } });
    const [submission] = world.submissions.accepted;
    expect(submission).toMatchObject({
      key: withdrawalKey(policy.chainId, pool.address, BigInt(vector.publicInputs[1] ?? 0)),
      kind: 'withdraw',
      subject: pool.address,
      role: 'relay',
      target: { to: pool.address, entrypoint: 'withdraw' },
      limits: WITHDRAWAL_LIMITS,
      replayProtected: true,
      terms: {
        feeAmount: BigInt(vector.feeSats),
        feeToken: pool.token.address,
        costFri: cycleCost(CYCLE_GAS, GAS_PRICES).totalFri,
        strkUsdE8: 4_300_000n,
        feeTokenUsdE8: 6_000_000_000_000n,
      },
    });
    expect(submission?.calldata.equals(goodCalldata)).toBe(true);
    const call = { to: pool.address, entrypoint: 'withdraw', calldata: submission?.calldata };
    expect(world.simulator.simulated).toEqual([{ ...call, as: policy.triedAs }]);
  });

  it('submits the same felts whether or not the request’s calldata begins with a length felt', async () => {
    const world = aWorld();
    await world.submit(goodCalldata.slice(1));
    expect(world.submissions.accepted[0]?.calldata.equals(goodCalldata)).toBe(true);
  });

  it.each(['SUCCEEDED', 'REVERTED'] as const)(
    'returns the withdrawal’s execution status %s as a response, not as an error',
    async (execution) => {
      const world = aWorld();
      world.submissions.executeAll(execution);
      expect((await world.submit(goodCalldata, 1_000)).answer).toMatchObject({
        kind: 'executed',
        execution,
      });
    },
  );

  it('waits at most `waitMs` for the execution', async () => {
    const world = aWorld();
    const answering = world.submit(goodCalldata, 10_000);
    await untilAccepted(world, 1);
    world.submissions.execute('attempt-1', 'SUCCEEDED');
    expect((await answering).answer).toMatchObject({ kind: 'executed', execution: 'SUCCEEDED' });
  });

  it('stops waiting if the caller disconnects, while the submission continues', async () => {
    const world = aWorld();
    const leaving = new AbortController();
    const answering = world.subject.execute({
      poolAddress: pool.address,
      calldata: goodCalldata,
      waitMs: 10_000,
      signal: leaving.signal,
    });
    await untilAccepted(world, 1);
    leaving.abort();
    expect((await answering).answer.kind).toBe('pending');
    expect(world.submissions.attempts).toMatchObject([{ state: 'accepted' }]);
  });

  it.each([
    ['refused', 'NULLIFIER_SPENT', 'SUBMISSION_REFUSED', 'unprocessable'],
    ['expired', 'DEADLINE_PASSED', 'SUBMISSION_EXPIRED', 'unavailable'],
  ] as const)(
    'rejects with an error if the attempt was %s',
    async (state, rejection, code, kind) => {
      const world = aWorld();
      const answering = world.submit(goodCalldata, 10_000);
      await untilAccepted(world, 1);
      world.submissions.end('attempt-1', state, rejection);
      await expect(answering).rejects.toMatchObject({
        code,
        kind,
        details: { refusal: rejection },
      });
    },
  );

  it('makes one submission for fifty equal concurrent requests, and reads the chain only once', async () => {
    const world = aWorld();
    world.submissions.executeAll('SUCCEEDED');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.submit(goodCalldata, 1_000)),
    );
    expect(world.submissions.accepted).toHaveLength(1);
    expect(
      new Set(
        answers.map((answer) =>
          JSON.stringify(answer, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)),
        ),
      ).size,
    ).toBe(1);
    expect(world.log.ports()).toEqual(['facts', 'gas', 'prices', 'simulation']);
    expect(world.verifier.checks).toBe(1);
  });

  it('fifty concurrent equal requests get the same error', async () => {
    const world = aWorld();
    world.pools.failReads();
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => world.submit()));
    expect(
      new Set(
        answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'accepted')),
      ),
    ).toEqual(new Set(['FAKE_UPSTREAM_DOWN']));
    expect(world.log.ports()).toEqual(['facts', 'gas', 'prices']);
    world.pools.failReads(null);
    await world.submit();
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('announces the call of a withdrawal after the proof check, while the node still simulates the call', async () => {
    const world = aWorld();
    const node = Promise.withResolvers<void>();
    const simulate = world.simulator.simulate.bind(world.simulator);
    world.simulator.simulate = async (...call) => {
      await node.promise;
      return simulate(...call);
    };
    const submitted = world.submit();
    await nextTurn();
    expect(world.submissions.expected).toEqual([
      {
        role: 'relay',
        target: { to: pool.address, entrypoint: 'withdraw' },
        calldata: goodCalldata,
      },
    ]);
    expect(world.submissions.accepted).toEqual([]);
    node.resolve();
    await submitted;
    // The accepted calldata must be the same object as the announced calldata, because derived data
    // is cached by object identity.
    expect(world.submissions.accepted[0]?.calldata).toBe(world.submissions.expected[0]?.calldata);
  });

  it('announces no call for a withdrawal with an invalid proof', async () => {
    const world = aWorld();
    await expect(world.submit(calldataWith({ recipient: OTHER_RECIPIENT }))).rejects.toMatchObject({
      code: 'PROOF_INVALID',
    });
    expect(world.submissions.expected).toEqual([]);
  });

  it('a second proof of the same withdrawal gets the first submission, without a proof check', async () => {
    const world = aWorld();
    const first = await world.submit();
    const requested = { checks: world.verifier.checks, reads: world.log.calls.length };
    expect(await world.submit(malleatedCalldata)).toEqual(first);
    expect({ checks: world.verifier.checks, reads: world.log.calls.length }).toEqual(requested);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('makes one submission for two concurrent proofs of the same withdrawal', async () => {
    const world = aWorld();
    const [first, second] = await Promise.all([world.submit(), world.submit(malleatedCalldata)]);
    expect(second).toEqual(first);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('rejects only the invalid proof of two concurrent proofs of the same statement', async () => {
    const world = aWorld();
    const bytes = goodCalldata.toBytes();
    bytes[2 * 32 - 1] = 1 ^ (bytes[2 * 32 - 1] ?? 0);
    const [bad, good] = await Promise.allSettled([
      world.submit(Felts.fromBytes(bytes)),
      world.submit(),
    ]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'PROOF_INVALID' } });
    expect(good).toMatchObject({ status: 'fulfilled' });
  });

  it('returns the response of a successful request again, although the note is now spent', async () => {
    const world = aWorld();
    world.submissions.executeAll('SUCCEEDED');
    const first = await world.submit();
    world.pools.spend(pool.address, BigInt(vector.publicInputs[1] ?? 0));
    expect(await world.submit()).toEqual(first);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('if the note is in flight, rejects a request with other terms before any read', async () => {
    const world = aWorld();
    const calldata = otherRecipient(world);
    await world.submit();
    const requested = { checks: world.verifier.checks, reads: world.log.calls.length };
    await expect(world.submit(calldata)).rejects.toMatchObject({
      code: 'WITHDRAWAL_IN_PROGRESS',
      kind: 'conflict',
    });
    expect({ checks: world.verifier.checks, reads: world.log.calls.length }).toEqual({
      ...requested,
      checks: requested.checks + 1,
    });
  });

  it('accepts only one of two concurrent requests for a note if their terms differ', async () => {
    const world = aWorld();
    const calldata = otherRecipient(world);
    const answers = await Promise.allSettled([world.submit(), world.submit(calldata)]);
    expect(answers).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'WITHDRAWAL_IN_PROGRESS' } },
    ]);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('once the note has been withdrawn, rejects a request with other terms with NULLIFIER_SPENT', async () => {
    const world = aWorld();
    const calldata = otherRecipient(world);
    world.submissions.executeAll('SUCCEEDED');
    await world.submit();
    await expect(world.submit(calldata)).rejects.toMatchObject({
      code: 'NULLIFIER_SPENT',
      kind: 'conflict',
    });
  });

  it.each(['reverted', 'refused', 'expired'] as const)(
    'runs all admission checks again if the last attempt for the note was %s',
    async (state) => {
      const world = aWorld();
      await world.submit();
      if (state === 'reverted') world.submissions.execute('attempt-1', 'REVERTED');
      else world.submissions.end('attempt-1', state, 'ANY_CODE');

      const again = await world.submit();
      expect(again.answer.attempt).toMatchObject({ attempt: 2, state: 'accepted' });
      expect(world.log.ports()).toHaveLength(8);
      expect(world.verifier.checks).toBe(2);
    },
  );

  it('accepts a request with other terms once the note’s previous attempt has ended without success', async () => {
    const world = aWorld();
    const calldata = otherRecipient(world);
    await world.submit();
    world.submissions.execute('attempt-1', 'REVERTED');
    expect((await world.submit(calldata)).answer.attempt).toMatchObject({ attempt: 2 });
  });

  it('rejects a second attempt with NULLIFIER_SPENT if the note was spent after the first attempt', async () => {
    const world = aWorld();
    await world.submit();
    world.submissions.end('attempt-1', 'expired', 'DEADLINE_PASSED');
    world.pools.spend(pool.address, BigInt(vector.publicInputs[1] ?? 0));
    await expect(world.submit()).rejects.toMatchObject({ code: 'NULLIFIER_SPENT' });
    expect(world.submissions.attempts).toHaveLength(1);
  });

  it('the dry run reports the rejection by the ledger, and writes nothing', async () => {
    const world = aWorld();
    const calldata = otherRecipient(world);
    await world.submit();
    const { checks } = await world.subject.dryRun({ poolAddress: pool.address, calldata });
    expect(checks.filter(({ status }) => status !== 'passed')).toMatchObject([
      { check: 'not_in_ledger', code: 'WITHDRAWAL_IN_PROGRESS', status: 'failed' },
      { check: 'simulation', status: 'skipped' },
    ]);
    expect(world.submissions.attempts).toHaveLength(1);
  });
});

async function untilAccepted(world: World, count: number): Promise<void> {
  while (world.submissions.accepted.length < count) await nextTurn();
}
