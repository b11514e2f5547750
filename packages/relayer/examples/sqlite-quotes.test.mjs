// Runs the test suite that every quote store must pass (`describeQuoteStoreContract`). This example
// uses node:test. For Jest or Vitest, pass the module itself as the runner:
// `describeQuoteStoreContract(await import('vitest'), …)`.
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { describeQuoteStoreContract } from '@sotto/relayer-core/testing/contracts';
import { expect } from 'expect';
import { SqliteQuotes } from './sqlite-quotes.ts';

const each = (rows) => (name, body) => {
  for (const row of rows) void it(name.replace('%s', String(row[0])), () => body(...row));
};
const runner = { afterEach, beforeEach, describe, expect, it: Object.assign(it, { each }) };

describeQuoteStoreContract(runner, 'a SQLite database of one’s own', async () => {
  const database = new DatabaseSync(':memory:');
  return {
    subject: new SqliteQuotes(database),
    reopen: async () => new SqliteQuotes(database),
    breakDown: async () => database.close(),
    stop: async () => {
      if (database.isOpen) database.close();
    },
  };
});
