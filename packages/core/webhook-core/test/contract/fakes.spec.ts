import * as runner from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import {
  describeAlertBookContract,
  describeDeliveryBookContract,
} from '../../src/testing/contracts.js';
import { InMemoryAlertBook, InMemoryDeliveryBook } from '../../src/testing/index.js';

function harnessOf<Book extends { fail(): void }>(make: (clock: ManualClock) => Book) {
  const clock = new ManualClock();
  const subject = make(clock);
  return {
    subject,
    reopen: async () => subject,
    pass: (ms: number) => clock.advance(ms),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
}

describeDeliveryBookContract(runner, 'in memory', async () =>
  harnessOf((clock) => new InMemoryDeliveryBook(clock)),
);
describeAlertBookContract(runner, 'in memory', async () =>
  harnessOf((clock) => new InMemoryAlertBook(clock)),
);
