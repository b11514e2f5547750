import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { describeBalancesContract } from '../../src/testing/contracts.js';
import { FakeBalances } from '../../src/testing/index.js';

const STRK = toFelt('0x5712');
const ACCOUNT = toFelt('0xacc');

describeBalancesContract(runner, 'fake', async () => {
  const subject = new FakeBalances([STRK]);
  return {
    subject,
    token: STRK,
    account: ACCOUNT,
    stranger: toFelt('0x57'),
    nowhere: toFelt('0xdead'),
    fund: async (amount) => subject.change(STRK, ACCOUNT, amount),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
