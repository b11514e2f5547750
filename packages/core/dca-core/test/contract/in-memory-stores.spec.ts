import * as runner from '@jest/globals';
import { InMemoryClosesStore, InMemoryOrderStore } from '../../src/testing/index.js';
import {
  describeClosesStoreContract,
  describeOrderStoreContract,
} from '../../src/testing/contracts.js';

describeOrderStoreContract(runner, 'memory', async () => {
  const subject = new InMemoryOrderStore();
  return {
    subject,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeClosesStoreContract(runner, 'memory', async () => {
  const subject = new InMemoryClosesStore();
  return {
    subject,
    reopen: async () => subject,
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
