import * as runner from '@jest/globals';
import { describe } from '@jest/globals';
import { DailyClosesApi } from '@sotto/adapter-http/aggregator';
import type { DailyClose } from '@sotto/dca-core';
import { describeDailyClosesContract } from '@sotto/dca-core/testing/contracts';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { systemClock, toFelt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';
import { startMarket } from '../support/sandbox.js';

const DAY_MS = 86_400_000;
/** Number of days that a test harness must provide. */
const DAYS = 1_000;
const { address } = sandboxWorld.tokens.WBTC;
const SETTINGS = {
  name: 'impulse',
  token: toFelt(address),
  retry: { maxAttempts: 2, firstDelayMs: 1 },
};

const today = (): number => Math.floor(systemClock.nowMs() / DAY_MS);

/** Name and path of both sources of daily closing prices in the sandbox. */
describe.each([
  ['first', ''],
  ['second', '/second'],
])('%s history', (which, path) => {
  describeDailyClosesContract(runner, `${which}, in the sandbox`, async () => {
    const sandbox = await startMarket();
    const subject = new DailyClosesApi({ ...SETTINGS, url: `${sandbox.aggregatorUrl}${path}` });
    return {
      subject,
      lastDay: today() - 1,
      serve: async (closes) => {
        const usd = new Map(closes.map(({ day, usdE8 }) => [day, Number(usdE8) / 1e8]));
        for (let ago = 1; ago <= DAYS; ago += 1)
          sandbox.control.aggregator.setClose(address, ago, usd.get(today() - ago) ?? null);
      },
      breakDown: async () => sandbox.stop(),
      stop: async () => {
        subject.close();
        await sandbox.stop();
      },
    };
  });
});

describeDailyClosesContract(runner, 'over HTTP', async () => {
  const upstream = await LoopbackUpstream.start();
  const subject = new DailyClosesApi({ ...SETTINGS, url: upstream.url });
  const serve = async (closes: readonly DailyClose[]): Promise<void> => {
    upstream.handler = (response, { url = '' }) => {
      const { searchParams } = new URL(url, upstream.url);
      const [from, to] = ['startDate', 'endDate'].map((name) =>
        Date.parse(searchParams.get(name) ?? ''),
      );
      const points = closes
        .filter(({ day }) => day * DAY_MS >= (from ?? 0) && day * DAY_MS <= (to ?? 0))
        .map(({ day, usdE8 }) => {
          const date = new Date(day * DAY_MS).toISOString();
          return `{"date":"${date}","valueUsd":${usdE8}e-8}`;
        });
      response.end(`[${points.join()}]`);
    };
  };
  await serve([]);
  return {
    subject,
    lastDay: today() - 1,
    serve,
    breakDown: async () => upstream.stop(),
    stop: async () => {
      subject.close();
      await upstream.stop();
    },
  };
});
