import * as runner from '@jest/globals';
import { describe } from '@jest/globals';
import { FakeDailyCloses, FakePurchaseChain } from '../../src/testing/index.js';
import {
  describeDailyClosesContract,
  describePurchaseOrdersContract,
} from '../../src/testing/contracts.js';
import { OTHER_CONTRACT, PLAIN_CONTRACT } from '../support/contracts.js';
import { USDC } from '../support/world.js';

describe.each([
  ['a layout', PLAIN_CONTRACT],
  ['another layout', OTHER_CONTRACT],
])('a fake contract of %s', (name, contract) => {
  describePurchaseOrdersContract(runner, name, async () => {
    const chain = new FakePurchaseChain(contract);
    return {
      subject: chain,
      layout: contract.layout,
      firstBlock: contract.firstBlock,
      async open(amount) {
        const orderId = chain.create({ sellToken: USDC.address, amount });
        chain.mine();
        return orderId;
      },
      head: async () => chain.head,
      breakDown: async () => chain.fail(),
      stop: async () => {},
    };
  });
});

describeDailyClosesContract(runner, 'memory', async () => {
  const lastDay = 20_000;
  const subject = new FakeDailyCloses('alpha');
  return {
    subject,
    lastDay,
    async serve(closes) {
      for (const { day, usdE8 } of closes) subject.set(day, usdE8);
    },
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
