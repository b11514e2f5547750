import * as runner from '@jest/globals';
import { InMemoryStoreHealth } from '../../src/testing/in-memory-store-health.js';
import { describeStoreHealthContract } from '../../src/testing/store-health.contract.js';

describeStoreHealthContract(runner, 'in memory', async () => {
  const subject = new InMemoryStoreHealth();
  const refuseWrites = async (): Promise<string> => {
    subject.failFor('ENOSPC');
    return 'ENOSPC';
  };
  return {
    subject,
    refuseWrites,
    takeWrites: async () => subject.failFor(null),
    breakDown: async () => void (await refuseWrites()),
    stop: async () => {},
  };
});
