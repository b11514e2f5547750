import * as runner from '@jest/globals';

import { browserStorage, memoryStorage } from '../../src/advanced.js';
import { describeWalletStorageContract } from '../../src/testing/contracts.js';
import { installIndexedDb } from '../support/install-indexeddb.js';

describeWalletStorageContract(runner, 'memory', async () => {
  const storage = memoryStorage();
  return { open: async () => storage, stop: async () => {} };
});

describeWalletStorageContract(runner, 'IndexedDB', async () => {
  installIndexedDb();
  return { open: async () => browserStorage('wallet'), stop: async () => {} };
});
