import * as runner from '@jest/globals';
import { KrakenPriceSource } from '@sotto/adapter-http/exchange';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { describePriceSourceContract } from '@sotto/market-core/testing/contracts';
import { startExchange } from '../support/exchange.js';

// The interface does not report the time of each trade.
describePriceSourceContract(
  runner,
  'an exchange like Kraken',
  async () => {
    const upstream = await LoopbackUpstream.start();
    const exchange = startExchange(upstream);
    const subject = new KrakenPriceSource({
      url: upstream.url,
      retry: { maxAttempts: 2, firstDelayMs: 1 },
    });
    return {
      subject,
      stage: async (observations) => exchange.trade(observations),
      breakDown: async () => upstream.stop(),
      stop: async () => {
        subject.close();
        await upstream.stop();
      },
    };
  },
  { stagesTimes: false },
);
