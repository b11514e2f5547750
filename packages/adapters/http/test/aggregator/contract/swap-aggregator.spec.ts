import * as runner from '@jest/globals';
import { describe, expect, it } from '@jest/globals';
import { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { DomainError, toFelt } from '@sotto/kernel';
import {
  describeSwapAggregatorContract,
  type SwapAggregatorHarness,
  type SwapAggregatorState,
} from '@sotto/market-core/testing/contracts';
import {
  HOSTILE_DEEDS,
  sandboxWorld,
  type Aggregator,
  type AggregatorFault,
  type AggregatorSettings,
} from '@sotto/sandbox';
import { startMarket } from '../support/sandbox.js';

const { tokens, router, swapPool } = sandboxWorld;
const SELL_TOKEN = toFelt(tokens.WBTC.address);
const BUY_TOKEN = toFelt(tokens.USDC.address);
const TAKER = toFelt(swapPool.address);
/**
 * Number of times that a fault is repeated, which exceeds the number of requests of any test case.
 */
const ALWAYS = 100;

function stage(aggregator: Aggregator, state: SwapAggregatorState): void {
  const always = (endpoint: '*' | 'quotes' | 'build', fault: AggregatorFault): void =>
    aggregator.addFault({ endpoint, fault, times: ALWAYS });
  aggregator.clearFaults();
  switch (state) {
    case 'quotes':
      return;
    case 'no_quotes':
      always('quotes', { kind: 'no-route' });
      return;
    case 'expired_once':
      aggregator.expireQuotes();
      return;
    case 'slippage_too_tight':
      always('build', {
        kind: 'refuse',
        status: 500,
        messages: ['Contract error'],
        revertError: 'Insufficient tokens received',
      });
      return;
    case 'no_liquidity':
      always('build', { kind: 'refuse', status: 400, messages: ['Insufficient liquidity'] });
      return;
    case 'down':
      always('*', { kind: 'cut' });
      return;
    case 'malformed':
      always('*', { kind: 'answer', body: { result: 'ok' } });
  }
}

async function start(settings: Partial<AggregatorSettings>): Promise<SwapAggregatorHarness> {
  const sandbox = await startMarket(settings);
  const subject = new HttpSwapAggregator({
    url: sandbox.aggregatorUrl,
    retry: { maxAttempts: 2, firstDelayMs: 1 },
  });
  return {
    subject,
    sellToken: SELL_TOKEN,
    buyToken: BUY_TOKEN,
    router: toFelt(router),
    stage: async (state) => stage(sandbox.control.aggregator, state),
    stop: async () => {
      subject.close();
      await sandbox.stop();
    },
  };
}

describeSwapAggregatorContract(runner, 'HTTP, as the specification has it', async () =>
  start({ quoteShape: 'spec', buildShape: 'spec' }),
);
describeSwapAggregatorContract(runner, 'HTTP, as the aggregator on mainnet has it', async () =>
  start({ quoteShape: 'avnu', buildShape: 'avnu' }),
);

describe('HttpSwapAggregator in the sandbox', () => {
  const outcomes = HOSTILE_DEEDS.map(
    (deed) => [deed, deed === 'no-felts' ? 'AGGREGATOR_MALFORMED' : 'built'] as const,
  );

  it.each(outcomes)(
    'the adapter returns a built swap with %s unless the build is unreadable; result: %s',
    async (deed, outcome) => {
      const sandbox = await startMarket();
      const subject = new HttpSwapAggregator({ url: sandbox.aggregatorUrl });
      try {
        const [quote] = await subject.quotes({
          sellToken: SELL_TOKEN,
          buyToken: BUY_TOKEN,
          sellAmount: 19_850n,
          taker: TAKER,
        });
        sandbox.control.aggregator.addFault({
          endpoint: 'build',
          fault: { kind: 'hostile', deed },
        });
        const build = subject.build({
          quoteId: quote?.quoteId ?? '',
          taker: TAKER,
          slippagePpm: 10_000,
        });
        const found = await build.then(
          ({ kind }) => kind,
          (error: unknown) => (error instanceof DomainError ? error.code : error),
        );
        expect(found).toBe(outcome);
      } finally {
        subject.close();
        await sandbox.stop();
      }
    },
  );
});
