import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { LEARNT_OPERATIONS } from '@sotto/relayer-core';
import { FakeGasReceipts, InMemoryGasStore } from '@sotto/relayer-core/testing';
import {
  describeGasStoreContract,
  describeGasReceiptsContract,
} from '@sotto/relayer-core/testing/contracts';

const stop = async (): Promise<void> => {};

describeGasStoreContract(runner, 'in memory', async () => {
  const subject = new InMemoryGasStore();
  let count = 0n;
  return {
    subject,
    end: async ({ pool, operation, end, endedAtMs }) => {
      count += 1n;
      const learnt = LEARNT_OPERATIONS.find((one) => one === operation);
      subject.end(
        end === 'succeeded' && learnt !== undefined
          ? {
              id: `attempt-${count}`,
              transactionHash: toFelt(count),
              pool,
              operation: learnt,
              endedAtMs,
            }
          : { endedAtMs },
      );
    },
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop,
  };
});

describeGasReceiptsContract(runner, 'fake', async () => {
  const subject = new FakeGasReceipts();
  subject.put(toFelt('0x1'), { l2Gas: 1n, l1Gas: 0n, l1DataGas: 1n });
  return {
    subject,
    succeeded: toFelt('0x1'),
    reverted: toFelt('0x2'),
    unknown: toFelt('0xdead'),
    breakDown: async () => subject.fail(),
    stop,
  };
});
