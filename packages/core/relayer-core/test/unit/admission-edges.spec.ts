import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { WithdrawalAdmission } from '../../src/index.js';
import { calldataWith, goodCalldata, proofOf } from '../support/vector.js';
import { aWorld, policy, pool } from '../support/world.js';

/** Order of BN254's scalar field. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

describe('an unreadable request', () => {
  it.each([
    ['an unknown pool', toFelt('0x1234'), goodCalldata],
    ['a felt too few', pool.address, goodCalldata.slice(0, -1)],
    ['an input beyond the field', pool.address, calldataWith({ nullifierHash: R })],
  ])(
    'an unparsable request causes no proof check and no read: %s',
    async (_what, address, calldata) => {
      const { ports, verifier, log } = aWorld();
      const admission = new WithdrawalAdmission(ports, policy);
      const read = admission.read(address, calldata);
      expect(await admission.examine(read)).toBe(read);
      expect([verifier.checks, log.calls]).toEqual([0, []]);
    },
  );
});

describe('an admitted request', () => {
  it('admits a proof of a batch with a single deposit', async () => {
    const world = aWorld();
    const calldata = calldataWith({ batchSize: 1n });
    world.verifier.accept(proofOf(calldata));
    await world.submit(calldata);
    expect(world.submissions.accepted).toHaveLength(1);
  });

  it('the dry run of a request passes although the same request is already in flight', async () => {
    const world = aWorld();
    await world.submit();
    expect(
      await world.subject.dryRun({ poolAddress: pool.address, calldata: goodCalldata }),
    ).toMatchObject({ admissible: true });
  });
});
