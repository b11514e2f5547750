import { FakeLatestBlock, describeLatestBlockContract } from '../../src/testing/index.js';

describeLatestBlockContract('in memory', async () => {
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
