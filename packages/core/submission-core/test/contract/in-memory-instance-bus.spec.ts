import * as runner from '@jest/globals';
import { InMemoryInstanceBus } from '@sotto/submission-core/testing';
import { describeInstanceBusContract } from '@sotto/submission-core/testing/contracts';

describeInstanceBusContract(runner, 'in memory', async () => {
  const all = new InMemoryInstanceBus();
  return { instances: [all.instance(), all.instance(), all.instance()], stop: async () => {} };
});
