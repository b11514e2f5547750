import { toFelt } from '@sotto/kernel';
import { FakeBalances, describeBalancesContract } from '@sotto/relayer-core/testing';

const STRK = toFelt('0x5712');
const ACCOUNT = toFelt('0xacc');

describeBalancesContract('fake', async () => {
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
