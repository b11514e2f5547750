import { toFelt } from '@sotto/kernel';
import {
  InMemoryPoolStatuses,
  describeBlockClockContract,
  describePoolStatusReaderContract,
} from '../../src/testing/index.js';
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
  let latest = 1;
  const stage = async (blocks: number): Promise<number> => {
    latest += blocks;
    subject.mine(latest);
    return latest;
  };
  return { subject, stage, breakDown: async () => subject.failClock(), stop };
});
