import * as runner from '@jest/globals';
import {
  InMemorySubmissionLocks,
  InMemorySponsorBudgets,
  InMemorySettlementHistory,
  InMemoryPoolControls,
} from '../../src/testing/index.js';
import {
  REVERT_REASON,
  describeClaimsContract,
  describeSponsorBudgetsContract,
  describeSettlementHistoryContract,
  describePoolControlsContract,
} from '../../src/testing/contracts.js';

const stop = async (): Promise<void> => {};

describeClaimsContract(runner, 'in memory', async () => {
  const subject = new InMemorySubmissionLocks();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

describeSponsorBudgetsContract(runner, 'in memory', async () => {
  const subject = new InMemorySponsorBudgets();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

describePoolControlsContract(runner, 'in memory', async () => {
  const subject = new InMemoryPoolControls();
  return { subject, reopen: async () => subject, breakDown: async () => subject.fail(), stop };
});

describeSettlementHistoryContract(runner, 'in memory', async () => {
  const subject = new InMemorySettlementHistory();
  return {
    subject,
    end: async ({ end, effect, ...entry }) =>
      subject.end(
        {
          ...entry,
          id: `${entry.key} at ${entry.acceptedAtMs}`,
          state: end === 'cancelled' ? 'expired' : end,
          revertReason: end === 'reverted' ? REVERT_REASON : null,
        },
        effect,
      ),
    begin: async ({ key, kind, subject: of, role, terms, acceptedAtMs }, isSent = false) =>
      subject.begin({
        key,
        kind,
        subject: of,
        role,
        isWaiting: !isSent,
        acceptedAtMs,
        costFri: terms?.costFri ?? null,
      }),
    wipe: async () => {},
    breakDown: async () => subject.fail(),
    stop,
  };
});
