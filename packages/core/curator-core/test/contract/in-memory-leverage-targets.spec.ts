import * as runner from '@jest/globals';
import { InMemoryLeverageTargets } from '../../src/testing/index.js';
import { describeLeverageTargetsContract } from '../../src/testing/contracts.js';

describeLeverageTargetsContract(runner, 'in memory', async () => {
  const subject = new InMemoryLeverageTargets();
  return {
    subject,
    again: async () => subject,
    nowMs: () => Date.now(),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
