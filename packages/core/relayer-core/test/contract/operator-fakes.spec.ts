import * as runner from '@jest/globals';
import { InMemoryOperatorLog } from '../../src/testing/index.js';
import { describeOperatorLogContract } from '../../src/testing/contracts.js';

describeOperatorLogContract(runner, 'in memory', async (clock) => ({
  subject: new InMemoryOperatorLog(clock),
  reopen: null,
  stop: async () => {},
}));
