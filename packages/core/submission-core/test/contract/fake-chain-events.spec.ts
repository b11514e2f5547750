import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { FakeChainEvents } from '@sotto/submission-core/testing';
import { describeChainEventsContract } from '@sotto/submission-core/testing/contracts';

describeChainEventsContract(runner, 'in memory', async () => {
  const events = new FakeChainEvents();
  return {
    events,
    lane: toFelt('0x1a4e'),
    stranger: toFelt('0x57a'),
    include: async (account) => events.transactionOf(account),
    closeBlock: async () => events.push('head'),
    rollBack: async () => events.push('rollback'),
    interrupt: async () => events.push('gap'),
    stop: async () => {},
  };
});
