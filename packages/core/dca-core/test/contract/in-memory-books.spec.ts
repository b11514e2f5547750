import {
  InMemoryClosesBook,
  InMemoryOrderBook,
  describeClosesBookContract,
  describeOrderBookContract,
} from '../../src/testing/index.js';

describeOrderBookContract('memory', async () => {
  const subject = new InMemoryOrderBook();
  return {
    subject,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeClosesBookContract('memory', async () => {
  const subject = new InMemoryClosesBook();
  return {
    subject,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
