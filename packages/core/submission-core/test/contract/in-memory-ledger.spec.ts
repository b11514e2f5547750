import * as runner from '@jest/globals';
import { InMemoryLedger } from '../../src/testing/index.js';
import { describeLedgerContract } from '../../src/testing/contracts.js';

describeLedgerContract(runner, 'in memory', async (options) => {
  const ledger = new InMemoryLedger(options);
  return {
    ledger,
    markPossibleCopy: async () => ledger.markPossibleCopy(),
    stop: async () => {},
  };
});
