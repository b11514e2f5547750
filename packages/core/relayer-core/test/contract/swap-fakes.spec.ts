import * as runner from '@jest/globals';
import { InMemorySwapPins, InMemorySwapRecords } from '@sotto/relayer-core/testing';
import {
  describeSwapPinsContract,
  describeSwapRecordsContract,
} from '@sotto/relayer-core/testing/contracts';

const stop = async (): Promise<void> => {};

describeSwapPinsContract(runner, 'in memory', async () => {
  const subject = new InMemorySwapPins();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

describeSwapRecordsContract(runner, 'in memory', async () => {
  const subject = new InMemorySwapRecords();
  return {
    subject,
    accept: async ({ to, entrypoint, calldata }) =>
      entrypoint === 'private_swap' ? subject.keep({ swapPool: to, calldata }) : undefined,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop,
  };
});
