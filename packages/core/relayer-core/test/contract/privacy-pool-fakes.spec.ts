import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { InMemoryPrivacyPools } from '@sotto/relayer-core/testing';
import { describePrivacyPoolReaderContract } from '@sotto/relayer-core/testing/contracts';

const POOL = toFelt('0x9001');

describePrivacyPoolReaderContract(runner, 'in memory', async () => {
  const subject = new InMemoryPrivacyPools(30);
  const state = {
    classHash: toFelt('0xc1a55'),
    version: 'before 2.0',
    isPaused: false,
    feeFri: 5n,
    validityBlocks: 450,
  } as const;
  const written = toFelt('0x51');
  subject.set(POOL, state);
  subject.write(POOL, written);
  return {
    subject,
    pool: POOL,
    state,
    written,
    free: toFelt('0x52'),
    otherContract: toFelt('0x4718'),
    nowhere: toFelt('0xdead'),
    head: async () => ({ number: 30, hash: subject.blockHash(30) }),
    change: async (changes) => subject.set(POOL, changes),
    breakDown: async () => subject.failReads(),
    stop: async () => {},
  };
});
