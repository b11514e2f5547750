import { describe, expect, it } from '@jest/globals';
import { GetSubmission } from '../../src/index.js';
import { goodCalldata } from '../support/vector.js';
import { aWorld } from '../support/world.js';

describe('GetSubmission', () => {
  it('returns the state of a submission even if it ended without a transaction on chain', async () => {
    const { submit, submissions } = aWorld();
    const { submissionId } = await submit(goodCalldata);
    const subject = new GetSubmission(submissions);
    expect(await subject.execute(submissionId)).toMatchObject({ kind: 'pending' });
    submissions.end(submissionId, 'expired', 'DEADLINE_PASSED');
    expect(await subject.execute(submissionId)).toMatchObject({
      kind: 'rejected',
      state: 'expired',
      code: 'DEADLINE_PASSED',
    });
  });

  it('rejects an unknown id with SUBMISSION_NOT_FOUND', async () => {
    await expect(
      new GetSubmission(aWorld().submissions).execute('attempt-9'),
    ).rejects.toMatchObject({ code: 'SUBMISSION_NOT_FOUND' });
  });
});
