import * as runner from '@jest/globals';
import { InMemoryLedger } from '../../src/testing/index.js';
import { describeLedgerContract } from '../../src/testing/contracts.js';

describeLedgerContract(runner, 'in memory', async (options) => ({
  ledger: new InMemoryLedger(options),
  stop: async () => {},
}));
