import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KrakenPriceSource } from '@sotto/adapter-http/exchange';
import { HOSTILE_ANSWERS, HOSTILE_TEXT, LoopbackUpstream } from '@sotto/http-client/testing';
import { failure } from '@sotto/kernel/testing';

const CODES = {
  unavailable: 'EXCHANGE_UNAVAILABLE',
  timed_out: 'EXCHANGE_TIMED_OUT',
  malformed: 'EXCHANGE_MALFORMED',
} as const;

describe('misbehaving exchange', () => {
  let upstream: LoopbackUpstream;
  let subject: KrakenPriceSource;
  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
  });
  afterEach(async () => {
    subject.close();
    await upstream.stop();
  });

  it.each(HOSTILE_ANSWERS)(
    'an exchange that returns $what causes a domain error that does not repeat text of the response',
    async ({ answer, end }) => {
      upstream.handler = answer;
      subject = new KrakenPriceSource({
        url: upstream.url,
        timeoutMs: end === 'timed_out' ? 300 : 20_000,
        retry: { maxAttempts: 2, firstDelayMs: 1 },
      });
      const error = await failure(subject.observe(['STRK']));
      expect(error).toMatchObject({ code: CODES[end] });
      const shown = inspect(error, { depth: 20, showHidden: true });
      for (const hidden of [HOSTILE_TEXT, upstream.url]) expect(shown).not.toContain(hidden);
    },
  );
});
