import * as runner from '@jest/globals';
import { FakeLatestBlock } from '../../src/testing/index.js';
import { describeLatestBlockContract } from '../../src/testing/contracts.js';

describeLatestBlockContract(runner, 'in memory', async () => {
  const subject = new FakeLatestBlock();
  return {
    subject,
    stage: async (blocks) => {
      subject.mine(subject.height + blocks);
      return subject.height;
    },
    stagePrices: async (prices) => subject.setGasPrices(prices),
    breakDown: async () => {
      subject.failNumber();
      subject.failGasPrices();
    },
    stop: async () => {},
  };
});
