import * as runner from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { TRANSFER_LIMITS } from '@sotto/keeper-core';
import { FakeSubmissions, InMemoryTopUpStore } from '@sotto/relayer-core/testing';
import { describeTopUpStoreContract } from '@sotto/relayer-core/testing/contracts';

const STRK = toFelt('0x5712');

describeTopUpStoreContract(runner, 'in memory', async () => {
  let nowMs = 0;
  const submissions = new FakeSubmissions(() => nowMs);
  const subject = new InMemoryTopUpStore(() => submissions.attempts);
  return {
    subject,
    stage: async ({ end, atMs, ...purpose }) => {
      nowMs = atMs;
      const name = `top-up-${submissions.attempts.length}`;
      const { attempt } = await submissions.submit({
        ...purpose,
        key: name,
        effect: name,
        fingerprint: name,
        role: 'treasury',
        target: { to: STRK, entrypoint: 'transfer' },
        calldata: Felts.of([1n]),
        limits: TRANSFER_LIMITS,
        terms: null,
        replayProtected: false,
      });
      if (end === 'refused') submissions.end(attempt.id, end, 'ANY_CODE');
      else if (end !== null)
        submissions.execute(attempt.id, end === 'succeeded' ? 'SUCCEEDED' : 'REVERTED');
    },
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});
