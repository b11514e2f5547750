import { InMemoryLedger, describeLedgerContract } from '../../src/testing/index.js';

describeLedgerContract('in memory', async (options) => ({
  ledger: new InMemoryLedger(options),
  stop: async () => {},
}));
