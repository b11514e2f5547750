import { InMemoryPools, describeBlockClockContract } from '../../src/testing/index.js';

const stop = async (): Promise<void> => {};

describeBlockClockContract('in memory', async () => {
  const subject = new InMemoryPools();
  let latest = 1;
  const stage = async (blocks: number): Promise<number> => {
    latest += blocks;
    subject.mine(latest);
    return latest;
  };
  return { subject, stage, breakDown: async () => subject.failClock(), stop };
});
