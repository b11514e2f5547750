import * as runner from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { FakeUpstreamDown } from '@sotto/kernel/testing';
import {
  describePriceSourceContract,
  describeSwapAggregatorContract,
} from '../../src/testing/contracts.js';
import { FakeSwapAggregator, FixedPrices } from '../../src/testing/index.js';

const sellToken = toFelt('0xb7c');
const buyToken = toFelt('0x57124');
const router = toFelt('0x4270');
const stop = async (): Promise<void> => {};

describePriceSourceContract(runner, 'fixed', async () => {
  const subject = new FixedPrices([]);
  return {
    subject,
    stage: async (observations) => subject.set(observations),
    breakDown: async () => subject.fail(),
    stop,
  };
});

describeSwapAggregatorContract(runner, 'fake', async () => {
  const subject = new FakeSwapAggregator(router, [
    { sellToken, buyToken, bought: 10n ** 16n, sold: 3n },
  ]);
  return {
    subject,
    sellToken,
    buyToken,
    router,
    async stage(state) {
      switch (state) {
        case 'quotes':
          return;
        case 'no_quotes':
          return subject.setRates([]);
        case 'expired_once':
          return subject.expireNext();
        case 'slippage_too_tight':
        case 'no_liquidity':
          return subject.refuseBuilds(state);
        case 'down':
          return subject.fail();
        case 'malformed':
          return subject.fail(new FakeUpstreamDown('not understood'));
      }
    },
    stop,
  };
});
