import * as runner from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { TOP_UP_LIMITS } from '@sotto/relayer-core';
import { FakeBalances, FakeSubmissions, InMemoryTopUpBook } from '@sotto/relayer-core/testing';
import {
  describeBalancesContract,
  describeTopUpBookContract,
} from '@sotto/relayer-core/testing/contracts';

const STRK = toFelt('0x5712');
const ACCOUNT = toFelt('0xacc');

describeBalancesContract(runner, 'fake', async () => {
  const subject = new FakeBalances([STRK]);
  return {
    subject,
    token: STRK,
    account: ACCOUNT,
    stranger: toFelt('0x57'),
    nowhere: toFelt('0xdead'),
    fund: async (amount) => subject.change(STRK, ACCOUNT, amount),
    breakDown: async () => subject.fail(),
    stop: async () => {},
  };
});

describeTopUpBookContract(runner, 'in memory', async () => {
  let nowMs = 0;
  const submissions = new FakeSubmissions(() => nowMs);
  const subject = new InMemoryTopUpBook(() => submissions.attempts);
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
        limits: TOP_UP_LIMITS,
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
