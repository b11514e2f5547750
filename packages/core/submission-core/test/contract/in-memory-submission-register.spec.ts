import * as runner from '@jest/globals';
import { InMemoryLedger, InMemorySubmissionRegister } from '../../src/testing/index.js';
import { describeSubmissionRegisterContract } from '../../src/testing/contracts.js';

describeSubmissionRegisterContract(runner, 'memory', async (options) => {
  const ledger = new InMemoryLedger(options);
  return { ledger, register: new InMemorySubmissionRegister(ledger), stop: async () => {} };
});
