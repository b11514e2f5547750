import { FakeProofVerifier, describeProofVerifierContract } from '../../src/testing/index.js';
import { goodCalldata, proofOf } from '../support/vector.js';

describeProofVerifierContract('fake', async () => {
  const subject = new FakeProofVerifier();
  const sound = proofOf(goodCalldata);
  subject.accept(sound);
  return { subject, sound, stop: async () => {} };
});
