import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { InMemoryVaultFunds } from '../../src/testing/index.js';
import { describeVaultFundsContract } from '../../src/testing/contracts.js';

describeVaultFundsContract(runner, 'in memory', async () => {
  const subject = new InMemoryVaultFunds();
  return {
    subject,
    vaults: [toFelt('0x1'), toFelt('0x2')],
    latest: async () => subject.snapshots.head,
    deposit: async (vault, sats) => subject.add(vault, sats),
    breakDown: async () => subject.failReads(),
    stop: async () => {},
  };
});
