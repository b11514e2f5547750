import * as runner from '@jest/globals';
import { describeAuditStoreContract } from '../../src/testing/audit-store.contract.js';
import { InMemoryAuditStore } from '../../src/testing/in-memory-audit-store.js';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger.js';

describeAuditStoreContract(runner, 'in memory', async (options) => {
  const ledger = new InMemoryLedger(options);
  return { ledger, store: new InMemoryAuditStore(ledger), stop: async () => {} };
});
