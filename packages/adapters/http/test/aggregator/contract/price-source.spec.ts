import * as runner from '@jest/globals';
import { ImpulsePriceSource } from '@sotto/adapter-http/aggregator';
import { toFelt } from '@sotto/kernel';
import { describePriceSourceContract } from '@sotto/market-core/testing/contracts';
import { sandboxWorld } from '@sotto/sandbox';
import { startMarket } from '../support/sandbox.js';

const { STRK, WBTC, USDC } = sandboxWorld.tokens;
const ASSETS = ['STRK', 'WBTC', 'USDC'] as const;

// The interface does not report the time of each price.
describePriceSourceContract(
  runner,
  'impulse in the sandbox',
  async () => {
    const sandbox = await startMarket();
    const tokens = {
      STRK: toFelt(STRK.address),
      WBTC: toFelt(WBTC.address),
      USDC: toFelt(USDC.address),
    };
    const subject = new ImpulsePriceSource({
      url: sandbox.aggregatorUrl,
      tokens,
      retry: { maxAttempts: 2, firstDelayMs: 1 },
    });
    return {
      subject,
      stage: async (observations) => {
        for (const asset of ASSETS) {
          const usdE8 = observations.find((observation) => observation.asset === asset)?.usdE8;
          sandbox.control.aggregator.setUsdPrice(
            sandboxWorld.tokens[asset].address,
            usdE8 === undefined ? null : Number(usdE8) / 1e8,
          );
        }
      },
      breakDown: async () => sandbox.stop(),
      stop: async () => {
        subject.close();
        await sandbox.stop();
      },
    };
  },
  { stagesTimes: false },
);
