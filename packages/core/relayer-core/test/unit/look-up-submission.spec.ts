import { accountAddress } from '@sotto/kernel/testing';
import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LookUpSubmission, WithdrawalAdmission } from '../../src/index.js';
import { aSwapWorld } from '../support/swap-world.js';
import { calldataWith, goodCalldata, malleatedCalldata, proofOf } from '../support/vector.js';
import { aWorld, policy, pool, type World } from '../support/world.js';

const lookUpIn = ({ ports, submissions, guarding }: World): LookUpSubmission =>
  new LookUpSubmission(new WithdrawalAdmission(ports, policy), submissions, guarding.slots);

describe('S12: a status query by proof', () => {
  it.each([
    ['the proof that was sent', goodCalldata],
    ['another proof of the same', malleatedCalldata],
    ['a proof at a newer root', calldataWith({ root: 0x4007n })],
    [
      'a proof on other terms',
      calldataWith({ recipient: accountAddress(5n), fee: 1n, relayer: 7n }),
    ],
  ])('a status query accepts %s and returns the outcome of the note', async (_what, calldata) => {
    const world = aWorld();
    world.verifier.accept(proofOf(calldata));
    const { submissionId } = await world.submit();
    const reads = world.log.calls.length;
    const subject = lookUpIn(world);
    expect(await subject.execute(pool.address, calldata)).toMatchObject({
      kind: 'pending',
      attempt: { id: submissionId },
    });
    world.submissions.execute(submissionId, 'SUCCEEDED');
    expect(await subject.execute(pool.address, calldata)).toMatchObject({
      kind: 'executed',
      attempt: { id: submissionId },
    });
    expect([world.log.calls.length, world.submissions.attempts.length]).toEqual([reads, 1]);
  });

  it('a status query reports an attempt that ended without a transaction on chain', async () => {
    const world = aWorld();
    const { submissionId } = await world.submit();
    world.submissions.end(submissionId, 'expired', 'NOT_SENT_IN_TIME');
    expect(await lookUpIn(world).execute(pool.address, goodCalldata)).toMatchObject({
      kind: 'rejected',
      code: 'NOT_SENT_IN_TIME',
    });
  });

  it('returns the private swap of the note to a caller with a valid proof', async () => {
    const world = aSwapWorld();
    const { submissionId } = await world.swap();
    expect(await lookUpIn(world).execute(pool.address, goodCalldata)).toMatchObject({
      attempt: { id: submissionId, role: 'swap_owner' },
    });
  });

  it('a status query rejects an invalid proof with the same error, whether the note is known or unknown', async () => {
    const world = aWorld();
    const unsound = calldataWith({ recipient: accountAddress(5n) });
    await expect(lookUpIn(world).execute(pool.address, unsound)).rejects.toMatchObject({
      code: 'PROOF_INVALID',
      details: {},
    });
    await world.submit();
    await expect(lookUpIn(world).execute(pool.address, unsound)).rejects.toMatchObject({
      code: 'PROOF_INVALID',
      details: {},
    });
  });

  it('rejects with WITHDRAWAL_NOT_FOUND if no request for the note was ever accepted', async () => {
    await expect(lookUpIn(aWorld()).execute(pool.address, goodCalldata)).rejects.toMatchObject({
      code: 'WITHDRAWAL_NOT_FOUND',
    });
  });

  it.each([
    ['pool', toFelt('0x9'), goodCalldata, 'POOL_NOT_SUPPORTED'],
    ['layout', pool.address, goodCalldata.slice(0, 40), 'PROOF_LAYOUT_INVALID'],
    ['input', pool.address, calldataWith({ batchSize: 2n ** 40n }), 'PUBLIC_INPUT_OUT_OF_RANGE'],
  ])(
    'a status query rejects an invalid %s before any check of the proof',
    async (_what, address, calldata, code) => {
      const world = aWorld();
      await expect(lookUpIn(world).execute(address, calldata)).rejects.toMatchObject({ code });
      expect(world.verifier.checks).toBe(0);
    },
  );
});
