import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DailyClosesApi,
  HttpSwapAggregator,
  ImpulsePriceSource,
} from '@sotto/adapter-http/aggregator';
import { HOSTILE_ANSWERS, HOSTILE_TEXT, LoopbackUpstream } from '@sotto/http-client/testing';
import { STRK, TAKER, TEN_STRK, USDC, WBTC } from '../support/vectors.js';

const CODES = {
  unavailable: 'AGGREGATOR_UNAVAILABLE',
  timed_out: 'AGGREGATOR_TIMED_OUT',
  malformed: 'AGGREGATOR_MALFORMED',
} as const;
const QUOTE_ID = 'marker-quote';

/** Returns the error code or the result of a call, and all text that the call's error contains. */
async function endOf(
  call: Promise<unknown>,
): Promise<{ readonly end: unknown; readonly shown: string }> {
  return call.then(
    (end) => ({ end, shown: '' }),
    (error: unknown) => ({
      end: Object(error).code,
      shown: inspect(error, { depth: 20, showHidden: true }),
    }),
  );
}

describe('misbehaving aggregator', () => {
  let upstream: LoopbackUpstream;
  let close: () => void;
  let calls: readonly (readonly [
    name: string,
    call: () => Promise<unknown>,
    ofAnEmptyList: unknown,
  ])[];
  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
  });
  const connect = (timeoutMs: number): void => {
    const settings = {
      url: upstream.url,
      timeoutMs,
      retry: { maxAttempts: 2, firstDelayMs: 1 },
    };
    const aggregator = new HttpSwapAggregator(settings);
    const prices = new ImpulsePriceSource({ ...settings, tokens: { STRK, WBTC } });
    const closes = new DailyClosesApi({ ...settings, name: 'impulse', token: WBTC });
    close = () => {
      closes.close();
      aggregator.close();
      prices.close();
    };
    calls = [
      [
        'quotes',
        () =>
          aggregator.quotes({
            sellToken: STRK,
            buyToken: USDC,
            sellAmount: TEN_STRK,
            taker: TAKER,
          }),
        [],
      ],
      // A build with an empty list of calls is accepted here; the core rejects such a build.
      [
        'build',
        () => aggregator.build({ quoteId: QUOTE_ID, taker: TAKER, slippagePpm: 10_000 }),
        { kind: 'built', calls: [] },
      ],
      ['prices', () => prices.observe(['STRK', 'WBTC']), []],
      ['closes', () => closes.closes(20_000, 20_199), []],
    ];
  };
  afterEach(async () => {
    close();
    await upstream.stop();
  });

  it.each(HOSTILE_ANSWERS)(
    'an aggregator that returns $what causes a domain error that does not repeat text of the response',
    async ({ what, answer, end }) => {
      upstream.handler = answer;
      connect(end === 'timed_out' ? 300 : 20_000);
      for (const [name, call, ofAnEmptyList] of calls) {
        const found = await endOf(call());
        const failed = what === '401' ? 'AGGREGATOR_UNAUTHORIZED' : CODES[end];
        expect([name, found.end]).toEqual([
          name,
          what === 'an empty list' ? ofAnEmptyList : failed,
        ]);
        for (const hidden of [HOSTILE_TEXT, QUOTE_ID, upstream.url, TAKER])
          expect(found.shown).not.toContain(hidden);
      }
    },
  );
});
