import {
  InMemoryLeverageTargets,
  describeLeverageTargetsContract,
} from '../../src/testing/index.js';

describeLeverageTargetsContract('in memory', async () => {
  const subject = new InMemoryLeverageTargets();
  return {
    subject,
    again: async () => subject,
    nowMs: () => Date.now(),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
