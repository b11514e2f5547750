import * as runner from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { DEPOSIT_LIMITS } from '../../src/index.js';
import {
  FakeConsentCheck,
  FakeSubmissions,
  InMemoryTrafficStore,
} from '../../src/testing/index.js';
import {
  describeConsentCheckContract,
  describeTrafficStoreContract,
} from '../../src/testing/contracts.js';
import { pool } from '../support/world.js';

const depositor = toFelt('0xd1');
const classHash = toFelt('0xc1');

describeConsentCheckContract(runner, 'fake', async () => {
  const subject = new FakeConsentCheck();
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
  subject.sign(signed);
  return {
    subject,
    signed,
    noAccount: toFelt('0xdead'),
    breakDown: async () => subject.fail(),
    stop: async () => undefined,
  };
});

describeTrafficStoreContract(runner, 'in memory', async () => {
  let nowMs = 0;
  const submissions = new FakeSubmissions(() => nowMs);
  const subject = new InMemoryTrafficStore(() => submissions.attempts);
  const idOf = (key: string): string =>
    submissions.attempts.find((attempt) => attempt.key === key)?.id ?? '';
  return {
    subject,
    begin: async ({ acceptedAtMs, entrypoint, ...call }) => {
      nowMs = acceptedAtMs;
      const target = { to: pool.address, entrypoint };
      const rest = {
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
