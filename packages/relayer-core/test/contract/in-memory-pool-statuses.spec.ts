import { toFelt } from '@sotto/kernel';
import { InMemoryPoolStatuses, describeBlockClockContract, describePoolStatusReaderContract } from '../../src/testing/index.js';
import { wbtcStatus } from '../support/estimate-world.js';
import { pool } from '../support/world.js';

const stop = async (): Promise<void> => {};

describePoolStatusReaderContract('in memory', async () => {
  const subject = new InMemoryPoolStatuses();
  subject.mine(12);
  subject.set(pool.address, wbtcStatus);
  return {
    subject,
    pool: pool.address,
    status: { ...wbtcStatus, blockNumber: 12 },
    nowhere: toFelt('0xdead'),
    breakDown: async () => subject.failReads(),
    stop,
  };
});

describeBlockClockContract('in memory', async () => {
  const subject = new InMemoryPoolStatuses();
  return { subject, stage: async (block) => subject.mine(block), breakDown: async () => subject.failClock(), stop };
});
