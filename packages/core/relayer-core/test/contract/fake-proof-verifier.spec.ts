import * as runner from '@jest/globals';
import { FakeProofVerifier } from '../../src/testing/index.js';
import { describeProofVerifierContract } from '../../src/testing/contracts.js';
import { goodCalldata, proofOf } from '../support/vector.js';

describeProofVerifierContract(runner, 'fake', async () => {
  const subject = new FakeProofVerifier();
  const sound = proofOf(goodCalldata);
  subject.accept(sound);
  return { subject, sound, stop: async () => {} };
});
