import * as runner from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import {
  describeAlertStoreContract,
  describeDeliveryStoreContract,
} from '../../src/testing/contracts.js';
import { InMemoryAlertStore, InMemoryDeliveryStore } from '../../src/testing/index.js';

function harnessOf<Store extends { fail(): void }>(make: (clock: ManualClock) => Store) {
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

describeDeliveryStoreContract(runner, 'in memory', async () =>
  harnessOf((clock) => new InMemoryDeliveryStore(clock)),
);
describeAlertStoreContract(runner, 'in memory', async () =>
  harnessOf((clock) => new InMemoryAlertStore(clock)),
);
