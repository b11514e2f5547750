import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DailyClosesApi } from '@sotto/adapter-http/aggregator';
import { PartnerFindings } from '@sotto/http-client';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { ManualClock, failure } from '@sotto/kernel/testing';
import { WBTC } from '../support/vectors.js';

const SECRET = 'marker-secret';
const DAY_MS = 86_400_000;
const JAN_2 = Date.UTC(2026, 0, 2) / DAY_MS;

describe('DailyClosesApi', () => {
  let upstream: LoopbackUpstream;
  let source: DailyClosesApi;
  let findings: PartnerFindings;

  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    findings = new PartnerFindings('closes-1');
    const settings = {
      url: upstream.url,
      findings,
      timeoutMs: 20_000,
      retry: { maxAttempts: 2, firstDelayMs: 1 },
      headers: { 'X-Api-Key': SECRET },
    };
    source = new DailyClosesApi(
      { ...settings, name: 'impulse', token: WBTC },
      new ManualClock(JAN_2 * DAY_MS),
    );
  });
  afterEach(async () => {
    source.close();
    await upstream.stop();
  });

  it('requests one closing price for each day of the configured ERC-20 token, in one request', async () => {
    upstream.answer(200, '[]');
    expect(await source.closes(JAN_2 - 2, JAN_2 - 1)).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
    const { method, url } = upstream.requests[0] ?? { method: '', url: '' };
    const { pathname, searchParams } = new URL(url, upstream.url);
    expect([method, pathname]).toEqual(['GET', `/v3/tokens/${WBTC}/prices/line`]);
    expect([...searchParams]).toEqual([
      ['resolution', '1D'],
      ['startDate', '2025-12-31T00:00:00.000Z'],
      ['endDate', '2026-01-01T23:59:59.999Z'],
    ]);
  });

  it('sends no request for closing prices of an empty range of days', async () => {
    expect(await source.closes(JAN_2, JAN_2 - 1)).toEqual([]);
    expect(upstream.requests).toHaveLength(0);
  });

  it('omits the closing price of the current day according to the service’s clock', async () => {
    const points = ['2026-01-01', '2026-01-02'].map((date) => `{"date":"${date}","valueUsd":1}`);
    upstream.answer(200, `[${points.join()}]`);
    expect(await source.closes(JAN_2 - 1, JAN_2)).toEqual([{ day: JAN_2 - 1, usdE8: 10n ** 8n }]);
  });

  it('T17 counts unusable closing prices and returns the usable closing prices', async () => {
    const points = ['2025-12-31', '2026-01-01'].map((date) => `{"date":"${date}","valueUsd":1}`);
    upstream.answer(200, `[${points.join()},null,{"date":"2025-12-31T12:00:00Z","valueUsd":1}]`);
    expect(await source.closes(JAN_2 - 4, JAN_2 - 1)).toHaveLength(2);
    expect(findings.leftOut).toBe(2);
  });

  it('a failed request for closing prices causes an error that does not repeat text of the response', async () => {
    upstream.answer(200, `[{"date":"${SECRET}","valueUsd":1}]`);
    const error = await failure(source.closes(JAN_2 - 2, JAN_2 - 1));
    expect(error).toMatchObject({ code: 'AGGREGATOR_MALFORMED', details: { at: '0.date' } });
    const shown = inspect(error, { depth: 20, showHidden: true });
    for (const hidden of [SECRET, upstream.url]) expect(shown).not.toContain(hidden);
  });

  it('reveals no API key when the object that reads closing prices is printed', () => {
    expect(inspect(source, { depth: 20, showHidden: true })).not.toContain(SECRET);
  });
});
