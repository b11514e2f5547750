import * as runner from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { skipped } from '../../src/index.js';
import { InMemoryTaskStore, InMemoryTaskLeases } from '../../src/testing/index.js';
import {
  describeTaskStoreContract,
  describeTaskLeasesContract,
} from '../../src/testing/contracts.js';

describeTaskLeasesContract(runner, 'InMemoryTaskLeases', async () => {
  const clock = new ManualClock();
  const subject = new InMemoryTaskLeases(clock);
  return {
    subject,
    reopen: async () => subject,
    pass: (ms) => clock.advance(ms),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeTaskStoreContract(runner, 'InMemoryTaskStore', async () => {
  const clock = new ManualClock();
  const setTime = (nowMs: number): void => clock.step(nowMs - clock.nowMs());
  const subject = new InMemoryTaskStore(clock);
  return {
    subject,
    reopen: async () => subject,
    setTime,
    async end(kind, gasPaidFri, endedAtMs) {
      setTime(endedAtMs);
      subject.end(kind, gasPaidFri);
    },
    async earn(kind, fee, endedAtMs, end) {
      setTime(endedAtMs);
      subject.end(kind, 1n, end === 'succeeded' ? fee : null);
    },
    begin: async (kind, l2Gas) => subject.begin(kind, l2Gas),
    async polled(task, from, to) {
      for (let name = from; name < to; name += 1)
        await subject.note(task, String(name), skipped('NOT_DUE'));
    },
    async submitted(state) {
      const isExecuted = state === 'succeeded' || state === 'reverted';
      if (isExecuted) subject.settle(`id of ${state}`);
      return `id of ${state}`;
    },
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
