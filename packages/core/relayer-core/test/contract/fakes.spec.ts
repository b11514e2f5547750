import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { FakeContractClasses } from '@sotto/relayer-core/testing';
import { describeContractClassesContract } from '@sotto/relayer-core/testing/contracts';

const stop = async (): Promise<void> => {};

describeContractClassesContract(runner, 'fake', async () => {
  const subject = new FakeContractClasses();
  const contracts = [toFelt('0x1'), toFelt('0x2')] as const;
  for (const address of contracts) subject.deploy(address, toFelt('0xc1a55'), [1, 6, 0]);
  return {
    subject,
    contracts,
    sierra: [1, 6, 0],
    nowhere: toFelt('0xdead'),
    breakDown: async () => subject.fail(),
    stop,
  };
});
