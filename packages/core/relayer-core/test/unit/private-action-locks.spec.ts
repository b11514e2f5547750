import { describe, expect, it } from '@jest/globals';
import { SubmitPrivateAction } from '../../src/index.js';
import { WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import { SPONSOR_KEY, aPrivateActionWorld, aRequest } from '../support/private-action-world.js';

const sponsored = {
  ...aRequest({ payments: [] }, { feeMode: 'sponsored', sponsorKey: SPONSOR_KEY }),
  waitMs: 0,
};
/** Other actions that write one of the storage addresses, too. */
const conflicting = aRequest({ spent: [0x11n, 0x12n] });

/** Two instances that share one store. The first write of an attempt waits. */
function twoInstances() {
  const world = aPrivateActionWorld();
  const { admission, submissions, guarding, promised, clock } = world;
  const { guard, slots, claims: locks } = guarding;
  const reached = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const submit = submissions.submit.bind(submissions);
  let isFirst = true;
  submissions.submit = async (wanted) => {
    if (isFirst) {
      isFirst = false;
      reached.resolve();
      await written.promise;
    }
    return submit(wanted);
  };
  const other = new SubmitPrivateAction(
    admission,
    submissions,
    {
      guard,
      slots,
      locks,
      promised,
      clock,
      budgets: { reserve: async () => false, release: async () => {} },
    },
    WITHDRAWAL_LIMITS,
  );
  return { world, other, reached, written };
}

describe('locks of storage addresses', () => {
  it('a failed request does not release the locks of the same request at another instance', async () => {
    const { world, other, reached, written } = twoInstances();
    const submitted = world.submit(sponsored);
    await reached.promise;
    await expect(other.execute(sponsored)).rejects.toMatchObject({
      code: 'SPONSOR_BUDGET_EXHAUSTED',
    });
    await expect(world.submit(conflicting)).rejects.toMatchObject({
      code: 'PRIVATE_ACTIONS_IN_PROGRESS',
    });
    written.resolve();
    await submitted;
    expect(world.submissions.accepted).toHaveLength(1);
  });
});
