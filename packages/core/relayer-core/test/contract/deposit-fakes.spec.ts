import * as runner from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { DEPOSIT_LIMITS } from '../../src/index.js';
import {
  FakeConsentCheck,
  FakePoolDeposits,
  FakeSubmissions,
  InMemoryDeposits,
  InMemoryTrafficBook,
} from '../../src/testing/index.js';
import {
  describeDepositsContract,
  describeTrafficBookContract,
} from '../../src/testing/contracts.js';
import { pool } from '../support/world.js';

const depositor = toFelt('0xd1');
const classHash = toFelt('0xc1');

describeDepositsContract(runner, 'fakes', async () => {
  const reader = new InMemoryDeposits();
  const state = { denomination: 20_000n, nextIndex: 3, lastRoot: 2n ** 200n };
  reader.setPool(pool.address, { ...state, commitments: [7n] });
  reader.setDepositor(depositor, { classHash, balance: 2n ** 130n, allowance: 20_000n });
  const consents = new FakeConsentCheck();
  const consent = {
    chainId: toFelt('0x5e'),
    pool: pool.address,
    token: pool.token.address,
    denomination: 20_000n,
    commitment: 8n,
    expiresAtMs: 1_760_000_000_000,
  };
  const signed = {
    consent,
    depositor,
    depositorClass: classHash,
    signature: Felts.of([4n, 5n]),
    isKnownClass: false,
  };
  consents.sign(signed);
  const deposits = new FakePoolDeposits();
  const landed = [
    { transactionHash: toFelt('0xa1'), deposit: { commitment: 7n, leafIndex: 1, batch: null } },
    {
      transactionHash: toFelt('0xa2'),
      deposit: { commitment: 9n, leafIndex: 2, batch: { id: 0, start: 0, size: 3 } },
    },
  ];
  for (const { transactionHash, deposit } of landed)
    deposits.set(pool.address, transactionHash, deposit);
  return {
    reader,
    question: { pool: pool.address, token: pool.token.address, commitment: 8n, depositor },
    facts: {
      ...state,
      commitmentKnown: false,
      depositorClass: classHash,
      balance: 2n ** 130n,
      allowance: 20_000n,
    },
    knownCommitment: 7n,
    nowhere: toFelt('0xdead'),
    consents,
    signed,
    noAccount: toFelt('0xdead'),
    deposits,
    landed,
    without: toFelt('0xa3'),
    unknown: toFelt('0xa4'),
    breakDown: async () => {
      reader.failReads();
      consents.fail();
      deposits.fail();
    },
    stop: async () => undefined,
  };
});

describeTrafficBookContract(runner, 'in memory', async () => {
  let nowMs = 0;
  const submissions = new FakeSubmissions(() => nowMs);
  const subject = new InMemoryTrafficBook(() => submissions.attempts);
  const idOf = (key: string): string =>
    submissions.attempts.find((attempt) => attempt.key === key)?.id ?? '';
  return {
    subject,
    begin: async ({ acceptedAtMs, entrypoint, ...call }) => {
      nowMs = acceptedAtMs;
      const target = { to: pool.address, entrypoint };
      const rest = {
        memo: null,
        role: 'relay',
        limits: DEPOSIT_LIMITS,
        terms: null,
        replayProtected: true,
      } as const;
      await submissions.submit({
        ...call,
        effect: call.fingerprint,
        ...rest,
        target,
        calldata: Felts.of([1n]),
      });
    },
    send: async (key) => submissions.send(idOf(key)),
    end: async (key, state) => {
      if (state === 'refused') submissions.end(idOf(key), state, 'X');
      else submissions.execute(idOf(key), state === 'succeeded' ? 'SUCCEEDED' : 'REVERTED');
    },
    breakDown: async () => subject.fail(),
    stop: async () => undefined,
  };
});
