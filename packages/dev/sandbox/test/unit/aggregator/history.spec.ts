import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { toHex } from '../../../src/engine/felt.js';
import { buildGenesis, sandboxWorld, startSandbox, type Sandbox } from '../../../src/index.js';
import { postJson } from '../../support/rpc.js';
import { trapdoorKey } from '../contracts/trapdoor.js';
import { ETH, WBTC } from './client.js';

const DAY_MS = 86_400_000;
/** Current time of the tests: noon of a day, in ms. */
const NOW_MS = Date.UTC(2026, 10, 22, 12);
const TODAY_MS = NOW_MS - DAY_MS / 2;
const Points = z.array(z.object({ date: z.string(), value: z.number(), valueUsd: z.number() }));

describe('the aggregator’s history of prices', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({
      genesis: buildGenesis({ verificationKey: trapdoorKey }),
      cadence: 'manual',
    });
    sandbox.control.freezeClock(NOW_MS);
  });
  afterEach(() => sandbox.stop());

  const query = (
    { days = 200, until = TODAY_MS - 1, token = WBTC, resolution = '1D' } = {},
    prefix = '',
  ): Promise<Response> => {
    const parameters = new URLSearchParams({
      resolution,
      startDate: new Date(TODAY_MS - days * DAY_MS).toISOString(),
      endDate: new Date(until).toISOString(),
    });
    return fetch(
      `${sandbox.aggregatorUrl}${prefix}/v3/tokens/${token}/prices/line?${String(parameters)}`,
    );
  };
  const points = async (...args: Parameters<typeof query>) =>
    Points.parse(await (await query(...args)).json());
  const order = async (body: object): Promise<number> =>
    (await postJson(`${sandbox.rpcUrl}/control`, { action: 'aggregator', order: body })).status;

  it('the price history contains one closing price for each of 200 days', async () => {
    const closes = await points();
    expect(closes.map(({ date }) => Date.parse(date))).toEqual(
      Array.from({ length: 200 }, (_, index) => TODAY_MS - (200 - index) * DAY_MS),
    );
    expect(new Set(closes.map(({ value }) => value)).size).toBe(5);
    const multiple = 100_000 / mean(closes);
    expect(multiple).toBeCloseTo(Number(sandboxWorld.purchases.mayerMultipleE18) / 1e18, 6);
    expect(await points()).toEqual(closes);
    sandbox.control.freezeClock(NOW_MS + DAY_MS);
    expect(mean(await points({ until: TODAY_MS + DAY_MS - 1, days: 199 }))).toBeCloseTo(
      mean(closes),
      6,
    );
  });

  it('the price history ends with the current price if the requested range ends today', async () => {
    const all = await points({ days: 2, until: NOW_MS + DAY_MS });
    expect(all).toHaveLength(3);
    expect(all.at(-1)).toEqual({
      date: new Date(TODAY_MS).toISOString(),
      value: 100_000,
      valueUsd: 100_000,
    });
  });

  it('gaps and different closing prices can be set for only one of the two price history paths', async () => {
    const token = WBTC;
    expect(await order({ action: 'setHistory', token, shape: { meanUsd: 80_000 } })).toBe(200);
    expect(mean(await points())).toBeCloseTo(80_000, 6);
    await order({ action: 'setHistory', token, shape: { waveUsd: 0 } });
    await order({ action: 'setClose', token, daysAgo: 1, usd: 90_000, source: 'second' });
    await order({ action: 'setClose', token, daysAgo: 2, usd: null });
    const values = async (prefix: string) =>
      (await points({ days: 3 }, prefix)).map(({ value }) => value);
    expect([await values(''), await values('/second')]).toEqual([
      [80_000, 80_000],
      [80_000, 90_000],
    ]);
    await order({ action: 'clearCloses', token });
    expect(await values('/second')).toEqual([80_000, 80_000, 80_000]);
  });

  it('the price history of tokens other than WBTC varies around the oracle price', async () => {
    expect(mean(await points({ token: ETH }))).toBeCloseTo(3_500, 6);
  });

  it('a fault can affect only one of the two price history paths', async () => {
    await order({
      action: 'addFault',
      endpoint: 'secondHistory',
      fault: { kind: 'refuse', status: 503 },
    });
    expect([(await query()).status, (await query({}, '/second')).status]).toEqual([200, 503]);
    expect((await query({}, '/second')).status).toBe(200);
    expect(sandbox.control.aggregator.counters()).toMatchObject({ history: 1, secondHistory: 2 });
  });

  it.each([
    ['another resolution', { resolution: '1H' }, 400],
    ['an unknown token', { token: toHex(0xbadn) }, 404],
    ['no address', { token: 'WBTC' }, 400],
  ])('the aggregator rejects a history request with %s', async (_what, choices, status) => {
    expect((await query(choices)).status).toBe(status);
  });

  it.each([
    { action: 'setHistory', token: toHex(0xbadn), shape: {} },
    { action: 'setClose', token: WBTC, daysAgo: 0, usd: 1 },
  ])('the aggregator rejects the control request %j for the price history', async (body) => {
    expect(await order(body)).toBe(400);
  });
});

function mean(values: readonly { readonly value: number }[]): number {
  return values.reduce((sum, { value }) => sum + value, 0) / values.length;
}
