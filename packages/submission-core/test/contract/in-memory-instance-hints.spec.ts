import { InMemoryInstanceHints, describeInstanceHintsContract } from '@sotto/submission-core/testing';

describeInstanceHintsContract('in memory', async () => {
  const all = new InMemoryInstanceHints();
  return { instances: [all.instance(), all.instance(), all.instance()], stop: async () => {} };
});
