import * as runner from '@jest/globals';
import { afterAll } from '@jest/globals';
import { WorkerProofVerifier, parseVerificationKey } from '@sotto/groth16';
import { describeProofVerifierContract } from '../../src/testing/contracts.js';
import { goodCalldata, proofOf, vector } from '../support/vector.js';

const verificationKey = parseVerificationKey(vector.verificationKey);
// All tests share one verifier. It has no state, and starting a thread per test would cost half a
// second each.
const starting = WorkerProofVerifier.start({ verificationKey, threads: 1 });
afterAll(async () => (await starting).close());

describeProofVerifierContract(runner, 'mcl in a worker', async () => ({
  subject: await starting,
  sound: proofOf(goodCalldata),
  stop: async () => {},
}));
