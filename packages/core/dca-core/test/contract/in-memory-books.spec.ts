import * as runner from '@jest/globals';
import { InMemoryClosesBook, InMemoryOrderBook } from '../../src/testing/index.js';
import {
  describeClosesBookContract,
  describeOrderBookContract,
} from '../../src/testing/contracts.js';

describeOrderBookContract(runner, 'memory', async () => {
  const subject = new InMemoryOrderBook();
  return {
    subject,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeClosesBookContract(runner, 'memory', async () => {
  const subject = new InMemoryClosesBook();
  return {
    subject,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
