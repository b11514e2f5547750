import { InMemoryInstanceBus, describeInstanceBusContract } from '@sotto/submission-core/testing';

describeInstanceBusContract('in memory', async () => {
  const all = new InMemoryInstanceBus();
  return { instances: [all.instance(), all.instance(), all.instance()], stop: async () => {} };
});
