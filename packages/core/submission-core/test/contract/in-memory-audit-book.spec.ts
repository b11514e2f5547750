import * as runner from '@jest/globals';
import { describeAuditBookContract } from '../../src/testing/audit-book.contract.js';
import { InMemoryAuditBook } from '../../src/testing/in-memory-audit-book.js';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger.js';

describeAuditBookContract(runner, 'in memory', async (options) => {
  const ledger = new InMemoryLedger(options);
  return { ledger, book: new InMemoryAuditBook(ledger), stop: async () => {} };
});
