import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpRewardProgramme } from '@sotto/adapter-http/rewards';
import { HOSTILE_ANSWERS, HOSTILE_TEXT, LoopbackUpstream } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';
import { PRIME } from '../support/sandbox.js';

const CODES = {
  unavailable: 'REWARDS_UNAVAILABLE',
  timed_out: 'REWARDS_TIMED_OUT',
  malformed: 'REWARDS_MALFORMED',
} as const;

describe('misbehaving rewards interface', () => {
  let upstream: LoopbackUpstream;
  let subject: HttpRewardProgramme;
  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
  });
  afterEach(async () => {
    subject.close();
    await upstream.stop();
  });

  it.each(HOSTILE_ANSWERS)(
    'a rewards interface that returns $what causes a domain error that does not repeat text of the response',
    async ({ answer, end }) => {
      upstream.handler = answer;
      subject = new HttpRewardProgramme({
        url: upstream.url,
        timeoutMs: end === 'timed_out' ? 300 : 20_000,
        retry: { maxAttempts: 2, firstDelayMs: 1 },
      });
      const error = await failure(subject.supplyAprE18(PRIME));
      expect(error).toMatchObject({ code: CODES[end] });
      const shown = inspect(error, { depth: 20, showHidden: true });
      for (const hidden of [HOSTILE_TEXT, upstream.url]) expect(shown).not.toContain(hidden);
    },
  );
});
